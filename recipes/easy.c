/* EASY backfilling as a program: cc -O2 -o easy easy.c, then backfill run -policy exec:./easy ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESOURCES = 17 }; /* processors, and at most 16 extra resources */

struct job {
    long id, estimate, end; /* end: expected end; set when the job starts */
    long need[RESOURCES];
};
struct list { struct job *at; size_t n, room; };

static struct list queue, running; /* running is sorted by expected end */

static void insert(struct list *l, size_t i, struct job x) {
    if (l->n == l->room && !(l->at = realloc(l->at, (l->room = 2 * l->room + 64) * sizeof x))) exit(1);
    memmove(l->at + i + 1, l->at + i, (l->n++ - i) * sizeof x);
    l->at[i] = x;
}
static struct job take(struct list *l, size_t i) {
    struct job x = l->at[i];
    memmove(l->at + i, l->at + i + 1, (--l->n - i) * sizeof x);
    return x;
}
static void run(struct job x) { /* adds a job to the running jobs */
    size_t i = running.n;
    while (i > 0 && running.at[i - 1].end > x.end) i--;
    insert(&running, i, x);
}
static struct job stop(long id) { /* removes a job from the running jobs */
    for (size_t i = 0; i < running.n; i++)
        if (running.at[i].id == id) return take(&running, i);
    exit(1);
}

/* These functions read the JSON of the messages, which contains no spaces. */
static const char *skip(const char *s) { /* returns the end of the value at s */
    if (*s == '"') {
        for (s++; *s != '"'; s++) s += *s == '\\';
        return s + 1;
    }
    if (*s != '{' && *s != '[') return s + strcspn(s, ",:]}");
    for (s++; *s != '}' && *s != ']'; s += *s == ',' || *s == ':') s = skip(s);
    return s + 1;
}
static const char *find(const char *s, const char *key) { /* returns a field of the object at s, or NULL */
    for (s++; *s != '}'; s += *s == ',') {
        const char *value = skip(s) + 1;
        if (!strncmp(s + 1, key, strlen(key)) && s[1 + strlen(key)] == '"') return value;
        s = skip(value);
    }
    return NULL;
}
static const char *next(const char *s) { /* steps through an array: returns an element, or NULL at the end */
    return s && (*s == '[' || *s == ',') && s[1] != ']' ? s + 1 : NULL;
}
static long number(const char *s, const char *key) { return atol(find(s, key)); }
static void needs(const char *s, long need[RESOURCES]) {
    need[0] = number(s, "procs");
    int k = 1;
    for (const char *r = next(find(s, "resources")); r; r = next(skip(r))) need[k++] = atol(r);
}

static int fits(const long need[RESOURCES], const long free[RESOURCES]) {
    for (int k = 0; k < RESOURCES; k++)
        if (need[k] > free[k]) return 0;
    return 1;
}
static void add(long a[RESOURCES], const long b[RESOURCES], int sign) {
    for (int k = 0; k < RESOURCES; k++) a[k] += sign * b[k];
}

static int started;
static void start(size_t i, long now, long free[RESOURCES]) { /* starts job i of the queue */
    struct job x = take(&queue, i);
    printf("%s%ld", started++ ? "," : "{\"start\":[", x.id);
    add(free, x.need, -1);
    x.end = now + x.estimate;
    run(x);
}

static void schedule(long now, long free[RESOURCES]) {
    while (queue.n && fits(queue.at[0].need, free)) start(0, now, free);
    if (!queue.n) return;
    long shadow = now, extra[RESOURCES]; /* time at which the first job can start, and what is still free then */
    memcpy(extra, free, sizeof extra);
    for (size_t i = 0; i < running.n && (!fits(queue.at[0].need, extra) || running.at[i].end == shadow); i++) {
        shadow = running.at[i].end;
        add(extra, running.at[i].need, 1);
    }
    add(extra, queue.at[0].need, -1);
    for (size_t i = 1; i < queue.n;) {
        struct job *x = &queue.at[i];
        int early = now + x->estimate <= shadow;
        if (!fits(x->need, free) || (!early && !fits(x->need, extra))) {
            i++;
            continue;
        }
        if (!early) add(extra, x->need, -1);
        start(i, now, free);
    }
}

int main(void) {
    char *m = NULL;
    size_t room = 0;
    while (getline(&m, &room, stdin) > 0) {
        const char *x;
        started = 0;
        if (find(m, "now")) { /* only the first message, about the machine, lacks this field */
            long free[RESOURCES] = {0};
            for (x = next(find(m, "ended")); x; x = next(skip(x))) stop(atol(x));
            for (x = next(find(m, "ends")); x; x = next(skip(x))) {
                struct job j = stop(number(x, "id"));
                j.end = number(x, "end");
                run(j);
            }
            for (x = next(find(m, "submitted")); x; x = next(skip(x))) {
                struct job j = {.id = number(x, "id"), .estimate = number(x, "estimate")};
                needs(x, j.need);
                insert(&queue, queue.n, j);
            }
            needs(find(m, "free"), free);
            schedule(number(m, "now"), free);
        }
        puts(started ? "]}" : "{}");
        fflush(stdout);
    }
    free(m);
    return 0;
}

package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const parts = "8"

// TestParallel checks that the recipe for GNU parallel gives the same table as the undivided sweep. Each part of
// the sweep is killed once and then repeated.
func TestParallel(t *testing.T) {
	needsEngine(t, "install the package parallel", "parallel")
	l := newSweepTest(t, 100, 50)
	l.killOnce(t)
	l.run(t, recipe(t, "parallel.sh"), l.definition, parts)
	l.requireJoined(t)
}

// python returns the path of a Python interpreter that has a module. It skips the test if there is none.
func python(t *testing.T, module string) string {
	t.Helper()
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import "+module).Run() == nil {
			return p
		}
	}
	t.Skipf("no python3 has the module %s: install the package python3-%s", module, module)
	return ""
}

// TestDask checks that the recipe for Dask, with two workers on this machine, gives the same table as the undivided
// sweep. Each part of the sweep is killed once and then repeated.
func TestDask(t *testing.T) {
	needsEngine(t, "install Python", "python3")
	p := python(t, "distributed")
	l := newSweepTest(t, 100, 50)
	l.killOnce(t)
	address := startDask(t, p)
	l.run(t, p, recipe(t, "dask_sweep.py"), l.definition, parts, address)
	l.requireJoined(t)
}

// startDask starts a scheduler and two workers, and returns the address of the scheduler.
func startDask(t *testing.T, python string) string {
	t.Helper()
	program := `import distributed, sys
if __name__ == "__main__":
    c = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    print(c.scheduler_address, flush=True)
    sys.stdin.read()
`
	file := filepath.Join(t.TempDir(), "cluster.py")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o666))
	c := exec.Command(python, file)
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = in.Close(); _ = c.Wait() })
	address := make([]byte, 200)
	n, err := out.Read(address)
	require.NoError(t, err)
	return strings.TrimSpace(string(address[:n]))
}

// TestRayWithASubstitute checks that the recipe for Ray gives the same table as the undivided sweep, with a
// substitute for the module ray. The substitute has only the functions that the recipe uses: init, remote with
// options, and get. It runs the tasks one after another, and repeats tasks that fail.
func TestRayWithASubstitute(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	substitute := `
def init(address=None):
    assert address == "auto", address

def remote(num_cpus, max_retries, retry_exceptions):
    def decorate(function):
        class Task:
            @staticmethod
            def remote(*args):
                for attempt in range(max_retries + 1):
                    try:
                        return function(*args)
                    except Exception:
                        if not retry_exceptions or attempt == max_retries:
                            raise
        return Task
    return decorate

def get(results):
    return list(results)
`
	l := newSweepTest(t, 100, 50)
	l.killOnce(t)
	modules := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(modules, "ray.py"), []byte(substitute), 0o666))
	t.Setenv("PYTHONPATH", modules)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	l.run(t, "python3", recipe(t, "ray_sweep.py"), l.definition, parts, "auto")
	l.requireJoined(t)
}

// TestKubernetesCommand checks that the command in the Kubernetes Job makes all parts of a sweep, and that their tables
// can be joined. `make cluster` also checks the fields of the Job.
func TestKubernetesCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	text := readText(t, recipe(t, "kubernetes.yaml"))
	command := regexp.MustCompile(`(?m)^ *command: \[/bin/sh, -c, "(.*)"\]$`).FindStringSubmatch(text)
	require.NotNil(t, command)
	l := newSweepTest(t, 100, 50)
	for _, index := range strings.Split("01234567", "") {
		t.Setenv("JOB_COMPLETION_INDEX", index)
		l.run(t, "/bin/sh", "-c", command[1])
	}
	collect := regexp.MustCompile(`(?m)^# .*(backfill collect .*)$`).FindStringSubmatch(text)
	require.NotNil(t, collect)
	l.run(t, "/bin/sh", "-c", collect[1])
	l.requireJoined(t)
}

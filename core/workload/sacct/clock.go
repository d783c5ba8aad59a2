package sacct

import (
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// unknown stands for a time that is not in the file.
const unknown job.Time = -1

const timeForm = "a time such as 2026-01-02T03:04:05, seconds since 1970, Unknown or None"

// timestamp parses a time stamp. If the cell contains no time stamp, it returns unknown. The file
// contains the local time of the cluster, and timestamp converts it to seconds since 1970 as if it
// were UTC. If SLURM_TIME_FORMAT was %s, the file contains seconds since 1970.
func (p *parser) timestamp(f field) (job.Time, error) {
	word := p.cell(f)
	switch word {
	case "", "Unknown", "None":
		return unknown, nil
	}
	if t, ok := parseDigits(word); ok && t <= job.MaxTime {
		return t, nil
	}
	if t, ok := parseDate(word); ok {
		return t, nil
	}
	return 0, p.invalidCell(f, timeForm)
}

// parseDate parses a time stamp such as 2026-01-02T03:04:05.
func parseDate(s string) (job.Time, bool) {
	day, clock, _ := strings.Cut(s, "T")
	if len(day) != 10 || day[4] != '-' || day[7] != '-' || len(clock) != 8 {
		return 0, false
	}
	y, ok1 := parseDigits(day[:4])
	m, ok2 := parseDigits(day[5:7])
	d, ok3 := parseDigits(day[8:])
	t, ok4 := parseDuration(clock)
	if !ok1 || !ok2 || !ok3 || !ok4 || y < 1970 || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m) || t >= 86400 {
		return 0, false
	}
	return daysSince1970(y, m, d)*86400 + t, true
}

func daysInMonth(year, month int64) int64 {
	if month == 2 {
		return daysSince1970(year, 3, 1) - daysSince1970(year, 2, 1)
	}
	return 30 + (month+month/8)%2
}

// daysSince1970 returns the number of days from 1 January 1970 to a date. It starts years in March,
// so that a leap day is the last day of a year. The five months starting in March have 153 days in
// total, and so do the five months starting in August.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 719469
}

const durationForm = "a duration such as 1-02:03:04, 02:03:04 or 03:04"

// parseDuration parses [D-]HH:MM:SS or MM:SS. It ignores fractions of a second.
func parseDuration(word string) (job.Time, bool) {
	word, _, _ = strings.Cut(word, ".")
	d, clock, withDays := strings.Cut(word, "-")
	if !withDays {
		d, clock = "0", word
	}
	total, ok := parseDigits(d)
	if n := strings.Count(clock, ":"); n == 1 && !withDays {
		clock = "0:" + clock
	} else if n != 2 {
		return 0, false
	}
	for base := int64(24); clock != ""; base = 60 {
		part, rest, _ := strings.Cut(clock, ":")
		v, good := parseDigits(part)
		ok = ok && good && total <= job.MaxTime && v <= job.MaxTime/3600 && (base == 24 || v < 60)
		total, clock = total*base+v, rest
	}
	return total, ok
}

// parseDigits parses a number. It reports false if the text contains anything but digits.
func parseDigits(s string) (int64, bool) {
	if s == "" || len(s) > 15 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil
}

package experiment

import "backfill-lab/core/log"

// What full logs tell of how groups are formed, beside the metrics.
const (
	forms    = "forms"     // jobs that were tried as the primary of a group
	fewSuits = "few-suits" // the share of them with fewer than four jobs that suit
	noneSuit = "none-suit" // and with none
)

// Forms is what a case with every record has beside the metrics.
var Forms = []string{forms, fewSuits, noneSuit}

// addForms counts the candidates of each try to form a group.
func (c Cell) addForms(l *log.Log) {
	n, few, none, suits := 0.0, 0.0, 0.0, 0
	note := func() {
		if n > 0 && suits < 4 {
			few++
		}
		if n > 0 && suits == 0 {
			none++
		}
		suits = 0
	}
	for r := range l.All() {
		switch {
		case r.Kind == log.Form && r.Code != log.CaseAlone:
			note()
			n++
		case r.Kind == log.Candidate && r.Code == log.Suited:
			suits++
		}
	}
	note()
	if n > 0 {
		c[forms], c[fewSuits], c[noneSuit] = n, few/n, none/n
	}
}

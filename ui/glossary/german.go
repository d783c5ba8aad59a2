package glossary

// German lists the terms for lessons in German.
var German = []Entry{
	{"Schätzung", "Laufzeit, die beim Einreichen angegeben wird; der Scheduler kennt nur sie", []string{"Schätzung", "Schätzungen"}},
	{"Laufzeit", "tatsächliche Laufzeit eines Jobs; nur die Simulation kennt sie", []string{"Laufzeit", "Laufzeiten"}},
	{"Wartezeit", "Zeit vom Einreichen eines Jobs bis zu seinem Start", []string{"Wartezeit", "Wartezeiten"}},
	{"Antwortzeit", "Zeit vom Einreichen eines Jobs bis zu seinem Ende", []string{"Antwortzeit", "Antwortzeiten"}},
	{"Backfilling", "ein Job startet vor früher eingereichten Jobs, auf Prozessoren, die diese noch nicht nutzen können", []string{"Backfilling"}},
	{"Reservierung", "geplanter Start eines wartenden Jobs", []string{"Reservierung", "Reservierungen", "reserviert"}},
	{"Zusage", "Reservierung, die der Scheduler nie verschiebt, außer auf einen früheren Zeitpunkt", []string{"Zusage", "Zusagen", "zugesagt"}},
	{"Shadow Time", "frühester Zeitpunkt, zu dem der erste Job der Warteschlange laut den Schätzungen starten kann", []string{"Shadow Time"}},
	{"Slack", "Spielraum, um den ein wartender Job später als zuerst geplant starten darf", []string{"Slack"}},
	{"Kompression", "geplante Starts werden vorgezogen, weil Prozessoren frei geworden sind", []string{"Kompression"}},
	{"formbar", "der Job kann auf verschieden vielen Prozessoren laufen; der Scheduler legt die Zahl vor dem Start fest", []string{"formbar", "formbare", "formbaren", "formbarer", "moldable"}},
	{"Fragmentierung", "Prozessoren bleiben frei, obwohl Jobs warten, weil kein wartender Job sie nutzen darf", []string{"Fragmentierung"}},
	{"Auslastung", "Anteil der belegten an den verfügbaren Prozessoren, über die Zeit gemittelt", []string{"Auslastung"}},
	{"Slowdown", "Zeit im System geteilt durch die Laufzeit", []string{"Slowdown", "Slowdowns"}},
	{"Bounded Slowdown", "Slowdown, der sehr kurze Laufzeiten als 10 s zählt", []string{"Bounded Slowdown"}},
}

package knob

import (
	"slices"
	"strconv"
	"strings"
)

// ValueTitle returns the name of a value for users: the title of a choice, "on" or "off" for a
// Switch, and the value itself otherwise.
func (k *Knob) ValueTitle(value string) string {
	if i := slices.Index(k.Choices, value); i >= 0 && i < len(k.ChoiceTitles) {
		return k.ChoiceTitles[i]
	}
	if k.Kind == Switch {
		return map[string]string{"true": "on", "false": "off"}[value]
	}
	return value
}

// Setting returns the title of the knob with a value, such as "queue order: shortest first (SJF)". A
// time gets the unit "s".
func (k *Knob) Setting(value string) string {
	text := k.Title + ": " + k.ValueTitle(value)
	if k.isTime() && value != "" && !slices.Contains(k.Choices, value) {
		text += " s"
	}
	return text
}

// isTime reports whether the values of the knob are seconds.
func (k *Knob) isTime() bool { return k.Unit == "s" || k.Unit == "seconds" }

// RangeWithTitles returns the same phrase as Range, with the title of each choice in brackets.
func (k *Knob) RangeWithTitles() string {
	if len(k.ChoiceTitles) == 0 {
		return k.Range()
	}
	all := make([]string, len(k.Choices))
	for i, choice := range k.Choices {
		all[i] = choice + " [" + k.ChoiceTitles[i] + "]"
	}
	text := strings.Join(all, ", ")
	if k.Kind == Order {
		text += " or a formula"
	}
	return text
}

// conditionTitle returns the condition of the knob, from its fields DependsOn and DependsOnValues, as a phrase for
// users, such as "only with backfill candidate: best balance (BB)". It takes all knobs of the same policy or model.
func (k *Knob) conditionTitle(allKnobs []Knob) string {
	with := find(allKnobs, k.DependsOn)
	titles := make([]string, len(k.DependsOnValues))
	for i, v := range k.DependsOnValues {
		titles[i] = with.ValueTitle(v)
	}
	return "only with " + with.Title + ": " + strings.Join(titles, " or ")
}

// HelpTitle returns the help text for users, in which titles replace the names of choices and
// knobs. It recognises a choice by the colon after it, as in "all: every job", a setting by its
// "=", and the name of a knob by its hyphen. It takes all knobs of the same policy or model.
func (k *Knob) HelpTitle(allKnobs []Knob) string {
	words := strings.Split(k.Help, " ")
	isStart := true // whether the next word begins a sentence or a clause
	for i, w := range words {
		word := strings.Trim(w, "(.,;:)")
		title := ""
		switch name, value, isSetting := strings.Cut(word, "="); {
		case isSetting:
			if o := knobReferencedIn(allKnobs, k, name); o != nil {
				title = o.Setting(value)
			}
		case isStart && strings.HasSuffix(w, ":") && k.isListed(word):
			title = k.ValueTitle(word)
		case strings.Contains(word, "-"):
			if o := knobReferencedIn(allKnobs, k, name); o != nil {
				title = strconv.Quote(o.Title)
			}
		}
		if title != "" {
			words[i] = strings.Replace(w, word, title, 1)
		}
		isStart = strings.HasSuffix(w, ".") || strings.HasSuffix(w, ";")
	}
	return strings.Join(words, " ")
}

// isListed reports whether users select the value from a list or with a check box, instead of
// typing it.
func (k *Knob) isListed(value string) bool {
	if k.Kind == Switch {
		return value == "true" || value == "false"
	}
	return len(k.ChoiceTitles) > 0 && slices.Contains(k.Choices, value)
}

// knobReferencedIn returns the knob that the help text of k calls by the given name, or nil. The
// names of the knobs of an inner policy have a prefix, such as "inner.", which help texts omit.
func knobReferencedIn(all []Knob, k *Knob, name string) *Knob {
	if i := strings.LastIndex(k.Name, "."); i >= 0 {
		if o := find(all, k.Name[:i+1]+name); o != nil {
			return o
		}
	}
	return find(all, name)
}

// TitleProblem reports what is wrong with the declaration of the knob: a missing title, or a setting in the help text
// that HelpTitle cannot replace by titles. It returns "" if nothing is wrong. It takes all knobs of the same policy or
// model.
func (k *Knob) TitleProblem(allKnobs []Knob) string {
	isList := k.Kind == Choice || k.Kind == Order
	switch help := k.HelpTitle(allKnobs); {
	case k.Title == "":
		return k.Name + " has no title"
	case isList && len(k.ChoiceTitles) != len(k.Choices):
		return k.Name + " has a choice without a title"
	case isList && slices.Contains(k.ChoiceTitles, ""):
		return k.Name + " has an empty title of a choice"
	case strings.Contains(help, "="):
		return k.Name + " has the name of a knob in its help: " + help
	}
	return ""
}

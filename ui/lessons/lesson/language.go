package lesson

import (
	"strings"

	"backfill-lab/core/scenario/raw"
)

// English is the language of lessons without a language field.
const English = "en"

// nativeNames maps a language code to the name of the language in that language, such as "de" to
// "Deutsch".
var nativeNames = map[string]string{"ar": "العربية", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español", "fi": "Suomi",
	"fr": "Français", "he": "עברית", "it": "Italiano", "ja": "日本語", "ko": "한국어", "nl": "Nederlands", "pl": "Polski", "pt": "Português",
	"ru": "Русский", "sv": "Svenska", "tr": "Türkçe", "uk": "Українська", "zh": "中文"}

// Lang returns the language tag of the texts, for the HTML attribute lang.
func (l *Lesson) Lang() string {
	if l.Language == "" {
		return English
	}
	return l.Language
}

// LanguageName returns the name that speakers of the lesson's language use for this language, such as "Deutsch".
// For a language without an entry in nativeNames, it returns the tag. For English, it returns "".
func (l *Lesson) LanguageName() string {
	tag := l.Lang()
	primary, _, _ := strings.Cut(tag, "-")
	switch name := nativeNames[strings.ToLower(primary)]; {
	case strings.EqualFold(primary, English):
		return ""
	case name != "":
		return name
	}
	return tag
}

// language returns a function that reads a BCP 47 language tag into *to.
func (r *reader) language(to *string) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		if r.shortText(to, false)(v, where); !IsTag(*to) {
			r.reject(v, where, `a BCP 47 language tag, such as "de" or "pt-BR"`, v.Shown())
		}
	}
}

// IsTag reports whether a text has the form of a language tag: hyphenated subtags of 1 to
// 8 letters and digits, where the first has 2 to 8 letters.
func IsTag(text string) bool {
	for i, part := range strings.Split(text, "-") {
		if len(part) < 1 || len(part) > 8 || i == 0 && len(part) < 2 {
			return false
		}
		for _, c := range part {
			letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

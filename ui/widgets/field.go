// Package widgets contains the building blocks that several features share: form fields, windows on
// long tables, list options, sentences with links, and named values.
package widgets

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/knob"
	"backfill-lab/core/policy"
)

// Field is a field of a form as rendered.
type Field struct {
	ID, Name, Label, Text, Help, Problem, Invalid string // Invalid: the aria-invalid value
	Kind                                          policy.Kind
	Options                                       []string // values of a choice
	OptionTitles                                  []string // texts of the options; if empty, the options themselves
	Place                                         int      // identifies the field in its form, for example an index in Doc.MachineTexts
	Required                                      bool     // the field must not stay empty; the label says so
	DiffersFromDefault                            bool     // the value differs from the default
	Duration, Instant                             bool     // the value is a duration in seconds, or a time of the run in seconds
}

// AriaRequired returns the aria-required value of the field.
func (f *Field) AriaRequired() string { return strconv.FormatBool(f.Required) }

// HelpID returns the id of the field's help, for aria-describedby.
func (f *Field) HelpID() string { return f.ID + "-help" }

// ProblemID returns the id of the text that says what is wrong with the field.
func (f *Field) ProblemID() string { return f.ID + "-problem" }

// DescribedBy returns the ids of the texts that describe the field: its help, and what is wrong
// with it.
func (f *Field) DescribedBy() string {
	if f.Problem != "" {
		return f.ProblemID() + " " + f.HelpID()
	}
	return f.HelpID()
}

// KnobField returns the field of knob k of a policy or workload model. Its help contains the default, the range and the
// unit. allKnobs holds all knobs of the same policy or model.
func KnobField(id, text string, k *policy.Knob, allKnobs []policy.Knob) Field {
	f := Field{ID: id, Name: k.Name, Label: Capitalize(k.Title), Text: text, Kind: k.Kind, Options: k.Choices, OptionTitles: k.ChoiceTitles}
	f.DiffersFromDefault, f.Duration = f.Text != k.Default, k.Unit == "s" || k.Unit == "seconds"
	f.Help = Capitalize(k.HelpTitle(allKnobs)) + "."
	if k.Default != "" {
		f.Help += " Default: " + k.ValueTitle(k.Default)
	}
	switch k.Kind {
	case policy.Choice, policy.Switch, knob.Text:
	case policy.ByOrder:
		f.Options = append(slices.Clone(k.Choices), byFormula)
		f.OptionTitles = append(slices.Clone(k.ChoiceTitles), "a formula")
		if f.IsFormula() {
			f.Help += "; " + formulaHelp
		}
	default:
		f.Help += "; " + k.Range()
	}
	if k.Unit != "" {
		f.Help += " " + k.Unit
	}
	return f
}

// Capitalize returns a title with a capital first letter, for use as the label of a field.
func Capitalize(title string) string { return strings.ToUpper(title[:1]) + title[1:] }

// SetProblem marks the field as invalid for the given reason; "" marks it as valid.
func (f *Field) SetProblem(problem string) {
	f.Problem, f.Invalid = problem, "false"
	if problem != "" {
		f.Invalid = "true"
	}
}

// IsChoice reports whether the user selects the value from a list of options.
func (f *Field) IsChoice() bool { return f.Kind == policy.Choice || f.Kind == policy.ByOrder }

// IsSelected reports whether the option o of the list is selected.
func (f *Field) IsSelected(o string) bool { return o == f.Text || o == byFormula && f.IsFormula() }

// OptionTitle returns the text of option i of the list.
func (f *Field) OptionTitle(i int) string {
	if i < len(f.OptionTitles) {
		return f.OptionTitles[i]
	}
	return f.Options[i]
}

// SelectClass returns the CSS class of the field's list.
func (f *Field) SelectClass() string {
	for i, o := range f.Options {
		if f.IsSelected(o) {
			return SelectClass(f.OptionTitle(i))
		}
	}
	return ""
}

// SelectClass returns the CSS class of a list with the given selected text. If the text is long, the
// class puts the list below its label, so that the text is not truncated.
func SelectClass(text string) string {
	if utf8.RuneCountInString(text) > maxShortOption {
		return "long"
	}
	return ""
}

// maxShortOption is the largest number of characters that fit into a list next to its label.
const maxShortOption = 14

// IsSwitch reports whether the field is a check box.
func (f *Field) IsSwitch() bool { return f.Kind == policy.Switch }

// Long is the kind of a multi-line text field.
const Long policy.Kind = "long"

// IsLong reports whether the field has several lines.
func (f *Field) IsLong() bool { return f.Kind == Long }

// IsText reports whether the field is a single line of text.
func (f *Field) IsText() bool { return !f.IsChoice() && !f.IsSwitch() && !f.IsLong() }

// byFormula is an option in a list of orders. If the user selects it, they type a formula instead of
// selecting an order.
const byFormula = "formula"

const formulaHelp = "the job with the smallest value goes first. Example: -wait/estimate. A formula can use submit, wait, estimate, procs, user and res:NAME, " +
	"with + - * / % ^, < <= > >= == !=, and, or, not, if(c, a, b), min, max, abs, sqrt, log"

// IsFormula reports whether the value of the field is a formula for an order, rather than a named
// order.
func (f *Field) IsFormula() bool {
	return f.Kind == policy.ByOrder && !slices.Contains(f.Options[:len(f.Options)-1], f.Text)
}

// FormulaID returns the id of the text field for the formula, below the list.
func (f *Field) FormulaID() string { return f.ID + "-formula" }

// FormulaLabel returns the label of the text field for the formula.
func (f *Field) FormulaLabel() string { return f.Label + " as a formula" }

// ValueFor returns the value of the knob after the user typed or selected text. If the user
// selected "formula", it returns a formula for the previously selected order.
func (f *Field) ValueFor(text string) string {
	if f.Kind == policy.ByOrder && text == byFormula {
		return policy.Order(f.Text).Formula()
	}
	return text
}

// SetError marks the field as invalid with the error's text; nil marks it as valid.
func (f *Field) SetError(err error) {
	if f.SetProblem(""); err != nil {
		f.SetProblem(err.Error())
	}
}

// MaxTextLength is the largest number of characters in a field. It is far below 16 KB, the length
// from which Vugu can no longer set a property.
const MaxTextLength = 2500

// InputMode returns the inputmode attribute, which determines the on-screen keyboard of a
// phone.
func (f *Field) InputMode() string {
	if f.Kind == policy.Integer && f.Options == nil && !f.Duration {
		return "numeric"
	}
	return "text"
}

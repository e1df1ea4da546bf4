package option

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Standard is the default in words, "" if the option has none: a phrase if it depends on the data,
// "on" for a switch that is on, nothing for one that is off.
func (f *Field) Standard() string {
	switch {
	case f.Unset != "":
		return f.Unset
	case f.Kind == Switch && f.Default == "true":
		return "on"
	case f.Kind == Switch:
		return ""
	case f.Default == "" && f.Sparse != "" && f.Dense != "":
		return f.Sparse + " for sparse data, " + f.Dense + " for dense data"
	}
	return f.Default
}

// Allowed says in words what values the option takes: "whole number of at least 1".
func (f *Field) Allowed() string {
	switch f.Kind {
	case Int:
		if f.Searched() {
			return "whole number of at least 1, auto, or a range such as 2-40"
		}
		if f.Range == ">=1" {
			return "whole number of at least 1"
		}
		return "whole number of at least 0"
	case Number:
		if f.OrAuto() {
			return strings.TrimPrefix(ranges[f.Range].words, "a ") + ", or auto"
		}
		return strings.TrimPrefix(ranges[f.Range].words, "a ")
	case Seed:
		return "whole number of at least 0"
	case Switch:
		return "switch"
	case Count:
		if f.Range != "" {
			return "number of documents, or share"
		}
		return "count or share"
	}
	values := "text"
	switch {
	case f.Choices != nil:
		values = orList(f.Choices)
	case f.Kind == List:
		values = "names"
	case f.Path:
		values = "path"
	}
	if f.Kind == List {
		return "list of " + values
	}
	return values
}

// orList is "a, b or c".
func orList(items []string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " or " + items[last]
}

// Conditions puts the tag `when` into words, with marked names of options: "with ‹edge-weight›
// heat, without ‹epsilon›". It is empty for an option that always has an effect. list are the
// options of the run: conditions that name others are left out, and so is precomputed, which
// replaces the documents.
func (f *Field) Conditions(list []*Field) string {
	var parts []string
	for _, condition := range split(f.When, ";") {
		var ways []string
		always := false
		for _, c := range split(condition, "|") {
			text, holds := f.beside(list, c)
			always = always || holds
			if text != "" && !slices.Contains(ways, text) {
				ways = append(ways, text)
			}
		}
		if !always && ways != nil {
			parts = append(parts, strings.Join(ways, " or "))
		}
	}
	return strings.Join(parts, ", ")
}

// beside puts one condition into words; text is empty if it depends on an option that is not in the
// list, and always says that it holds then.
func (f *Field) beside(list []*Field, condition string) (text string, always bool) {
	of, value, compared := strings.Cut(condition, "=")
	of, negated := strings.CutSuffix(strings.TrimSpace(of), "!")
	value = strings.TrimSpace(value)
	switch {
	case of == "data":
		return "for " + value + " data", false
	case of == "precomputed":
		return "", true
	case of == f.Name:
		return "if it is " + orList(split(value, ",")), false
	case Find(list, of) == nil:
		return "", negated || compared && value == ""
	}
	head, without := "with ", false
	switch value {
	case "", "true":
		without = compared && (value == "") != negated
		value = ""
	case "false":
		without, value = !negated, ""
	default:
		value = " " + orList(split(value, ","))
		if negated {
			head = "not with "
		}
	}
	if without {
		head = "without "
	}
	return head + words.Option(of) + value, false
}

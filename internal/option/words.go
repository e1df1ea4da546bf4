package option

import (
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Conditions puts the tag `when` into words, with marked names of options: "with ‹edge-weight›
// heat; not with ‹epsilon›". It is empty for an option that always has an effect. Conditions on
// options that are not in the list are left out.
func (f *Field) Conditions(list []*Field) string {
	var parts []string
	for _, condition := range split(f.When, ";") {
		var alternatives []string
		for _, c := range split(condition, "|") {
			if name, _, _ := strings.Cut(c, "="); Find(list, strings.TrimSuffix(strings.TrimSpace(name), "!")) != nil || strings.HasPrefix(c, "data=") {
				alternatives = append(alternatives, phrase(c))
			}
		}
		if alternatives != nil {
			parts = append(parts, strings.Join(alternatives, " or "))
		}
	}
	return strings.Join(parts, "; ")
}

// phrase puts one condition into words.
func phrase(condition string) string {
	name, value, compared := strings.Cut(condition, "=")
	name, negated := strings.CutSuffix(strings.TrimSpace(name), "!")
	value = strings.ReplaceAll(strings.TrimSpace(value), ",", " or ")
	with := "with "
	if negated {
		with = "not with "
	}
	switch {
	case name == "data":
		return "for " + value + " data"
	case compared && value == "":
		return "not with " + words.Option(name)
	case !compared || value == "true":
		return with + words.Option(name)
	}
	return with + words.Option(name) + " " + value
}

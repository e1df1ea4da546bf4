package request

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
)

// CheckFormats refuses the first option given that none of the formats takes.
func (r *Request) CheckFormats(formats ...string) error {
	for _, f := range named(option.Named(&r.Options, r.given)) {
		if !r.Was(f.Name) || slices.ContainsFunc(formats, func(format string) bool { return TakesFormat(f, format) }) {
			continue
		}
		if f.Name == "view-columns" && r.Vectors.Columns != nil { // which are not the file's
			continue
		}
		if slices.Contains(formats, "") {
			return invalid.Errorf("%s has no effect on a matrix in memory, only on files of the formats %s: leave it out", words.Option(f.Name), strings.Join(f.Formats, ", "))
		}
		way := "leave it out"
		if f.Name == "label-column" && slices.Contains(formats, "folder") {
			way += ", or say by " + words.Option("class-folder") + " which folder is the class, or none"
		}
		return invalid.Errorf("%s has no effect on the format %s, only on %s: %s", words.Option(f.Name),
			strings.Join(slices.Compact(formats), " and "), strings.Join(f.Formats, ", "), way)
	}
	return nil
}

// afterGraph are the groups of options without effect if the graph is given.
var afterGraph = []string{"graph", "kernel"}

// Relevant says whether an option can have an effect; because is the reason if it cannot.
func (r *Request) Relevant(fields []*option.Field, f *option.Field, data option.Data) (ok bool, because string) {
	if r.Source.Precomputed && slices.Contains(afterGraph, f.Group) {
		return false, "precomputed!=true"
	}
	if r.Graph != "" && f.Name != "graph" && slices.Contains(afterGraph, f.Group) {
		return false, "graph="
	}
	if f.Name == "k-by" && r.ClusterRange.IsZero() { // a method that finds how many clusters there are
		return false, f.When
	}
	if f.Name == "weighting" && len(r.Vectors.Views) > 0 && !slices.Contains(r.Vectors.Views, "words") {
		return false, "views=words"
	}
	return option.Relevant(fields, f, data)
}

// reason is Relevant, but for an option that lacks another one, which was given and has no effect
// itself: because is then why that one has none.
func (r *Request) reason(fields []*option.Field, f *option.Field, data option.Data) (ok bool, because string) {
	if ok, because = r.Relevant(fields, f, data); ok {
		return true, ""
	}
	name, _, _ := strings.Cut(because, "=")
	of := option.Find(fields, strings.Trim(name, " !"))
	if of == nil || of.Name == f.Name || !r.Was(of.Name) {
		return false, because
	}
	if ok, deeper := r.reason(fields, of, data); !ok {
		return false, deeper
	}
	return false, because
}

// CheckRelevant refuses options given that have no effect beside the others.
func (r *Request) CheckRelevant(fields []*option.Field, data option.Data) error {
	for _, name := range r.given {
		f := option.Find(fields, name)
		if f == nil {
			continue
		}
		if ok, because := r.reason(fields, f, data); !ok {
			return invalid.Errorf("%s has no effect %s: leave it out", words.Option(name), contrary(fields, f, because, data))
		}
	}
	return nil
}

// contrary puts a condition of the option of that does not hold into words: "without ‹edge-weight›
// heat".
func contrary(fields []*option.Field, of *option.Field, condition string, data option.Data) string {
	if alternatives := present(fields, strings.Split(condition, "|")); len(alternatives) > 1 {
		var text, own string
		for _, c := range alternatives {
			if value, itself := strings.CutPrefix(strings.TrimSpace(c), of.Name+"="); itself {
				own = " unless it is " + value
				continue
			}
			if text != "" {
				text += " and "
			}
			text += contrary(fields, of, strings.TrimSpace(c), option.Unknown)
		}
		return text + own
	} else if len(alternatives) == 1 {
		condition = alternatives[0]
	}
	name, value, compared := strings.Cut(condition, "=")
	name, negated := strings.CutSuffix(strings.TrimSpace(name), "!")
	value = strings.ReplaceAll(strings.TrimSpace(value), ",", " or ")
	switch {
	case name == "precomputed":
		return "beside ‹precomputed›, because the graph is already there"
	case name == "graph":
		return "beside ‹graph›, because the graph is already there"
	case name == "data":
		return "on data that are not " + value
	case !compared, value == "true" && !negated, value == "false" && negated:
		return "without " + words.Option(name)
	case value == "", value == "true", value == "false":
		return "beside " + words.Option(name)
	case negated:
		return "beside " + words.Option(name) + " " + value
	}
	text := "without " + words.Option(name) + " " + value
	if f := option.Find(fields, name); f != nil && data != option.Unknown {
		if has, known := f.Current(data); known && has != "" {
			text += " (it is " + has + ")"
		}
	}
	return text
}

// present leaves out the alternatives that rest on options which the run does not have.
func present(fields []*option.Field, alternatives []string) []string {
	return slices.DeleteFunc(alternatives, func(c string) bool {
		name, _, _ := strings.Cut(c, "=")
		name = strings.TrimSuffix(strings.TrimSpace(name), "!")
		return name != "data" && name != "precomputed" && name != "graph" && option.Find(fields, name) == nil
	})
}

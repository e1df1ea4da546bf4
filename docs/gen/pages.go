package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

type spec = method.Spec

const head = "<!-- Written by make docs: do not edit.%s -->\n"

// methodPage describes one method.
func methodPage(s spec, notes []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, " Notes are in docs/methods/notes/"+s.Name+".md.")
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n%s\n\n", s.Name, upper(plain(s.Summary)), plain(s.About))
	rows := [][]string{{"", ""}, {"reference", s.Reference}, {"cost", s.Cost}, {"labels", labels(s)}, {"input", input(s)}, {"result", result(s)},
		{"confidence of a cluster", s.Confidence()}, {"new documents", "placed by the model"}}
	if s.Placer == nil {
		rows[len(rows)-1][1] = "not placed: " + s.Closed
	}
	if text := s.PaperText(); text != "" {
		rows = append(rows, []string{"`--paper`", text})
	}
	b.WriteString(table(rows))
	fmt.Fprintf(&b, "\n![%s on package descriptions](../images/methods/%s.png)\n\n", s.Name, s.Name)
	b.WriteString(wrapped("Both maps show 962 package descriptions of six sections, every third of them: left the sections, " +
		"which the method does not see but for known labels, right what it finds with its defaults (`go run ./tools/gallery out/gallery`, seed 0). " +
		"[Which method](../which-method.md) says what to use, and [the study](../studies/default.md) compares the methods on fifteen corpora."))
	if len(notes) > 0 {
		fmt.Fprintf(&b, "\n## Notes\n\n%s\n", bytes.TrimSpace(notes))
	}
	commands := "`eigenmap cluster`"
	if s.Yields.Coordinates {
		commands += " and `eigenmap embed`"
	}
	text := "Flags of " + commands + ", and keys of a configuration file without the dashes. " +
		"Beside them the [options of every run](../options.md) apply"
	if without := withoutUse(s); without != nil {
		text += ", except " + flags(without)
	}
	b.WriteString("\n## Options\n\n" + wrapped(text+"."))
	context := slices.Concat(option.Of(s.New()), runOptions())
	b.WriteString(optionTables(option.Of(s.New()), context, "###"))
	return b.Bytes()
}

// withoutUse are the options of every run that the method has no use for, and does not have itself.
func withoutUse(s spec) []string {
	var names []string
	for _, f := range runOptions() {
		if !eigenmap.Takes(s, f.Name) && option.Find(option.Of(s.New()), f.Name) == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func labels(s spec) string {
	links := s.Needs.Links != method.None
	switch s.Needs.Labels {
	case method.Required:
		if links {
			return "needed for a part of the documents, or must-links and cannot-links"
		}
		return "needed for a part of the documents"
	case method.Optional:
		return "used if they are given"
	}
	return "not used"
}

func input(s spec) string {
	text := "weighted documents"
	if s.Needs.Counts {
		text = "term counts, not weighted unless asked for"
	}
	if s.Needs.Affinity {
		text += "; or an affinity matrix (`--precomputed`)"
	}
	return text
}

func result(s spec) string {
	var parts []string
	if s.Yields.Coordinates {
		parts = append(parts, "an embedding")
	}
	switch {
	case s.ThenKMeans():
		parts = append(parts, "clusters by k-means on the embedding")
	case s.Yields.Naming == method.ClassesOnly:
		parts = append(parts, "one cluster for each class of the known labels")
	case s.Yields.Naming == method.ClassesFirst:
		parts = append(parts, "clusters, the first of which are the classes of the known labels")
	case s.Yields.Number:
		parts = append(parts, "clusters, as many as it finds unless their number is given")
	default:
		parts = append(parts, "clusters")
	}
	if s.Yields.Probabilities {
		parts = append(parts, "the probability of each cluster for each document")
	}
	return strings.Join(parts, "; ")
}

// listPage lists the methods.
func listPage(methods []spec) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, "")
	b.WriteString("# Methods\n\n`eigenmap methods` prints this list, `eigenmap methods NAME` one method in full.\n\n")
	rows := [][]string{{"method", "what it is", "labels", "embedding", "probabilities", "affinity matrix", "new documents"}}
	for _, s := range methods {
		rows = append(rows, []string{fmt.Sprintf("[%s](%s.md)", s.Name, s.Name), s.Summary, shortLabels(s), yes(s.Yields.Coordinates),
			yes(s.Yields.Probabilities), yes(s.Needs.Affinity), yes(s.Placer != nil)})
	}
	b.WriteString(table(rows))
	return b.Bytes()
}

// shortTable is the table of methods in README.md.
func shortTable(methods []spec) string {
	rows := [][]string{{"method", "what it is", "labels", "new documents"}}
	for _, s := range methods {
		rows = append(rows, []string{fmt.Sprintf("[%s](docs/methods/%s.md)", s.Name, s.Name), s.Summary, shortLabels(s), yes(s.Placer != nil)})
	}
	return table(rows)
}

func shortLabels(s spec) string {
	switch s.Needs.Labels {
	case method.Required:
		if s.Needs.Links == method.Required {
			return "needed, or links"
		}
		return "needed"
	case method.Optional:
		return "if given"
	}
	return ""
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// optionsPage lists the options of every run.
func optionsPage(methods []spec) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, "")
	b.WriteString("# Options of every run\n\n" + wrapped("Flags of `eigenmap cluster` and `eigenmap embed`, and keys of a configuration file "+
		"without the dashes. Other commands take those that mean something to them; `eigenmap COMMAND --help` lists these. "+
		"[cli.md](cli.md) explains them, and a [page per method](methods/README.md) lists the options of its own. "+
		"An option that can have no effect is refused."))
	fields := runOptions()
	b.WriteString(optionTables(fields, fields, "##"))
	b.WriteString("\n## Methods that take them\n\nAll methods take the options above, except these:\n\n")
	rows := [][]string{{"options", "methods"}}
	for _, group := range shared(fields, methods) {
		rows = append(rows, []string{flags(group.options), strings.Join(group.methods, ", ")})
	}
	b.WriteString(table(rows))
	return b.Bytes()
}

// taken are options that the same methods take.
type taken struct{ options, methods []string }

// shared groups the options that not all methods take by the methods that do.
func shared(fields []*option.Field, methods []spec) []taken {
	var groups []taken
	for _, f := range fields {
		var names []string
		for _, s := range methods {
			if eigenmap.Takes(s, f.Name) {
				names = append(names, s.Name)
			}
		}
		i := slices.IndexFunc(groups, func(g taken) bool { return slices.Equal(g.methods, names) })
		switch {
		case len(names) == len(methods):
		case i < 0:
			groups = append(groups, taken{[]string{f.Name}, names})
		default:
			groups[i].options = append(groups[i].options, f.Name)
		}
	}
	return groups
}

// runOptions are the options of every run: Fields lists them before the methods' own.
func runOptions() []*option.Field {
	return eigenmap.Fields("")[:len(option.Of(new(eigenmap.Options)))]
}

// optionTables are the options, a table for each group. context are the options that conditions may
// name.
func optionTables(fields, context []*option.Field, heading string) string {
	var b strings.Builder
	var groups []string
	for _, f := range fields {
		if !slices.Contains(groups, f.Group) {
			groups = append(groups, f.Group)
		}
	}
	slices.SortStableFunc(groups, func(a, b string) int { return order(a) - order(b) })
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s %s\n\n", heading, upper(g))
		rows := [][]string{{"option", "value", "default", "has an effect", "meaning"}}
		for _, f := range fields {
			if f.Group == g {
				rows = append(rows, []string{flagText(f), f.Allowed(), f.Standard(), effect(context, f), f.Help})
			}
		}
		b.WriteString(table(rows))
	}
	return b.String()
}

// order puts the method's own options first and the eigensolver's last.
func order(group string) int {
	return map[string]int{"method": -1, "eigenproblem": 1}[group]
}

// effect says on which files and beside which options an option has an effect.
func effect(context []*option.Field, f *option.Field) string {
	text := f.Conditions(context)
	switch {
	case f.Formats == nil:
	case slices.Equal(f.Formats, textFormats()):
		text = join("on raw text", text)
	default:
		text = join("on "+strings.Join(f.Formats, ", "), text)
	}
	return text
}

// textFormats are the formats that the first option of raw text belongs to.
func textFormats() []string {
	return option.Find(runOptions(), "language").Formats
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}

func flagText(f *option.Field) string {
	if f.Short != "" {
		return "`-" + f.Short + "`, `--" + f.Name + "`"
	}
	return "`--" + f.Name + "`"
}

// flags lists options by their flags: "`--labels`, `--truth` and `--seed`".
func flags(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = "`--" + n + "`"
	}
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// table is a table of Markdown; the first row is its head.
func table(rows [][]string) string {
	var b strings.Builder
	for i, r := range rows {
		b.WriteString("|")
		for _, cell := range r {
			b.WriteString(" " + strings.ReplaceAll(plain(strings.Join(strings.Fields(cell), " ")), "|", `\|`) + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(r)) + "|\n")
		}
	}
	return b.String()
}

// plain writes options as flags, and formulas so that Markdown does not read their asterisks.
func plain(s string) string {
	s = words.Rename(strings.TrimSpace(s), func(name string) string { return "`--" + name + "`" })
	return strings.ReplaceAll(s, "*", `\*`)
}

// wrapped breaks a paragraph into lines of at most 118 characters.
func wrapped(s string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(s) {
		n := len([]rune(word))
		switch {
		case width == 0:
		case width+1+n > 118:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String() + "\n"
}

func upper(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// everyday are the flags that plain help of a command with methods shows.
var everyday = []string{"method", "clusters", "k-by", "dims", "labels", "labeled-fraction", "truth", "precomputed", "neighbors", "normalize-rows", "paper",
	"text-column", "language", "vectors", "levels", "seed", "out", "json", "quiet", "config", "help"}

// groups are the headings of help, in their order; others follow.
var groups = []string{"input", "text", "vectors", "labels", "method", "kernel", "graph", "eigenproblem", "k-means", "output", "program"}

// methodHelp replaces the help of a command with methods: the everyday flags, or with --method all
// flags that matter to it, in groups.
func (a *app) methodHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		name := text(cmd.Flags(), "method")
		spec, ok := find(name)
		if name != "" && ok {
			a.printMethodFlags(cmd, spec)
			return
		}
		if name != "" {
			a.printf("There is no method %q%s.\n\n", name, words.Nearest(name, registry.Names()))
		}
		a.printHelp(cmd, everyday)
		a.printf("\n%s\n", a.folded("eigenmap "+cmd.Name()+" --method NAME --help lists every flag of a method; eigenmap methods lists the methods."))
	})
}

// methodsHelp replaces the help of a command that takes several methods: the everyday flags and the
// command's own, or with --methods all flags that matter to one of them.
func (a *app) methodsHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		names := strings.FieldsFunc(text(cmd.Flags(), "methods"), func(r rune) bool { return r == ',' })
		shown := slices.Clone(everyday)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if v, ok := flag.Value.(*optionFlag); ok && v.own {
				shown = append(shown, flag.Name)
			}
		})
		known := 0
		for _, name := range names {
			spec, ok := find(name)
			if !ok {
				a.printf("There is no method %q%s.\n\n", name, words.Nearest(name, registry.Names()))
				continue
			}
			known++
			for _, f := range methodFields(cmd, spec) {
				shown = append(shown, f.Name)
			}
		}
		a.printHelp(cmd, shown)
		if known == 0 {
			a.printf("\n%s\n", a.folded("eigenmap "+cmd.Name()+" --methods A,B --help lists every flag of some methods; eigenmap methods lists the methods."))
		}
	})
}

// groupedHelp replaces the help of another command: all its flags, in groups.
func (a *app) groupedHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.printHelp(cmd, nil) })
}

// printHelp prints what a command does, how it is used, and its flags in groups: the named ones, or
// all without names.
func (a *app) printHelp(cmd *cobra.Command, only []string) {
	a.printf("%s\n\nUsage:\n  eigenmap %s [flags]\n\nExamples:\n%s\n", a.folded(cmd.Long), cmd.Use, cmd.Example)
	var fields []*option.Field
	show := func(flag *pflag.Flag) {
		v, ok := flag.Value.(*optionFlag)
		if !ok || flag.Hidden || only != nil && !slices.Contains(only, flag.Name) || option.Find(fields, flag.Name) != nil {
			return
		}
		f := *v.fields[0]
		if flag.Usage != helpText(&f) { // the command describes it in its own words
			f.Help, f.Default, f.Unset, f.Sparse, f.Dense = flag.Usage, "", "", "", ""
		}
		fields = append(fields, &f)
	}
	cmd.Flags().VisitAll(show)
	cmd.InheritedFlags().VisitAll(show)
	a.printGroups(fields)
}

func find(name string) (method.Spec, bool) {
	all := eigenmap.Methods()
	i := slices.IndexFunc(all, func(s method.Spec) bool { return s.Name == name })
	if i < 0 {
		return method.Spec{}, false
	}
	return all[i], true
}

// methodFields are the options that matter to a method on a command, with the command's own.
func methodFields(cmd *cobra.Command, spec method.Spec) []*option.Field {
	var list []*option.Field
	for _, f := range append(eigenmap.Fields(spec.Name), ownFields()...) {
		run := option.Find(list, f.Name) == nil && eigenmap.Takes(spec, f.Name)
		isOwn := option.Find(option.Of(spec.New()), f.Name) != nil
		if cmd.Flag(f.Name) != nil && (run || isOwn) && option.Find(list, f.Name) == nil {
			if isOwn {
				f = option.Find(option.Of(spec.New()), f.Name)
			}
			list = append(list, f)
		}
	}
	return list
}

func ownFields() []*option.Field {
	return slices.Concat(option.Of(new(outOption)), option.Of(new(tableOption)), option.Of(new(embeddingFormat)), option.Of(new(ownOptions)))
}

// printMethodFlags prints the flags of a method in groups.
func (a *app) printMethodFlags(cmd *cobra.Command, spec method.Spec) {
	a.printf("%s\n\nUsage:\n  eigenmap %s\n", a.folded(spec.Name+": "+spec.Summary), strings.NewReplacer("[--method M]", "--method "+spec.Name, "--method M", "--method "+spec.Name).Replace(cmd.Use))
	a.printGroups(methodFields(cmd, spec))
	a.printf("\neigenmap methods %s explains the method.\n", spec.Name)
}

// printGroups prints options under the headings of their groups.
func (a *app) printGroups(fields []*option.Field) {
	order := slices.Clone(groups)
	for _, f := range fields {
		if !slices.Contains(order, f.Group) {
			order = append(order, f.Group)
		}
	}
	for _, group := range order {
		var rows [][]string
		for _, f := range fields {
			if f.Group == group {
				rows = append(rows, []string{"  " + flagText(f), helpText(f) + condition(f, fields)})
			}
		}
		if rows != nil {
			a.printf("\n%s\n", strings.ToUpper(group[:1])+group[1:])
			a.wrapped(rows)
		}
	}
}

// condition says which other flags an option needs.
func condition(f *option.Field, fields []*option.Field) string {
	text := f.Conditions(fields)
	if text == "" || f.Group == "input" || f.Group == "text" { // plain from their help
		return ""
	}
	return "; " + words.Rename(text, func(name string) string { return "--" + name })
}

// flagText is "-k, --clusters int".
func flagText(f *option.Field) string {
	name := "    --" + f.Name
	if f.Short != "" {
		name = "-" + f.Short + ", --" + f.Name
	}
	if f.Kind == option.Switch {
		return name
	}
	return name + " " + kindText(f)
}

// The least and the greatest width of help and lists.
const leastWidth, mostWidth = 60, 100

// outputWidth returns how wide help and lists are, between 60 and 100 characters: as the variable
// COLUMNS says, else as wide as the terminal that they go to, else 100.
func outputWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return mostWidth
	}
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || width <= 0 {
		if width, _, err = term.GetSize(int(f.Fd())); err != nil || width <= 0 {
			return mostWidth
		}
	}
	return min(max(width, leastWidth), mostWidth)
}

// folded returns a text whose lines are at most as wide as the output. Paragraphs are divided by
// empty lines; of one that is a list, each line is folded for itself, under its second column.
func (a *app) folded(text string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if !strings.Contains(p, "\n ") {
			paragraphs = append(paragraphs, strings.Join(wrap(p, a.width), "\n"))
			continue
		}
		var lines []string
		for line := range strings.SplitSeq(p, "\n") {
			head := listHead().FindString(line)
			indent := strings.Repeat(" ", len(head))
			for i, part := range wrap(line[len(head):], a.width-len(head)) {
				lines = append(lines, map[bool]string{true: head, false: indent}[i == 0]+part)
			}
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	return strings.Join(paragraphs, "\n\n")
}

// narrow folds what cobra prints of a command where the output is narrower than the texts are: its
// explanation, and its line in the list of commands, whose names take 14 characters there.
func (a *app) narrow(cmd *cobra.Command) {
	if a.width == mostWidth {
		return
	}
	cmd.Long = a.folded(cmd.Long)
	cmd.Short = strings.Join(wrap(cmd.Short, a.width-14), "\n"+strings.Repeat(" ", 14))
}

// listHead is the first column of a line of a list.
var listHead = pattern.Lazy(`^ +\S+ {2,}`)

// wrapped prints two columns, the second wrapped so that both are as wide as the output.
func (a *app) wrapped(rows [][]string) {
	most, widest, width := a.width, min(44, a.width*44/100), 0
	for _, r := range rows {
		if n := len([]rune(r[0])); n <= widest {
			width = max(width, n)
		}
	}
	for _, r := range rows {
		lines := wrap(r[1], most-width-2)
		head := fmt.Sprintf("%-*s  ", width, r[0])
		if len([]rune(r[0])) > width {
			a.printf("%s\n", r[0])
			head = strings.Repeat(" ", width+2)
		}
		for i, line := range lines {
			if i > 0 {
				head = strings.Repeat(" ", width+2)
			}
			a.printf("%s%s\n", head, line)
		}
	}
}

// wrap breaks a text between words into lines of at most a number of characters.
func wrap(s string, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

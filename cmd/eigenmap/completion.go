package main

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completed registers the completion of flags' values, if args are a shell's question: the names
// that a flag takes, files where it takes a path, and nothing else. Cobra never forgets a flag that
// was registered, so other calls register none.
func completed(root *cobra.Command, args []string) {
	if !asksCompletion(args) {
		return
	}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			v, ok := flag.Value.(*optionFlag)
			if !ok {
				return
			}
			values, rest := v.values(flag.Name), cobra.ShellCompDirectiveNoFileComp
			if v.fields[0].Path {
				rest = cobra.ShellCompDirectiveDefault
			}
			list := v.fields[0].Kind == option.List
			// It fails only for a flag that is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
				if list {
					return after(begun, values), rest
				}
				return values, rest
			})
		})
	}
}

// after returns values that go on from a list whose last item is begun: "le,s" goes on as "le,sle".
// Values that the list has already are left out.
func after(begun string, values []string) []string {
	done := begun[:strings.LastIndex(begun, ",")+1]
	had := strings.Split(done, ",")
	var list []string
	for _, v := range values {
		if !slices.Contains(had, v) {
			list = append(list, done+v)
		}
	}
	return list
}

// one completes the only argument of a command by some names.
func one(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(), cobra.ShellCompDirectiveNoFileComp
	}
}

// asksCompletion reports whether the arguments are a shell's question for what can follow.
func asksCompletion(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// values are the names that a flag takes, of all options that it stands for.
func (v *optionFlag) values(name string) []string {
	if name == "method" || name == "methods" {
		return registry.Names()
	}
	var list []string
	for _, f := range v.fields {
		for _, c := range f.Choices {
			if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	return list
}

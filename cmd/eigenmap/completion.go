package main

import (
	"slices"

	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completed makes the shell complete the values of flags, if args ask for that: names where a flag
// has some, files where it takes a path, and nothing else. Cobra keeps what it is told for as long
// as the process lives, so nothing is told otherwise.
func completed(root *cobra.Command, args []string) {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
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
			// It fails for a flag that has one already, which no flag of these has.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return values, rest })
		})
	}
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

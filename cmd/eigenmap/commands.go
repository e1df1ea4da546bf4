package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagged gives a command its flags, if the arguments may name it: the flags of all commands take a
// noticeable part of the start.
func (a *app) flagged(cmd *cobra.Command, define func()) *cobra.Command {
	if a.args == nil || slices.Contains(a.args, cmd.Name()) {
		define()
	}
	return cmd
}

// unknownCommand says that root has no such command, and which one may be meant, also where it is
// the name of a method or of a file.
func unknownCommand(root *cobra.Command, name string) error {
	for _, m := range eigenmap.Methods() {
		if m.Name == name {
			return requestf("there is no command %q, but a method: eigenmap cluster FILE --method %s", name, name)
		}
	}
	if _, err := os.Stat(name); err == nil {
		return requestf("%q is a file or folder and no command: eigenmap info %s describes it, eigenmap cluster %s -k auto finds its clusters", name, eigenmap.ShellWord(name), eigenmap.ShellWord(name))
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return requestf("there is no command %q%s: eigenmap --help lists them", name, words.Nearest(name, names))
}

// flagError says which flag of a command is wrong. Flags after an unknown command belong to that
// command, which the error then names.
func flagError(cmd *cobra.Command, err error) error {
	if before := cmd.Flags().Args(); !cmd.HasParent() && len(before) > 0 {
		return unknownCommand(cmd, before[0])
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return requestf("%v", err)
	}
	near, name := "", unknown.GetSpecifiedName()
	switch {
	case unknown.GetSpecifiedShortnames() != "":
	case len(name) == 1 && cmd.Flags().ShorthandLookup(name) != nil:
		near = " (did you mean -" + name + "?)"
	default:
		near = words.NearestFlag(name, flagNames(cmd.Flags()))
		if cluster := pflag.NewFlagSet("cluster", pflag.ContinueOnError); cmd.Name() == "plan" {
			if defineCluster(cluster); cluster.Lookup(name) != nil {
				near = " (eigenmap cluster FILE --dry-run takes it)"
			}
		}
	}
	return requestf("%v%s: %s --help lists the flags", err, near, cmd.CommandPath())
}

// command builds the tree of commands on a's options.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "eigenmap",
		Short: "Cluster and embed document corpora by eigenvectors of graph Laplacians",
		Long: a.folded(`Eigenmap reads a document corpus, joins each document to its nearest neighbours, and finds clusters
and an embedding from the smallest eigenvectors of the graph's Laplacian.

Every flag can be set in a YAML file given with --config; flags win over the file. Results go to
standard output and --out, progress to standard error.

Exit status: 0 done, 1 failed while working, 2 the request was wrong, 130 interrupted.`),
		Example: `  eigenmap cluster corpus.jsonl.gz -k 12 --out results
  eigenmap info corpus.mat`,
		Version:      eigenmap.Versions().Version,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", a.width)))
	root.SetVersionTemplate("eigenmap {{.Version}}\n")
	defineOwn(root.PersistentFlags(), &a.own)
	for _, c := range []*cobra.Command{
		a.infoCommand(), a.clusterCommand(), a.planCommand(), a.embedCommand(), a.graphCommand(),
		a.predictCommand(), a.updateCommand(), a.explainCommand(), a.suggestCommand(), a.exploreCommand(), a.compareCommand(), a.methodsCommand(), a.evalCommand(), a.convertCommand(), a.joinCommand(), a.reproduceCommand(), a.versionCommand(),
	} {
		c.Flags().SortFlags = false
		if c.Flags().Lookup("method") == nil && c.Flags().Lookup("methods") == nil {
			a.groupedHelp(c)
		}
		a.narrow(c)
		root.AddCommand(c)
	}
	root.SetOut(a.stdout) // where the next command writes from now on
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			a.narrow(c)
		}
	}
	return root
}

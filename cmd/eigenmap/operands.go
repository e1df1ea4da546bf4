package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkOperands refuses operands of a command that are too few, too many or empty, and an --out
// that means standard output elsewhere.
func checkOperands(cmd *cobra.Command, args, names []string) error {
	if len(args) < len(names) {
		return requestf("%s needs %s: eigenmap %s", cmd.Name(), strings.Join(names, " and "), cmd.Use)
	}
	if len(args) > len(names) {
		more := ""
		if last := len(names) - 1; last >= 0 && names[last] == "FILE" && isThere(args[last]) && isThere(args[last+1]) {
			more = "; several files are one corpus in a folder or in an archive, whose name is FILE"
		}
		return requestf("%q is one argument too many: eigenmap %s%s", args[len(names)], cmd.Use, more)
	}
	if i := slices.Index(args, ""); i >= 0 {
		return requestf("%s is empty: eigenmap %s", names[i], cmd.Use)
	}
	if text(cmd.Flags(), "out") == "-" {
		return requestf("--out -: results are files, which do not go to standard output: name a folder or a file (./- is one of that name), or give --json for one object on standard output")
	}
	return nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// noteRepeated says which flags were given more than once, with different values: the last counts.
func (a *app) noteRepeated(set *pflag.FlagSet) {
	set.Visit(func(f *pflag.Flag) {
		if v, ok := f.Value.(*optionFlag); ok && v.before != "" && !a.ui.quiet {
			fmt.Fprintf(a.stderr, "eigenmap: note: %s is given more than once: %s counts, and %s has no effect\n", flagName(f.Name), v, v.before)
		}
	})
}

// ofResults adds to a wrong request that its FILE is a folder of results, or that MODEL and FILE
// stand the other way round, if that is so.
func ofResults(args, names []string, err error) error {
	if err != nil && slices.Equal(names, []string{"MODEL", "FILE"}) && exitStatus(err) == exitRequest && eigenmap.IsModel(args[1]) && !eigenmap.IsModel(args[0]) {
		return fmt.Errorf("%w (the model stands first: %s %s)", err, eigenmap.ShellWord(args[1]), eigenmap.ShellWord(args[0]))
	}
	i := slices.Index(names, "FILE")
	if err == nil || i < 0 || i >= len(args) || exitStatus(err) != exitRequest || !folder.Is(args[i]) {
		return err
	}
	for _, name := range []string{"clusters.csv", folder.ManifestName} {
		if !isThere(filepath.Join(args[i], name)) {
			return err
		}
	}
	return fmt.Errorf("%w (%s has the results of a run: FILE is the corpus, and eigenmap explore, info, explain and predict take the results)", err, args[i])
}

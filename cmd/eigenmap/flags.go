package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/pflag"
)

// optionFlag is a flag made from an option, or from the options of one name of several methods. It
// keeps the text; the run judges it by the options of its method.
type optionFlag struct {
	fields []*option.Field
	texts  []string
	before string // another value that was given before; "" for none
	own    bool   // an option of the command, none of the run
}

// Set implements pflag.Value: a value that no field accepts is refused at once.
func (v *optionFlag) Set(s string) error {
	var err error
	for _, f := range v.fields {
		if err = f.Check(s); err == nil {
			if f.Kind != option.List && v.texts != nil {
				if v.texts[0] != s {
					v.before = v.texts[0]
				}
				v.texts = nil
			}
			v.texts = append(v.texts, s)
			return nil
		}
	}
	return err
}

// String implements pflag.Value.
func (v *optionFlag) String() string { return strings.Join(v.texts, ",") }

// Type implements pflag.Value: what help shows for the value.
func (v *optionFlag) Type() string { return kindText(v.fields[0]) }

func (v *optionFlag) isList() bool { return v.fields[0].Kind == option.List }

// kindText is what help shows for an option's value.
func kindText(f *option.Field) string {
	switch {
	case f.Searched():
		return "int|auto|from-to"
	case f.OrAuto():
		return "float|auto"
	}
	switch f.Kind {
	case option.Int, option.Seed:
		return "int"
	case option.Number:
		return "float"
	case option.Switch:
		return "bool"
	case option.List:
		return "a,b,..."
	case option.Count:
		return "N|share"
	}
	switch {
	case f.Path:
		return "path"
	case f.Choices == nil:
		return "string"
	case len(f.Choices) > 4:
		return "name"
	}
	return strings.Join(f.Choices, "|")
}

// everyOption lists the options of all methods and of every run. The commands share the list, and
// none changes it.
var everyOption = sync.OnceValue(func() []*option.Field { return eigenmap.Fields("") })

// ofNames returns the options of the given names.
func ofNames(fields []*option.Field, names ...string) []*option.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *option.Field) bool { return !slices.Contains(names, f.Name) })
}

// define makes flags of options, one per name. Options that are left out are not flags of the
// command.
func define(set *pflag.FlagSet, fields []*option.Field, leaveOut ...string) {
	for _, f := range fields {
		if slices.Contains(leaveOut, f.Name) {
			continue
		}
		if known := set.Lookup(f.Name); known != nil {
			if v, ok := known.Value.(*optionFlag); ok {
				v.fields = append(v.fields, f)
			}
			continue
		}
		flag := set.VarPF(&optionFlag{fields: []*option.Field{f}}, f.Name, f.Short, helpText(f))
		if f.Kind == option.Switch {
			flag.NoOptDefVal = "true"
		}
	}
	for _, f := range fields {
		defineFormer(set, f)
	}
}

// defineFormer makes the name that an option had in the version before a flag too: one that help
// does not show, or a further meaning of the flag that has the name now.
func defineFormer(set *pflag.FlagSet, f *option.Field) {
	if f.Was == "" {
		return
	}
	known := set.Lookup(f.Was)
	if known == nil {
		set.VarPF(&optionFlag{fields: []*option.Field{f}}, f.Was, "", "").Hidden = true
	} else if v, ok := known.Value.(*optionFlag); ok {
		v.fields = append(v.fields, f)
	}
}

// defineOwn makes flags of the command's own options, the fields of structs that are pointed to.
func defineOwn(set *pflag.FlagSet, structs ...any) {
	for _, p := range structs {
		define(set, option.Of(p))
		for _, f := range option.Of(p) {
			set.Lookup(f.Name).Value.(*optionFlag).own = true
		}
	}
}

// helpText is an option's line of help with its default.
func helpText(f *option.Field) string {
	standard := f.Default
	switch {
	case f.Unset != "":
		standard = f.Unset
	case f.Kind == option.Switch && standard == "false":
		standard = ""
	}
	help := f.Help
	if standard != "" {
		help += " (default: " + standard + ")"
	}
	return words.Rename(help, flagName)
}

// apply sets the options that flags were given for.
func apply(set *pflag.FlagSet, opt *eigenmap.Options) error {
	var err error
	set.Visit(func(flag *pflag.Flag) {
		v, ok := flag.Value.(*optionFlag)
		if !ok || v.own || err != nil {
			return
		}
		for _, text := range v.texts {
			if err == nil {
				err = opt.Set(flag.Name, text)
			}
		}
	})
	return err
}

// flagName writes an option as a flag.
func flagName(name string) string {
	switch name {
	case "clusters":
		return "-k"
	case "dims":
		return "-d"
	}
	return "--" + name
}

// flagNames are the long names of all flags.
func flagNames(set *pflag.FlagSet) []string {
	var names []string
	set.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// text is the value of a flag of the command, "" if it was not given.
func text(set *pflag.FlagSet, name string) string {
	if f := set.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// inputFlags are the values of the flags that name files to read.
func inputFlags(set *pflag.FlagSet) []string {
	var files []string
	set.Visit(func(f *pflag.Flag) {
		if v, ok := f.Value.(*optionFlag); ok && v.fields[0].Path && f.Name != "out" && f.Name != "work" {
			files = append(files, v.String())
		}
	})
	return files
}

// ownOptions are the program's own options, which are none of a run.
type ownOptions struct {
	Threads   int    `flag:"threads" range:">=1" unset:"OMP_NUM_THREADS, SLURM_CPUS_PER_TASK or all, within the cores and the CPU quota" help:"threads to use; results do not depend on it" group:"program"`
	MaxMemory string `flag:"max-memory" unset:"what the machine, the container and ulimit -v leave" help:"most memory of the program, such as 500MB or 8GiB; work that would need more is refused" group:"program"`
	Backend   string `flag:"backend" choices:"openblas|go" unset:"openblas if it was built in" help:"dense linear algebra" group:"program"`
	Config    string `flag:"config" path:"true" help:"YAML file of settings, named like the flags" group:"program"`
	JSON      bool   `flag:"json" default:"false" help:"print one JSON object in place of tables" group:"output"`
	Quiet     bool   `flag:"quiet" short:"q" default:"false" help:"no progress on standard error, only warnings, and of a run on standard output only its results if --out writes none" group:"output"`
}

type outOption struct {
	Out string `flag:"out" short:"o" path:"true" help:"folder for the results, made if it is missing" group:"output"`
}

// workOption is the folder of finished stages.
type workOption struct {
	Work  string `flag:"work" path:"true" help:"folder for finished stages: the same command goes on where a kill left it" group:"program"`
	Ranks int    `flag:"ranks" range:">=1" unset:"as many as mpirun starts, or as the pieces in --work have" help:"divide the documents as this many ranks do; fewer processes, or one, share the parts to the same results" group:"program"`
}

// shardsOption has each rank write its own part of the results.
type shardsOption struct {
	Shards *bool `flag:"shards" unset:"true where ranks divide the documents and rank 0 has no memory for the rows of all" help:"each rank writes the part of its own documents, and with --map rank 0 draws the map; commands read the parts as one file, eigenmap join makes one" group:"output"`
}

// planShardsOption plans a run with shardsOption.
type planShardsOption struct {
	Shards bool `flag:"shards" default:"false" help:"each rank of the planned run writes the part of its own documents" group:"output"`
}

// dryOption plans a run in place of making it.
type dryOption struct {
	Dry bool `flag:"dry-run" default:"false" help:"read FILE, print the options as they would be used, memory and time, and write nothing" group:"program"`
}

// rankOptions say how many processes share a run that is planned.
type rankOptions struct {
	Ranks int `flag:"ranks" range:">=1" unset:"as many as mpirun starts, or one process without it" help:"plan one rank of a run that this many share under mpirun" group:"program"`
}

// blockOptions divide a graph into the jobs of an array.
type blockOptions struct {
	Block string `flag:"block" help:"i/N: find only this part of the neighbours, of N, and keep it in --work" group:"program"`
	Merge bool   `flag:"merge" default:"false" help:"make the graph of all blocks in --work; give FILE and options as for the blocks" group:"program"`
}

type tableOption struct {
	Raw bool `flag:"raw-texts" default:"false" help:"write texts into CSV files as they are: without it those that a spreadsheet would run as formulas get an apostrophe in front" group:"output"`
}

// formerTables is the flag of the version before, whose default was the other one. Help does not
// show it.
type formerTables struct {
	Safe bool `flag:"spreadsheet-safe" default:"false" help:"now the default" group:"output"`
}

// defineTables makes the flags of the tables that a command writes.
func defineTables(set *pflag.FlagSet) {
	defineOwn(set, new(tableOption), new(formerTables))
	set.Lookup("spreadsheet-safe").Hidden = true
}

// rawTexts reports whether texts in tables are to be written as they are.
func (a *app) rawTexts(set *pflag.FlagSet) (bool, error) {
	var tables tableOption
	var former formerTables
	if err := errors.Join(own(set, &tables), own(set, &former)); err != nil {
		return false, err
	}
	if set.Lookup("spreadsheet-safe").Changed {
		fmt.Fprintln(a.stderr, "eigenmap: note: texts in CSV files are safe for spreadsheets by default now, and --raw-texts writes them as they are; the next version does not take --spreadsheet-safe")
		return tables.Raw || !former.Safe, nil
	}
	return tables.Raw, nil
}

type embeddingFormat struct {
	Format string `flag:"format" choices:"npy|csv" default:"npy" help:"format of the embedding in --out" group:"output"`
}

type graphFormat struct {
	Format string `flag:"format" choices:"npz|mtx|graphml" default:"npz" help:"format of the graph in --out: a matrix, or a graph for Gephi, igraph and networkx" group:"output"`
	Result string `flag:"result" path:"true" help:"folder of results of the same corpus, whose clusters and places the nodes have with --format graphml" group:"output"`
}

// own sets the options of a struct of the command from flags, and returns the first wrong value.
func own(set *pflag.FlagSet, p any) error {
	for _, f := range option.Of(p) {
		flag := set.Lookup(f.Name)
		if flag == nil || !flag.Changed {
			continue
		}
		if err := f.Set(flag.Value.String()); err != nil {
			return requestf("--%s %q: %v", f.Name, flag.Value.String(), err)
		}
	}
	return nil
}

// without returns the fields that are in none of the groups.
func without(fields []*option.Field, groups ...string) []*option.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *option.Field) bool { return slices.Contains(groups, f.Group) })
}

// ofGroups are the options of the groups.
func ofGroups(fields []*option.Field, groups ...string) []*option.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *option.Field) bool { return !slices.Contains(groups, f.Group) })
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/explore"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exploreOptions are the flags of explore.
type exploreOptions struct {
	Corpus string `flag:"corpus" path:"true" unset:"the file that RESULT was made from, if it is there" help:"corpus whose whole texts the page shows, or none" group:"input"`
	Model  string `flag:"model" path:"true" unset:"model.npz in RESULT" help:"model that places texts which one types, or none" group:"input"`
	Labels string `flag:"labels" path:"true" default:"labels.csv" help:"file for the labels that are given in the page, or none; what it has already is kept" group:"output"`
	Port   int    `flag:"port" range:">=0" default:"0" help:"port of 127.0.0.1; 0: a free one" group:"program"`
}

// none switches off what a flag of explore names.
const none = "none"

func (a *app) exploreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explore RESULT [--corpus FILE]",
		Short: "The page of a result, with whole texts and labels",
		Long: `Explore serves report.html of a folder of results on this machine, and prints its address, which has a
secret: nobody else can open it. Served, the page shows whole texts, places a text that one types, suggests
documents to label, and takes names for clusters and labels for documents. These become a file, from which
eigenmap cluster --labels learns. Ctrl-C ends it.`,
		Example: `  eigenmap explore results
  eigenmap cluster corpus.jsonl.gz --labels labels.csv --out again`,
		RunE: a.work(a.explore, "RESULT"),
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(exploreOptions))
	})
}

func (a *app) explore(ctx context.Context, cmd *cobra.Command, args []string) error {
	chosen := exploreOptions{Labels: "labels.csv"}
	if err := own(cmd.Flags(), &chosen); err != nil {
		return err
	}
	dir, err := resultFolder(args[0])
	if err != nil {
		return err
	}
	opt := explore.Options{Labels: chosen.Labels}
	if opt.Labels == none {
		opt.Labels = ""
	}
	if err := a.findTexts(ctx, dir, chosen.Corpus, cmd.Flags().Lookup("corpus").Changed, &opt); err != nil {
		return err
	}
	if opt.Model, err = placingModel(ctx, dir, chosen.Model); err != nil {
		return err
	}
	server, err := explore.New(ctx, dir, opt)
	if errors.Is(err, fs.ErrNotExist) {
		return requestf("%s: it has no report.html: give a folder that eigenmap cluster --out wrote", dir)
	} else if err != nil {
		return err
	}
	url, err := server.Listen(chosen.Port)
	if err != nil {
		return requestf("--port %d: %v: choose another, or leave it out", chosen.Port, err)
	}
	a.ui.stop()
	if a.own.JSON {
		err = a.printJSON(map[string]string{"url": url})
	} else {
		a.printf("%s\n", url)
	}
	if err := errors.Join(err, a.stdout.Flush()); err != nil {
		return err
	}
	return server.Serve(ctx)
}

// resultFolder returns the folder of results that an argument names, by itself or by its model.
func resultFolder(arg string) (string, error) {
	dir := arg
	if !folder.Is(dir) && filepath.Base(dir) == eigenmap.ModelName && eigenmap.IsModel(dir) {
		dir = filepath.Dir(dir)
		if _, err := os.Stat(filepath.Join(dir, "clusters.csv")); errors.Is(err, fs.ErrNotExist) {
			return "", requestf("%s: a model alone has no page: explore needs the folder of results that it was written into, with clusters.csv and report.html; eigenmap predict, explain and info need the model alone", arg)
		}
	}
	if !folder.Is(dir) {
		return "", requestf("%s: it is no folder of results: give the one that eigenmap cluster --out wrote", dir)
	}
	return dir, nil
}

// findTexts reads the whole texts of a result from a corpus, by default the one from which the
// result was made, and finds the command that learns from new labels. Texts that cannot be read are
// an error only where the corpus was asked for.
func (a *app) findTexts(ctx context.Context, dir, corpus string, asked bool, opt *explore.Options) error {
	file, source, flags, err := madeFrom(dir)
	if err != nil {
		return err
	}
	source.Observer = a.ui.observe
	if corpus == "" && file != "" && file != "-" {
		if _, err := os.Stat(file); err == nil {
			corpus = file
		} else {
			a.note("%s, from which the result was made, is not here: --corpus names it; without it the page has the beginnings of the texts", file)
		}
	}
	if corpus == "" || corpus == none {
		return nil
	}
	if opt.Texts, err = eigenmap.ReadTexts(ctx, corpus, source); err != nil && asked {
		return err
	} else if err != nil {
		a.note("the page has no whole texts: %v", err)
	}
	if opt.Labels != "" {
		opt.Again = again(corpus, flags, *opt)
	}
	return nil
}

// again is the command that clusters the file again with the labels. It has the flags by which the
// file was read, because the labels name the documents as these do. Texts are clustered by the
// method that learns most from few labels (docs/explore.md), without second looks, which take
// minutes there. The classes are taken to be as large as their labels say: a user chooses which
// documents to label, so a few labels do not show how large a class is.
func again(file, flags string, opt explore.Options) string {
	command := "eigenmap cluster " + eigenmap.ShellWord(file) + flags + " --labels " + eigenmap.ShellWord(opt.Labels)
	if opt.Texts != nil {
		command += " --method semi-ldc --class-shares labels --confidence raw"
	}
	return command + " --out again"
}

// note prints a line on standard error.
func (a *app) note(format string, args ...any) { a.say("note", fmt.Sprintf(format, args...)) }

// say prints a line of the given kind on standard error.
func (a *app) say(kind, text string) {
	a.ui.stop()
	a.stderr.Write([]byte("eigenmap: " + kind + ": " + printable(text) + "\n"))
}

// placingModel reads the model that is named, or the one in the folder if there is one.
func placingModel(ctx context.Context, dir, named string) (*eigenmap.Model, error) {
	switch {
	case named == none || named == "" && !eigenmap.IsModel(dir):
		return nil, nil
	case named == "":
		named = dir
	}
	return eigenmap.LoadModel(ctx, named)
}

// madeFrom is the file that a result was made from, and how it was read, as options and as flags,
// by the result's config.yaml; "" if it has none. The options also have the confidence below which
// documents were left in no cluster, and those that are named beside.
func madeFrom(dir string, beside ...string) (file string, opt eigenmap.Options, flags string, err error) {
	path := filepath.Join(dir, "config.yaml")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", opt, "", nil
	}
	if err := folder.Check(context.Background(), path); err != nil {
		return "", opt, "", err
	}
	set := pflag.NewFlagSet("config", pflag.ContinueOnError)
	define(set, eigenmap.Fields(""))
	if file, err = readConfig(path, set); err != nil {
		return "", opt, "", err
	}
	list := option.Of(&opt.Source)
	set.VisitAll(func(f *pflag.Flag) {
		own := option.Find(list, f.Name)
		if v, ok := f.Value.(*optionFlag); ok && (own != nil || f.Name == "reject" || slices.Contains(beside, f.Name)) {
			if own != nil && f.Name != "ids-from" { // which the server adds
				flags += flagsOf(f.Name, v.texts, own.Standard())
			}
			if strings.Contains(f.Name, "classes") {
				return
			}
			for _, text := range v.texts {
				if err == nil {
					err = opt.Set(f.Name, text)
				}
			}
		}
	})
	return file, opt, flags, err
}

// flagsOf writes an option as a flag, unless it has its default.
func flagsOf(name string, texts []string, standard string) string {
	text := strings.Join(texts, ",")
	switch text {
	case "", "false", standard:
		return ""
	case "true":
		return " --" + name
	}
	return " --" + name + " " + eigenmap.ShellWord(text)
}

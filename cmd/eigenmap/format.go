package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/spf13/pflag"
)

var textFormats = corpus.TextFormats()

// takenBy lists, for the flags that belong to some formats only, which these are.
var takenBy = formatsOf()

func formatsOf() map[string][]string {
	m := map[string][]string{
		"var": {"mat", "npz"}, "label-var": {"mat", "npz"},
		"label-column": {"csv", "tsv"},
		"transpose":    {"mat", "mtx", "svm", "npy", "npz", "csv", "tsv", "idx"},
		"split":        {"folder", "reuters"}, "class-folder": {"folder"}, "label-header": {"mbox"},
		"encoding": {"folder", "mbox", "reuters"}, "strip": {"folder", "mbox"},
	}
	for _, name := range textFlags {
		m[name] = textFormats
	}
	for _, name := range sourceFlags {
		if strings.HasPrefix(name, "reuters-") {
			m[name] = []string{"reuters"}
		}
	}
	return m
}

// besidePrecomputed mean nothing where FILE is the graph already.
var besidePrecomputed = slices.Concat(weightFlags, textFlags, graphFlags, kernelFlags, []string{"classes", "random-classes", "transpose"})

func (j *job) isText() bool { return slices.Contains(textFormats, j.corpus.Format) }

// useless tells whether a flag has nothing to act on in this run, once the file was read.
func (j *job) useless(flag string) bool {
	o := j.opt
	switch {
	case o.precomputed && slices.Contains(besidePrecomputed, flag):
		return true
	case !formatTakes(j.corpus.Format, flag):
		return true
	case slices.Contains(heatFlags, flag) && o.edgeWeight != "heat":
		return true
	case flag == "heat-rule" && o.heatRule != localRule && o.heatWidth > 0: // the width that it found is recorded
		return true
	case flag == "landmark-pick" && j.usedLandmarks() >= j.corpus.Len():
		return true
	case slices.Contains(svdFlags, flag) && j.unreduced():
		return true
	case flag == "local-neighbor" && o.heatRule != localRule:
		return true
	case (flag == "poly-degree" || flag == "poly-offset") && !o.polynomial():
		return true
	}
	return o.uselessForText(flag) || o.uselessForKernel(flag) || o.uselessForFew(flag) || o.uselessForSPG(flag)
}

// unreduced tells whether a mixture is fitted to the documents themselves, so that no principal components are computed.
func (j *job) unreduced() bool {
	_, isSparse := j.x.(*sparse.CSR)
	return (j.opt.method == "gmm" || j.opt.method == nameLapGMM) && j.opt.pca == (numberOrShare{}) && !isSparse
}

// formatTakes tells whether a flag can act on a file of the format.
func formatTakes(format, flag string) bool {
	return takenBy[flag] == nil || slices.Contains(takenBy[flag], format)
}

// refuseForFormats refuses the first flag given that none of the formats takes; file names what has them.
func refuseForFormats(set *pflag.FlagSet, file string, formats ...string) error {
	var err error
	set.Visit(func(f *pflag.Flag) {
		taken := slices.ContainsFunc(formats, func(format string) bool { return formatTakes(format, f.Name) })
		if err == nil && asked(f) && !taken {
			err = requestf("%s: --%s means nothing for the format %s, only for %s: leave it out", file, f.Name,
				strings.Join(slices.Compact(formats), " and "), strings.Join(takenBy[f.Name], ", "))
		}
	})
	return err
}

// asked tells whether a flag was given and is not a switch that was given as off.
func asked(f *pflag.Flag) bool {
	return f.Changed && !(f.Value.Type() == "bool" && f.Value.String() == "false")
}

// aboutOwnLabels tells whether a reader's note is about labels beside the corpus file, which --truth replaces.
func aboutOwnLabels(note string) bool {
	return strings.HasPrefix(note, "The labels are from")
}

// singleText says first that a text corpus of one document cannot be worked on, where that is why
// no term was left of it. Such an error is about the file as a whole; other files are not read again.
func (j *job) singleText(ctx context.Context, err error) error {
	var at *corpus.FormatError
	text := isFolder(j.file) || hasExtension(j.file, ".jsonl", ".ndjson", ".mbox", ".sgm") || slices.Contains(textFormats, j.opt.inputFormat)
	if !text || !errors.As(err, &at) || at.Place != "" || ctx.Err() != nil {
		return err
	}
	opt := j.opt.readOptions(nil)
	opt.Text = corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1}
	if c, failed := corpus.Read(ctx, j.file, opt); failed == nil && c.Len() == 1 {
		return requestf("%s: one document cannot be clustered: give a corpus of at least two (--min-df 1 keeps the terms of this one)", j.file)
	}
	return err
}

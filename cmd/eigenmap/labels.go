package main

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
)

// labeling is one label a document. ids is nil where the file gives the order only.
type labeling struct {
	file   string
	format string // of a corpus; tables of labels are "csv"
	ids    []string
	labels []string // "" is unlabelled
}

// readLabeling reads one side of `eval`: a table id,label, one label a line, or a corpus that has
// labels. column is the one to prefer where the table has several ("" the corpus package's choice).
func (a *app) readLabeling(ctx context.Context, file, column string) (*labeling, error) {
	if isTable(file) {
		l, err := corpus.ReadLabeling(ctx, file, column)
		if err != nil && column != "" {
			l, err = corpus.ReadLabeling(ctx, file, "")
		}
		if err == nil {
			return &labeling{file, "csv", l.IDs, l.Labels}, nil
		}
		if errors.Is(err, fs.ErrNotExist) || !isCorpusTable(file) {
			return nil, err
		}
		// A table without a column of labels can still be a corpus whose labels --label-column names.
	}
	opt := a.opt.readOptions(a.ui.observe)
	opt.Text = corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1} // its words play no part
	c, err := corpus.Read(ctx, file, opt)
	if err != nil {
		return nil, err
	}
	if c.Labels == nil {
		return nil, requestf("%s: it has no labels to compare", file)
	}
	l := &labeling{file: file, format: c.Format, ids: c.IDs, labels: make([]string, c.Len())}
	for i, k := range c.Labels {
		if k >= 0 {
			l.labels[i] = c.ClassNames[k]
		}
	}
	return l, nil
}

// isTable tells whether the name is that of a file of labels, or of none of the corpus formats.
func isTable(file string) bool {
	return isCorpusTable(file) || !hasExtension(file, ".mat", ".mtx", ".mm", ".svm", ".libsvm", ".svmlight", ".npy", ".npz", ".jsonl", ".ndjson", ".idx", ".sgm", ".sgml", ".mbox", ".tar", ".tgz", ".txz") && !isFolder(file)
}

func isCorpusTable(file string) bool { return hasExtension(file, ".csv", ".tsv") }

// hasExtension looks below .gz and .xz too.
func hasExtension(file string, extensions ...string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(file), ".gz"), ".xz")
	for _, e := range extensions {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}

// match brings two labelings into one order: by id, or by position where ids do not say. A document
// without a name has its number as id. Documents of truth that the prediction leaves out are dropped, and counted.
func match(truth, predicted *labeling) (t, p []string, left int, err error) {
	oneNamed := truth.ids != nil || predicted.ids != nil
	bothNamed := truth.ids != nil && predicted.ids != nil
	if bothNamed || oneNamed && numbered(truth) && numbered(predicted) {
		return matchIDs(truth, predicted)
	}
	if len(truth.labels) != len(predicted.labels) {
		return nil, nil, 0, requestf("%s has %s and %s has %d: without ids on both sides they must be as many",
			truth.file, plural(len(truth.labels), "label", "labels"), predicted.file, len(predicted.labels))
	}
	return truth.labels, predicted.labels, 0, nil
}

// numbered tells whether the documents' names are their numbers, as those without a name are.
func numbered(l *labeling) bool {
	for _, id := range l.ids {
		if n, err := strconv.Atoi(id); err != nil || n < 1 {
			return false
		}
	}
	return true
}

func (l *labeling) id(i int) string {
	if l.ids == nil {
		return strconv.Itoa(i + 1)
	}
	return l.ids[i]
}

func matchIDs(truth, predicted *labeling) (t, p []string, left int, err error) {
	at := make(map[string]int, len(truth.labels))
	for i := range truth.labels {
		id := truth.id(i)
		if j, twice := at[id]; twice && truth.labels[j] != truth.labels[i] {
			return nil, nil, 0, requestf("%s: document %q has two labels, %q and %q", truth.file, id, truth.labels[j], truth.labels[i])
		}
		at[id] = i
	}
	seen := make(map[string]bool, len(predicted.labels))
	for i, label := range predicted.labels {
		id := predicted.id(i)
		j, ok := at[id]
		if !ok {
			return nil, nil, 0, requestf("%s: document %q is not in %s: give labelings of the same documents", predicted.file, id, truth.file)
		}
		if seen[id] {
			return nil, nil, 0, requestf("%s: document %q stands there twice", predicted.file, id)
		}
		seen[id] = true
		t, p = append(t, truth.labels[j]), append(p, label)
	}
	return t, p, len(at) - len(seen), nil
}

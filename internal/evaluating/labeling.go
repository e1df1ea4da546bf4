package evaluating

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
)

// readLabeling reads one side: a table id,label, one label per line, a list of labels in .npy,
// .npz, IDX or JSON lines, or a corpus that has labels. column is the one of a table that was
// asked for, "" for none; usual is preferred to the choice of package corpus, "" for no
// preference.
func readLabeling(ctx context.Context, j *job.Job, file, column, usual string) (*labeling, error) {
	if isTable(file) {
		l, err := readTable(ctx, file, column, usual)
		if err == nil {
			return sideOf(file, l), nil
		}
		if errors.Is(err, fs.ErrNotExist) || column != "" || !isCorpusTable(file) {
			return nil, err
		}
		// A table without a column of labels can still be a corpus whose labels label-column names.
	}
	if column != "" && job.HasExtension(file, ".npz") {
		l, err := corpus.ReadLabeling(ctx, file, column)
		if err != nil {
			return nil, err
		}
		return sideOf(file, l), nil
	}
	if column != "" {
		return nil, invalid.Errorf("%s: a column is named, and it is not a table: leave the column %q out", file, column)
	}
	opt := j.ReadOptions()
	opt.Text = corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1} // its words play no part
	c, err := corpus.Read(ctx, file, opt)
	if err == nil && c.Labels == nil {
		err = invalid.Errorf("%s: it has no labels to compare: give a file that has, such as lines id,label", file)
	}
	if err != nil {
		if job.HasExtension(file, ".npy", ".npz", ".idx", ".jsonl", ".ndjson", ".parquet") && ctx.Err() == nil {
			for _, column := range []string{usual, ""} { // a field that no line has gives empty labels
				l, bad := corpus.ReadLabeling(ctx, file, column)
				if bad == nil && slices.ContainsFunc(l.Labels, func(label string) bool { return label != "" }) {
					return sideOf(file, l), nil
				}
				if job.HasExtension(file, ".npz", ".parquet") && bad != nil {
					err = bad // it says what a list of labels needs
				}
			}
		}
		return nil, err
	}
	l := &labeling{file: file, format: c.Format, ids: c.IDs, labels: make([]string, c.Len())}
	for i, k := range c.Labels {
		if k >= 0 {
			l.labels[i] = c.ClassNames[k]
		}
	}
	return l, nil
}

// sideOf is a list of labels as a side.
func sideOf(file string, l *corpus.Labeling) *labeling {
	side := &labeling{file: file, format: cmp.Or(arrayFormat(file), "csv"), ids: l.IDs, column: l.Column, ofRun: ofRun(l.Header)}
	side.take(l)
	return side
}

// take takes the labels of a list, and the note on those that mean none.
func (l *labeling) take(list *corpus.Labeling) {
	var none string
	l.list, l.notes = list, nil
	if l.labels, none = list.Known(); none != "" {
		l.notes = []string{l.file + ": " + none}
	}
}

// readTable reads a table of labels. In the clusters.csv of a run the clusters are compared, unless
// a column is named.
func readTable(ctx context.Context, file, column, usual string) (*corpus.Labeling, error) {
	if column != "" {
		return corpus.ReadLabeling(ctx, file, column)
	}
	l, err := corpus.ReadLabeling(ctx, file, usual)
	if err != nil && usual != "" {
		l, err = corpus.ReadLabeling(ctx, file, "")
	}
	if err == nil && usual == "" && ofRun(l.Header) {
		return corpus.ReadLabeling(ctx, file, artefact.ClusterHead[1])
	}
	return l, err
}

// ofRun reports whether a table with this header is a clusters.csv.
func ofRun(header []string) bool {
	return len(header) >= len(artefact.ClusterHead) && slices.Equal(header[:len(artefact.ClusterHead)], artefact.ClusterHead)
}

// arrayFormat is the format of an array, which may be a list of labels, by the file's name; "" for
// none.
func arrayFormat(file string) string {
	switch {
	case job.HasExtension(file, ".npy"):
		return "npy"
	case job.HasExtension(file, ".npz"):
		return "npz"
	case job.HasExtension(file, ".idx"):
		return "idx"
	}
	return ""
}

// isTable reports whether the name belongs to a file of labels, or to no format of a corpus.
func isTable(file string) bool {
	return isCorpusTable(file) || !job.HasExtension(file, ".mat", ".mtx", ".mm", ".svm", ".libsvm", ".svmlight", ".npy", ".npz", ".jsonl", ".ndjson", ".list", ".parquet", ".idx", ".sgm", ".sgml", ".mbox", ".tar", ".tgz", ".txz") && !folder.Is(file)
}

func isCorpusTable(file string) bool { return job.HasExtension(file, ".csv", ".tsv") }

// numbers is the range of the ids if all are numbers of documents.
func (l *labeling) numbers() (low, high int, ok bool) {
	if l.ids == nil {
		return 1, len(l.labels), true
	}
	low, high = math.MaxInt, -1
	for _, id := range l.ids {
		n, err := strconv.Atoi(id)
		if err != nil || n < 0 || strconv.Itoa(n) != id {
			return 0, 0, false
		}
		low, high = min(low, n), max(high, n)
	}
	return low, high, true
}

// labeling is one label per document. ids is nil if the file gives the order only.
type labeling struct {
	file   string
	format string // of a corpus; tables of labels are "csv"
	ids    []string
	labels []string // "" is unlabelled
	column string   // of a table with a header
	ofRun  bool     // it is the clusters.csv of a run, which numbers documents from 1
	notes  []string
	list   *corpus.Labeling // nil of a corpus
}

// skipHeaders leaves out first lines of lists that are headers, before names are looked at.
func skipHeaders(truth, predicted *labeling) {
	if truth.list == nil || predicted.list == nil {
		return
	}
	t, p, noteT, noteP := corpus.WithoutHeaders(truth.list, predicted.list)
	truth.skip(t, noteT)
	predicted.skip(p, noteP)
}

// skipHeader leaves out the first line of a list that has one more than there are documents, if it
// is a header.
func (l *labeling) skipHeader(documents int) {
	if l.list != nil {
		list, note := l.list.WithoutHeader(documents)
		l.skip(list, note)
	}
}

// skip takes a list without its header if the note says that there was one.
func (l *labeling) skip(list *corpus.Labeling, note string) {
	if note == "" {
		return
	}
	l.take(list)
	l.ids = list.IDs
	l.notes = append(l.notes, note)
}

func (l *labeling) id(i int) string {
	if l.ids == nil {
		return strconv.Itoa(i + 1)
	}
	return l.ids[i]
}

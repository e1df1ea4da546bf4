// Package evaluating compares predicted labels with true ones.
package evaluating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Evaluation compares predicted labels with true ones; Table[i][j] counts class i in cluster j.
type Evaluation struct {
	Truth      string `json:"truth"`
	Prediction string `json:"prediction"`
	// TruthColumn and PredictionColumn are the columns compared; "" of a file without named
	// columns.
	TruthColumn      string         `json:"truth_column"`
	PredictionColumn string         `json:"prediction_column"`
	Documents        int            `json:"documents"`
	LeftOut          int            `json:"left_out"`
	Metrics          metrics.Scores `json:"metrics"`
	Classes          []string       `json:"classes"`
	Clusters         []string       `json:"clusters"`
	Table            [][]int        `json:"table"`
	// Assignment is the class of each cluster, -1 for none: the class of its name if ByName, else
	// matched by Kuhn-Munkres.
	Assignment []int `json:"assignment"`
	// ByName says that accuracy and macro-F1 go by the names of the two sides.
	ByName bool `json:"by_name"`
	// Reliability compares the confidences of a clusters.csv with what is right by Assignment: ten
	// groups of as many documents, by ascending confidence; nil without confidences.
	Reliability []ReliabilityPoint `json:"reliability,omitempty"`
	Notes       []string           `json:"notes"`
}

// Columns are the columns of tables that [Evaluate] compares.
type Columns struct {
	// Truth is a column of the table of true labels; "": cluster in the clusters.csv of a run, else
	// the first of label, class, category, target, y, gnd and cluster.
	Truth string `flag:"truth-column" unset:"cluster in a clusters.csv, else label, class, ..." help:"column of TRUTH to compare" group:"input"`
	// Prediction is a column of the table of predicted labels; "": cluster, else as for Truth.
	Prediction string `flag:"column" unset:"cluster, else label, class, ..." help:"column of PREDICTION to compare" group:"input"`
	// ByName says whether predicted labels are taken for the classes of their names; nil: if each
	// is the name of a class and some are no numbers.
	ByName *bool `flag:"by-name" unset:"if all predicted labels are names of classes and some are no numbers" help:"accuracy and macro-F1 by the names of the labels, not by the best assignment" group:"input"`
}

// Evaluate compares two labelings. Each side is a table id,label (the clusters.csv of a run is
// one), a file with one label per line, or for truth a corpus that has labels. Of two clusters.csv
// the clusters are compared, unless a column is named. Documents are matched by id, or by position
// if a side has no ids. A label that means "no label" ([corpus.Labeling.Known]) on either side
// leaves the document out, and so does the cluster -1 of a document that a run rejected.
func Evaluate(ctx context.Context, truth, prediction string, opt request.Options, columns ...Columns) (*Evaluation, error) {
	var own Columns
	if len(columns) > 0 {
		own = columns[0]
	}
	v, err := evaluate(ctx, truth, prediction, opt, own)
	return v, fault.Wrap(err)
}

// clustersIn is the file of clusters in a folder of results, the path itself if it is no folder.
func clustersIn(path string) (string, error) {
	if !job.IsFolder(path) {
		return path, nil
	}
	inside := filepath.Join(path, artefact.ClustersName)
	if _, err := os.Stat(inside); err != nil {
		return "", invalid.Errorf("%s: it is a folder without %s: give the file of clusters", path, artefact.ClustersName)
	}
	return inside, nil
}

func evaluate(ctx context.Context, truthFile, predictionFile string, opt request.Options, columns Columns) (*Evaluation, error) {
	r, err := request.New(opt, "evaluate")
	if err != nil {
		return nil, err
	}
	if predictionFile, err = clustersIn(predictionFile); err != nil {
		return nil, err
	}
	if inside, err := clustersIn(truthFile); err == nil { // else a corpus of a folder
		truthFile = inside
	}
	j := &job.Job{Request: r}
	if err := job.CheckFiles(ctx, truthFile, predictionFile); err != nil {
		return nil, err
	}
	truth, err := readLabeling(ctx, j, truthFile, columns.Truth, r.Source.LabelColumn)
	if err != nil {
		return nil, err
	}
	predicted, err := readLabeling(ctx, j, predictionFile, columns.Prediction, "cluster")
	if err != nil {
		return nil, err
	}
	if err := r.CheckFormats(truth.format, predicted.format); err != nil {
		return nil, fmt.Errorf("%s and %s: %w", truthFile, predictionFile, err)
	}
	if err := alike(truth, predicted, r.Source.IDsFrom); err != nil {
		return nil, err
	}
	t, p, left, err := match(truth, predicted)
	if err != nil {
		return nil, err
	}
	for i, label := range p {
		if label == "" {
			t[i] = ""
		}
	}
	classes, classNames := numberLabels(t)
	clusters, clusterNames := numberLabels(p)
	table, err := metrics.NewTable(classes, clusters)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", truthFile, predictionFile, err)
	}
	v := &Evaluation{Truth: truthFile, Prediction: predictionFile, TruthColumn: truth.column, PredictionColumn: predicted.column,
		Notes: words.NotNil(append(truth.notes, predicted.notes...)), LeftOut: left, Metrics: table.Scores(), Table: table.Counts, Assignment: table.Assignment()}
	for _, c := range table.Classes {
		v.Classes = append(v.Classes, classNames[c])
	}
	for _, c := range table.Clusters {
		v.Clusters = append(v.Clusters, clusterNames[c])
	}
	v.takeNames(table, columns.ByName)
	if predicted.ofRun {
		v.takeReliability(ctx, table, classes, clusters)
	}
	for _, row := range table.Counts {
		for _, n := range row {
			v.Documents += n
		}
	}
	v.LeftOut += len(t) - v.Documents
	return v, nil
}

// takeNames lets accuracy and macro-F1 go by the names if that is asked for, or, where nothing is
// asked for, if both sides share them.
func (v *Evaluation) takeNames(t *metrics.Table, asked *bool) {
	to, shared, words := make([]int, len(v.Clusters)), true, false
	for j, name := range v.Clusters {
		to[j] = slices.Index(v.Classes, name)
		shared = shared && to[j] >= 0
		_, err := strconv.ParseFloat(name, 64)
		words = words || err != nil
	}
	byName := shared && words
	if asked != nil {
		byName = *asked
	}
	if !byName {
		return
	}
	v.ByName, v.Assignment, v.Metrics = true, to, t.ScoresAs(to)
}

// readLabeling reads one side: a table id,label, one label per line, or a corpus that has labels.
// column is the one of a table that was asked for, "" for none; usual is preferred to the choice of
// package corpus, "" for no preference.
func readLabeling(ctx context.Context, j *job.Job, file, column, usual string) (*labeling, error) {
	if isTable(file) {
		l, err := readTable(ctx, file, column, usual)
		if err == nil {
			side := &labeling{file: file, format: "csv", ids: l.IDs, column: l.Column, ofRun: ofRun(l.Header)}
			var none string
			side.labels, none = l.Known()
			if none != "" {
				side.notes = []string{file + ": " + none}
			}
			return side, nil
		}
		if errors.Is(err, fs.ErrNotExist) || column != "" || !isCorpusTable(file) {
			return nil, err
		}
		// A table without a column of labels can still be a corpus whose labels label-column names.
	}
	if column != "" {
		return nil, invalid.Errorf("%s: a column is named, and it is not a table: leave the column %q out", file, column)
	}
	opt := j.ReadOptions()
	opt.Text = corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1} // its words play no part
	c, err := corpus.Read(ctx, file, opt)
	if err != nil {
		return nil, err
	}
	if c.Labels == nil {
		return nil, invalid.Errorf("%s: it has no labels to compare", file)
	}
	l := &labeling{file: file, format: c.Format, ids: c.IDs, labels: make([]string, c.Len())}
	for i, k := range c.Labels {
		if k >= 0 {
			l.labels[i] = c.ClassNames[k]
		}
	}
	return l, nil
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

// isTable reports whether the name belongs to a file of labels, or to no format of a corpus.
func isTable(file string) bool {
	return isCorpusTable(file) || !job.HasExtension(file, ".mat", ".mtx", ".mm", ".svm", ".libsvm", ".svmlight", ".npy", ".npz", ".jsonl", ".ndjson", ".list", ".parquet", ".idx", ".sgm", ".sgml", ".mbox", ".tar", ".tgz", ".txz") && !job.IsFolder(file)
}

func isCorpusTable(file string) bool { return job.HasExtension(file, ".csv", ".tsv") }

// match brings two labelings into one order: by id, or by position if there are none. A document
// without a name has its number as id. Documents of truth that the prediction leaves out are
// dropped and counted.
func match(truth, predicted *labeling) (t, p []string, left int, err error) {
	oneNamed := truth.ids != nil || predicted.ids != nil
	bothNamed := truth.ids != nil && predicted.ids != nil
	if bothNamed || oneNamed && numbered(truth) && numbered(predicted) {
		return matchIDs(truth, predicted)
	}
	if len(truth.labels) != len(predicted.labels) {
		return nil, nil, 0, invalid.Errorf("%s has %s and %s has %d: without ids on both sides they must be as many",
			truth.file, words.Plural(len(truth.labels), "label", "labels"), predicted.file, len(predicted.labels))
	}
	return truth.labels, predicted.labels, 0, nil
}

func matchIDs(truth, predicted *labeling) (t, p []string, left int, err error) {
	at := make(map[string]int, len(truth.labels))
	for i := range truth.labels {
		id := truth.id(i)
		if j, twice := at[id]; twice && truth.labels[j] != truth.labels[i] {
			return nil, nil, 0, invalid.Errorf("%s: document %q has two labels, %q and %q", truth.file, id, truth.labels[j], truth.labels[i])
		}
		at[id] = i
	}
	seen := make(map[string]bool, len(predicted.labels))
	for i, label := range predicted.labels {
		id := predicted.id(i)
		j, ok := at[id]
		if !ok {
			return nil, nil, 0, invalid.Errorf("%s: document %q is not in %s: give labelings of the same documents", predicted.file, id, truth.file)
		}
		if seen[id] {
			return nil, nil, 0, invalid.Errorf("%s: document %q occurs twice", predicted.file, id)
		}
		seen[id] = true
		t, p = append(t, truth.labels[j]), append(p, label)
	}
	return t, p, len(at) - len(seen), nil
}

// numberLabels numbers labels in the order of their names, numbers by value; "" is -1.
func numberLabels(labels []string) (numbers []int, names []string) {
	at := make(map[string]int)
	for _, l := range labels {
		if _, seen := at[l]; !seen && l != "" {
			at[l] = 0
			names = append(names, l)
		}
	}
	slices.SortFunc(names, compareNames)
	for n, l := range names {
		at[l] = n
	}
	numbers = make([]int, len(labels))
	for i, l := range labels {
		n, ok := at[l]
		if !ok {
			n = -1
		}
		numbers[i] = n
	}
	return numbers, names
}

// compareNames puts whole numbers first, by value, and other names after them.
func compareNames(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// Package evaluating compares predicted labels with true ones.
package evaluating

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Evaluate compares two labelings. Each side is a table id,label (the clusters.csv of a run is
// one), a file with one label per line, a list of labels in .npy, IDX or JSON lines, or for truth
// a corpus that has labels. Of two clusters.csv the clusters are compared, unless a column is
// named. Documents are matched by id, or by position if a side has no ids. By id, one side may have
// a part of the other's documents; the rest is left out. A label that means "no label"
// ([corpus.Labeling.Known]) on either side leaves the document out, and so does the cluster -1 of a
// document that a run rejected.
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
	if !folder.Is(path) {
		return path, nil
	}
	inside := filepath.Join(path, artefact.ClustersName)
	if _, err := shards.Stat(inside); err != nil {
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
	truth, predicted, err := readBoth(ctx, r, truthFile, predictionFile, columns)
	if err != nil {
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
	for _, row := range table.Counts {
		for _, n := range row {
			v.Documents += n
		}
	}
	v.takeNames(table, columns.ByName, truth, predicted)
	if predicted.ofRun {
		v.takeReliability(ctx, table, classes, clusters)
	}
	if !v.ByName && v.few() {
		v.Notes = append(v.Notes, "Accuracy and macro-F1 match the predicted labels with the classes of "+words.Counted(v.Documents, "document")+", and of so few a match is right by chance.")
	}
	v.LeftOut += len(t) - v.Documents
	return v, nil
}

// readBoth reads the true labels and the predicted ones. It refuses files whose documents cannot be
// told to be the same.
func readBoth(ctx context.Context, r *request.Request, truthFile, predictionFile string, columns Columns) (truth, predicted *labeling, err error) {
	j := &job.Job{Request: r}
	if err := job.CheckFiles(ctx, truthFile, predictionFile); err != nil {
		return nil, nil, err
	}
	if truth, err = readLabeling(ctx, j, truthFile, columns.Truth, r.Source.LabelColumn); err != nil {
		return nil, nil, err
	}
	if predicted, err = readLabeling(ctx, j, predictionFile, columns.Prediction, "cluster"); err != nil {
		return nil, nil, err
	}
	if err := r.CheckFormats(truth.format, predicted.format); err != nil {
		return nil, nil, fmt.Errorf("%s and %s: %w", truthFile, predictionFile, err)
	}
	skipHeaders(truth, predicted)
	return truth, predicted, alike(truth, predicted, r.Source.IDsFrom)
}

// takeNames lets accuracy and macro-F1 go by the names if that is asked for, or, where nothing is
// asked for, if the predicted labels are the classes of a run, or if all are true labels and some
// are no numbers. Classes of a run none of which is a true label, of more than a few documents,
// have other names there, and are matched.
func (v *Evaluation) takeNames(t *metrics.Table, asked *bool, truth, predicted *labeling) {
	known := make(map[string]bool)
	for _, class := range truth.labels {
		known[class] = class != ""
	}
	to, all, words := make([]int, len(v.Clusters)), true, false
	for j, name := range v.Clusters {
		to[j] = slices.Index(v.Classes, name)
		all = all && known[name]
		_, err := strconv.ParseFloat(name, 64)
		words = words || err != nil
	}
	byName := words && all
	switch {
	case asked != nil:
		byName = *asked
	case !predicted.ofRun || predicted.column != "class":
	case v.few() || slices.ContainsFunc(predicted.labels, func(name string) bool { return known[name] }):
		byName = true
	default:
		v.Notes = append(v.Notes, v.Truth+" has none of the classes of the run: accuracy and macro-F1 match these with its own.")
	}
	if !byName {
		return
	}
	v.ByName, v.Assignment, v.Metrics = true, to, t.ScoresAs(to)
}

// few reports whether so few documents are compared that a match is right by chance.
func (v *Evaluation) few() bool { return v.Documents < result.FewEach*len(v.Clusters) }

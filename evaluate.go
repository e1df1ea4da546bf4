package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/evaluating"
	"github.com/eigenmap/eigenmap/internal/fault"
)

// Evaluation compares predicted labels with true ones; Table[i][j] counts class i in cluster j.
type Evaluation = evaluating.Evaluation

// ReliabilityPoint compares the confidences of some documents with how many of them are right.
type ReliabilityPoint = evaluating.ReliabilityPoint

// Columns are the columns of tables that [Evaluate] compares.
type Columns = evaluating.Columns

// Evaluate compares two labelings. Each side is a table id,label (the clusters.csv of a run is
// one), a file with one label per line, a list of labels in .npy, IDX or JSON lines, or for truth
// a corpus that has labels. Of two clusters.csv the clusters are compared, unless a column is
// named. Documents are matched by id, or by position if a side has no ids. By id, one side may have
// a part of the other's documents; the rest is left out. A label that means "no label"
// ([corpus.Labeling.Known]) on either side leaves the document out, and so does the cluster -1 of a
// document that a run rejected.
func Evaluate(ctx context.Context, truth, prediction string, opt Options, columns ...Columns) (*Evaluation, error) {
	v, err := evaluating.Evaluate(ctx, truth, prediction, opt, columns...)
	return v, fault.Wrap(err)
}

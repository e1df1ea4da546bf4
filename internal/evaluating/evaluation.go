package evaluating

import "github.com/eigenmap/eigenmap/methods/metrics"

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
	// ByName says whether predicted labels are taken for the classes of their names; nil: if they are
	// the classes of a run, or all are true labels and some are no numbers.
	ByName *bool `flag:"by-name" unset:"for classes of a run, and if all predicted labels are names of classes and some are no numbers" help:"accuracy and macro-F1 by the names of the labels, not by the best assignment" group:"input"`
}

// ReliabilityPoint compares the confidences of some documents with how many of them are right.
type ReliabilityPoint struct {
	Documents  int     `json:"documents"`
	Confidence float64 `json:"confidence"` // mean
	Right      float64 `json:"right"`      // share whose cluster is assigned to their class
}

// Package ckmeans is k-means with labels of a part of the rows: Seeded-KMeans and
// Constrained-KMeans of Basu, Banerjee and Mooney 2002 ("Semi-supervised clustering by seeding",
// figures 1 and 2).
//
// # Contract
//
// Every labelled class starts at the mean of its labelled rows. Under [Seeded] the labels do no
// more than that; under [Constrained] the labelled rows also stay with their class in every
// iteration, and only the others go to the nearest centre. Cluster c is class c: clusters are not
// renumbered. The objective, the sum of the squared distances from all rows to their centres,
// never rises from one move to the next, up to rounding.
//
// A class without any label, such as every cluster beyond the known classes, starts at a row
// drawn far from the others by k-means++ (the paper: "at random"). Only then do restarts and the
// seed matter, and the run with the lowest objective is kept. A class that loses all its rows is
// given the farthest row that is not clamped.
//
// The iteration is package kmeans: exact bounds, sparse rows stay sparse, the same bits at any
// number of threads. Constrained-KMeans on the original rows is the rival "C-KMeans" of Liu et
// al. 2014, and after principal components "PCA + C-KMeans".
package ckmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Stage is the name under which notes go to the observer.
const Stage = "labelled k-means"

// Rule is the use that labels are put to.
type Rule string

const (
	// Constrained clamps the labelled rows to their class. The default.
	Constrained Rule = "constrained"
	// Seeded lets labels choose the starts only.
	Seeded Rule = "seeded"
)

// Options of Fit. The zero value of every field is its default.
type Options struct {
	// Rule is Constrained unless set. It is no option of the methods, of which each has its rule.
	Rule Rule `json:"rule,omitempty" choices:"constrained|seeded"`
	// Restarts is the number of runs if a class has no label; 0 = 10. With a label of every class
	// there is one run.
	Restarts int `json:"restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept; one if known labels start every cluster" group:"method"`
	// MaxIter is the most moves of the centres; 0 = 300.
	MaxIter int `json:"max_iter,omitempty" flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of one start of k-means" group:"method"`
	// Seed draws the starts of classes without labels.
	Seed uint64 `json:"seed"`
	// Observer receives notes of classes without labels and of empty clusters, and runs done.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	return option.Check(&o)
}

// Fit clusters the rows of x, n×d (*sparse.CSR or *mat.Dense, not copied; other matrices are made
// dense). known holds a class 0 to classes−1 or labels.Unknown for each row; classes may be more
// than those that are labelled.
//
// The model's Labels are classes. Its Predict gives every row the class of the nearest centre,
// which for a labelled row may be another class than the one it was clamped to.
//
// It costs a kmeans.Fit from one start. Errors are as for kmeans.Fit, and (fs.ErrInvalid) no label
// at all, another number of labels than rows, labels outside the classes, more classes without
// labels than rows that are free to start them.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*kmeans.Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to cluster")
	}
	if n, _ := x.Dims(); len(known) != n {
		return nil, invalid.Errorf("there are %d labels for %d documents; give one for each, %d where it is not known", len(known), n, labels.Unknown)
	}
	with := make(map[int]bool)
	for i, k := range known {
		switch {
		case k < labels.Unknown || k >= classes:
			return nil, invalid.Errorf("document %d has the label %d; labels lie between 0 and %d, %d where there is none", i, k, classes-1, labels.Unknown)
		case k != labels.Unknown:
			with[k] = true
		}
	}
	if len(with) == 0 {
		return nil, invalid.Errorf("none of the %d documents has a label: give some, or use k-means without labels", len(known))
	}
	if without := classes - len(with); without > 0 {
		opt.Observer.Warnf(Stage, "Classes without a labelled document: %d of %d; they start away from the others.", without, classes)
	}
	return kmeans.Fit(ctx, x, kmeans.Options{
		K: classes, Seeds: known, Clamp: opt.Rule != Seeded,
		MaxIter: opt.MaxIter, Restarts: opt.Restarts, Seed: opt.Seed, Observer: opt.Observer,
	})
}

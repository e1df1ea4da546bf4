package kmeans

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Init names the method that chooses the first centres.
type Init string

const (
	// PlusPlus draws centres one after the other with probability proportional to the squared
	// distance to the nearest centre so far (Arthur and Vassilvitskii 2007), each the best of
	// 2 + ⌊ln K⌋ draws. The default.
	PlusPlus Init = "k-means++"
	// Random draws K different rows, all sets equally likely.
	Random Init = "random"
)

// Options of a fit. The zero value of every field except K is its default.
type Options struct {
	// K is the number of clusters, from 1 to the number of rows. The contract of package method
	// sets it.
	K int `json:"k" range:">=1"`
	// Restarts is the number of runs from different starts, of which the best is kept; 0 = 10.
	Restarts int `json:"restarts" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept" group:"method"`
	// MaxIter is the most moves of the centres in a run; 0 = 300.
	MaxIter int `json:"max_iter" flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of one start of k-means" group:"method"`
	// Init is how the first centres are chosen; "" = k-means++.
	Init Init   `json:"init" flag:"init" choices:"k-means++|random" default:"k-means++" help:"how k-means starts" group:"method"`
	Seed uint64 `json:"seed"` // run r draws from the PCG stream (Seed, r)

	// Start, if not nil, holds K × columns first centres: one run starts there, and Init, Restarts
	// and Seed are ignored. Fit does not write it.
	Start *mat.Dense `json:"-"`
	// Seeds, if not nil, holds the cluster of every row whose cluster is known; negative for other
	// rows. A cluster starts at the mean of its seeds, Init draws the clusters without seeds away
	// from those, and all keep their numbers (Basu, Banerjee and Mooney 2002, Seeded-KMeans).
	// Restarts have an effect only if a cluster has no seed. Fit does not write it.
	Seeds []int `json:"-"`
	// Clamp keeps the seeds in their clusters throughout (Constrained-KMeans of the same paper).
	// Start may then also be given.
	Clamp bool `json:"clamp,omitempty"`
	// Aside are rows that attract no centre, ascending: documents without terms, whose places mean
	// nothing. They belong to the nearest centre in the end. Where the other rows are fewer than the
	// clusters, all rows count alike. Seeds are not taken beside them.
	Aside []int `json:"-"`
	// Share says that x has only this rank's rows, and which ones: all ranks then fit together, and
	// Labels has this rank's rows. Seeds are not taken. nil: x has all rows.
	Share *ranks.Share `json:"-"`
	// Observer receives the stage "k-means": the number of finished restarts, and a note if
	// clusters stay empty.
	Observer progress.Observer `json:"-"`
}

// Validate returns an error that lists all violations; [Fit] adds those that depend on the data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.Share.Divided() && o.Seeds != nil {
		errs = append(errs, invalid.Errorf("Seeds are given, and the rows are divided among ranks, which take none: give Start"))
	}
	if len(o.Aside) > 0 && o.Seeds != nil {
		errs = append(errs, invalid.Errorf("both Aside and Seeds are given: give one of them"))
	}
	if o.Clamp && o.Seeds == nil {
		errs = append(errs, invalid.Errorf("Clamp is set, but no seeds are given: give Seeds, or do not set Clamp"))
	}
	if o.Start != nil && o.Seeds != nil && !o.Clamp {
		errs = append(errs, invalid.Errorf("both Start and Seeds are given, and both would set the first centres: give one of them, or set Clamp"))
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	if o.Start != nil {
		o.Restarts = 1
	}
	return o
}

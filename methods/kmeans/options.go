package kmeans

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Init is the rule by which the first centres are chosen.
type Init string

const (
	// PlusPlus draws centres one after the other with probability proportional to the squared
	// distance to the nearest centre so far (Arthur and Vassilvitskii 2007), each the best of
	// 2 + ⌊ln K⌋ draws. The default.
	PlusPlus Init = "k-means++"
	// Random draws K different rows, all sets equally likely.
	Random Init = "random"
)

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	// K is the number of clusters, from 1 to the number of rows. The contract of package method
	// sets it.
	K int `json:"k"`
	// Restarts is the number of runs from different starts, of which the best is kept; 0 = 10.
	Restarts int `json:"restarts" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept"`
	// MaxIter is the most moves of the centres in a run; 0 = 300.
	MaxIter int `json:"max_iter" flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of one start of k-means"`
	// Init is how the first centres are chosen; "" = k-means++.
	Init Init   `json:"init" flag:"init" choices:"k-means++|random" default:"k-means++" help:"how k-means starts"`
	Seed uint64 `json:"seed"` // run r draws from the PCG stream (Seed, r)

	// Start, if it is not nil, holds K × columns first centres: one run starts there, and Init,
	// Restarts and Seed mean nothing. It is not written.
	Start *mat.Dense `json:"-"`
	// Seeds, if it is not nil, holds the cluster of every row that is known to belong to one, and
	// a negative number for the others. A cluster starts at the mean of its seeds, clusters
	// without any are drawn by Init away from those, and all keep their numbers (Basu, Banerjee
	// and Mooney 2002, Seeded-KMeans). Restarts matter only if a cluster has no seed. It is not
	// written.
	Seeds []int `json:"-"`
	// Clamp keeps the seeds in their clusters throughout (Constrained-KMeans of the same paper).
	// Start may then be given too.
	Clamp bool `json:"clamp,omitempty"`
	// Observer receives stage "k-means": restarts done of all, and a note if clusters are left
	// empty.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.K < 0 {
		errs = append(errs, invalid.Errorf("the number of clusters must be at least 1, not %d", o.K))
	}
	if o.Clamp && o.Seeds == nil {
		errs = append(errs, invalid.Errorf("seeds are to stay in their clusters, but no seeds are given"))
	}
	if o.Start != nil && o.Seeds != nil && !o.Clamp {
		errs = append(errs, invalid.Errorf("both starts and seeds are given, and the seeds would do nothing but start: give one of them, or clamp the seeds"))
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Restarts == 0 {
		o.Restarts = 10
	}
	if o.MaxIter == 0 {
		o.MaxIter = 300
	}
	if o.Init == "" {
		o.Init = PlusPlus
	}
	if o.Start != nil {
		o.Restarts = 1
	}
	return o
}

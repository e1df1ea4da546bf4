package tsvm

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const trainings = 17 * 3 // of a class: levels, and steps of each
	n, classes := in.Len(), len(in.Given.Names)
	stage := o.SVM.Planned("tsvm", in, at, n, classes, trainings)
	stage.Seconds = o.seconds(n, classes, in.Sparse(), at)
	return []method.Stage{stage}, nil
}

// seconds are a rough time of the searches of all classes. Of sparse rows they grow with rows and
// entries, and a search of many classes, each of few documents, takes less: 1.8 s of 12 classes of
// Debian's descriptions, 1.0 of 9 of 5,431 tickets, 4.0 of 77 of 10,003 requests, 0.4 of 9 of 1,028
// long articles. Of dense rows they grow with the pairs of rows: 1.2 s of COIL20, 9.9 of USPS, 1.7
// of 4,000 vectors of 384 columns. Classes that overlap take several times as long: 5 s of Msplice.
func (o *Options) seconds(n, classes int, isSparse bool, at method.Rates) float64 {
	rows, k := float64(n), float64(classes)
	each := 2e-5*rows + 2e-7*float64(at.Entries)
	if isSparse {
		each /= 1 + k/40
	} else {
		each = 2.5e-5*rows + 8e-9*rows*rows + at.Pairs(rows*rows, n)/k*float64(max(1, at.Threads))
	}
	// Levels double the cost from the start to its end.
	levels := func(start float64) float64 { return 1 + math.Ceil(-math.Log2(start)) }
	each *= levels(cmp.Or(o.Start, DefaultStart)) / levels(DefaultStart)
	if o.SVM.Tol >= coarse {
		each *= 0.75
	}
	return each * k / float64(max(1, at.Threads))
}

// coarse is a tolerance from which on a machine is solved in fewer sweeps.
const coarse = 0.05

package methodtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The corpora whose memory is planned: so large that arrays, not fixed costs, decide the peak.
const (
	plannedDocuments = 5000  // of methods whose time grows with n²
	plannedMany      = 15000 // of other methods
	plannedTerms     = 1000
	plannedEntries   = 60 // of a document
	plannedColumns   = 60 // of dense rows
	plannedClusters  = 20
)

// planSettings are options of methods that have them, for arrays of some megabytes in little time.
var planSettings = [][2]string{
	{"neighbors", "60"}, {"neighbors-method", "exact"}, {"em-iter", "3"}, {"kmeans-iter", "3"}, {"nmf-iter", "3"}, {"starts", "1"},
}

// mostOff is the factor by which the peak of a plan may be too small or too large.
const mostOff = 1.5

// planOff are the plans that are known to be off by more, by method and sample, with the factor
// that they keep within.
var planOff = map[string]float64{
	// How many components hold the share of the variance is not known before: a third is planned, and
	// these rows take nine tenths.
	"gmm dense": 2,
}

// checkPlan compares the peak of the stages that the options plan ([method.Planner]) with the peak
// of the heap during the fit: they differ by a factor of at most mostOff, or that of planOff.
func checkPlan(s *suite) {
	if _, ok := s.options().(method.Planner); !ok {
		return
	}
	for _, sm := range s.plannedSamples() {
		in := sm.input()
		sizes := *in
		planned, err := plannedPeak(s.planned(sm.data, in), &sizes)
		if err != nil {
			s.badf("%s: the plan fails: %v", sm.name, err)
			continue
		}
		o := s.planned(sm.data, in)
		took := memory.PeakHeap(func() { _, err = s.fit(background, o, in) })
		if err != nil && !unsettled(err) {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		if fault := planFault(float64(planned)/float64(took), planOff[s.spec.Name+" "+sm.name]); fault != "" {
			s.badf("%s: the plan says %s, and the fit takes %s, %s", sm.name, words.Bytes(planned), words.Bytes(took), fault)
		}
	}
}

// planFault says what is wrong with a plan of off times the bytes that were taken, "" if nothing
// is. known is the factor of planOff, 0 if the plan is not there.
func planFault(off, known float64) string {
	factor := max(off, 1/off)
	switch {
	case factor > max(known, mostOff):
		return fmt.Sprintf("a factor of %.2f", off)
	case known > 0 && factor <= mostOff:
		return fmt.Sprintf("a factor of %.2f, which needs no entry in planOff: take it out", off)
	}
	return ""
}

// planned are options with the settings of the check, for an input of some kind of data.
func (s *suite) planned(data option.Data, in *method.Input) method.Options {
	o := s.options()
	list := option.Of(o)
	for _, set := range planSettings {
		f := option.Find(list, set[0])
		if f == nil || f.String() != "" {
			continue
		}
		if relevant, _ := option.Relevant(list, f, data); !relevant {
			continue
		}
		if err := f.Set(set[1]); err != nil {
			s.badf("‹%s› cannot be %s: %v", set[0], set[1], err)
		}
	}
	if dims := option.Find(list, "dims"); dims != nil && !s.spec.Yields.Clusters && in.Given == nil {
		if err := dims.Set("40"); err != nil {
			s.badf("‹dims› cannot be 40: %v", err)
		}
	}
	return o
}

// plannedPeak is the largest sum of what a stage takes and what those before it keep, in bytes.
func plannedPeak(o method.Options, in *method.Input) (int64, error) {
	n, d := in.X.Dims()
	at := method.Rates{Threads: native.Threads(), Entries: n * d, Dense: !in.Sparse()}
	if x, ok := in.X.(*sparse.CSR); ok {
		at.Entries = x.NNZ()
	}
	stages, err := o.(method.Planner).Plan(in, at)
	kept, peak := int64(0), int64(0)
	for _, stage := range stages {
		peak = max(peak, memory.Sum(kept, stage.Bytes))
		kept = memory.Sum(kept, stage.Keeps)
	}
	return peak, err
}

// plannedSamples are a sparse corpus, and a dense one for methods that do not need counts.
func (s *suite) plannedSamples() []sample {
	given := s.spec.Needs.Labels == method.Required || s.spec.Needs.Links == method.Required
	n := plannedMany
	switch {
	case strings.Contains(s.spec.Grows, "n²"):
		n = plannedDocuments
	case given: // a single start, which takes little
		n *= 4
	}
	of := func(name string, data option.Data, x func(n int) mat.Matrix) sample {
		return sample{named(name, given), data, func() *method.Input {
			in := s.complete(&method.Input{X: x(n)}, n, given)
			in.Clusters = plannedClusters
			if given {
				in.Given = &method.Given{Labels: make([]int, n), Names: make([]string, plannedClusters)}
				for i := range in.Given.Labels {
					if in.Given.Labels[i] = -1; i < n/10 {
						in.Given.Labels[i] = i % plannedClusters
					}
				}
				for k := range in.Given.Names {
					in.Given.Names[k] = string(rune('a' + k))
				}
			}
			return in
		}, nil}
	}
	list := []sample{of("sparse", option.SparseData, func(n int) mat.Matrix { return s.weighted(plannedCounts(n)) })}
	if !s.spec.Needs.Counts && !s.short {
		list = append(list, of("dense", option.DenseData, plannedRows))
	}
	return list
}

// plannedCounts are texts of plannedClusters topics: half of the words of a text are of its topic.
func plannedCounts(n int) *sparse.CSR {
	rng := rand.New(rand.NewPCG(3, 5))
	b := sparse.NewBuilder(n, plannedTerms)
	const width = plannedTerms / plannedClusters
	for i := range n {
		for j := range plannedEntries {
			term := rng.IntN(plannedTerms)
			if j%2 == 0 {
				term = i%plannedClusters*width + rng.IntN(width)
			}
			b.Add(i, term, float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

// plannedRows are points around plannedClusters centres.
func plannedRows(n int) mat.Matrix {
	rng := rand.New(rand.NewPCG(4, 5))
	x := mat.NewDense(n, plannedColumns, nil)
	for i := range n {
		for j := range plannedColumns {
			centre := 4.0
			if j%plannedClusters == i%plannedClusters {
				centre = 7
			}
			x.Set(i, j, max(0.1, centre+0.8*rng.NormFloat64()))
		}
	}
	return x
}

// unsettled reports whether err says that iterations ended early.
func unsettled(err error) bool {
	var stopped *method.NotConvergedError
	return errors.As(err, &stopped)
}

package methodtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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

// plannedFew are the documents of methods that would take more than some seconds with as many as
// others.
var plannedFew = map[string]int{
	"isomap": 1200, "lle": 1000, "le-cas": 2000, "tsvm": 1500, "lapgmm": 3000, "lpp": 2500, "ggle": 3000, "semi-ldc": 5000, "kernel-kmeans": 3000, "scple": 20000,
}

// planSettingsOf are settings of single methods, which come first.
var planSettingsOf = map[string][][2]string{
	"isomap": {{"neighbors", "15"}},
	"lle":    {{"neighbors", "15"}, {"parts", "all"}},
	"spca":   {{"dims", "10"}},
}

// plannedLong is the method whose plan is of rows so long that their kernel matrix is formed, since
// it knows no values: of short ones the fit takes less.
const plannedLong = "tsvm"

// mostOff is the factor by which the peak of a plan may be too small or too large.
const mostOff = 1.5

// checkPlan compares the peak of the stages that the options plan ([method.Planner]) with the peak
// of the heap during the fit: they differ by a factor of at most mostOff.
func checkPlan(s *suite) {
	if _, ok := s.options().(method.Planner); !ok {
		s.badf("the options have no plan of what a fit takes (method.Planner)")
		return
	}
	for _, sm := range s.plannedSamples() {
		in := sm.input()
		planned, err := plannedPeak(s.planned(sm.data, in), in)
		if err != nil {
			s.badf("%s: the plan fails: %v", sm.name, err)
			continue
		}
		o := s.planned(sm.data, in)
		fault := ""
		least, most := int64(math.MaxInt64), int64(0)
		// Bounds of one fit are too wide or too narrow by chance on a busy machine, of several they
		// approach what a fit needs from both sides.
		for range 6 {
			low, high := memory.PeakHeap(func() { _, err = s.fit(background, o, in) })
			least, most = min(least, low), max(most, high)
			if fault = planFault(planned, least, most); err != nil && !unsettled(err) || fault == "" {
				break
			}
		}
		if err != nil && !unsettled(err) {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		if fault != "" {
			s.badf("%s: %s", sm.name, fault)
		}
	}
}

// planFault says what is wrong with a plan of a fit that needs at least and at most so many bytes,
// "" if nothing is.
func planFault(planned, least, most int64) string {
	if float64(planned) >= float64(least)/mostOff && float64(planned) <= float64(most)*mostOff {
		return ""
	}
	return fmt.Sprintf("the plan says %s, and the fit takes %s to %s", words.Bytes(planned), words.Bytes(least), words.Bytes(most))
}

// planned are options with the settings of the check, for an input of some kind of data.
func (s *suite) planned(data option.Data, in *method.Input) method.Options {
	o := s.options()
	list := option.Of(o)
	for _, set := range slices.Concat(planSettingsOf[s.spec.Name], planSettings) {
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
	// Landmarks are set for small documents; components are as many as ‹pca› says.
	if f := option.Find(list, "landmarks"); f != nil && f.String() != "" {
		count, err := strconv.Atoi(f.String())
		if err == nil {
			err = f.Set(strconv.Itoa(count * in.Len() / small))
		}
		if err != nil {
			s.badf("‹landmarks› %s cannot be more: %v", f.String(), err)
		}
	}
	pca := option.Find(list, "pca")
	if dims := option.Find(list, "dims"); dims != nil && dims.String() == "" && (pca == nil || pca.String() == "") && !s.spec.Yields.Clusters && in.Given == nil {
		if err := dims.Set("40"); err != nil {
			s.badf("‹dims› cannot be 40: %v", err)
		}
	}
	return o
}

// plannedPeak is the largest sum of what a stage takes and what those before it keep, in bytes. The
// plan sees the sizes of the input alone.
func plannedPeak(o method.Options, in *method.Input) (int64, error) {
	n, d := in.X.Dims()
	at := method.Rates{Threads: native.Threads(), Entries: n * d, Dense: !in.Sparse()}
	sizes := method.Input{X: method.Shape(n, d), Clusters: in.Clusters, Links: in.Links}
	if x, ok := in.X.(*sparse.CSR); ok {
		at.Entries = x.NNZ()
		shape := &sparse.CSR{NumRows: n, NumCols: d, RowPtr: make([]int, n+1)}
		shape.RowPtr[n] = at.Entries
		sizes.X = shape
	}
	if in.Given != nil {
		sizes.Given = &method.Given{Labels: []int{}, Names: in.Given.Names, Expected: in.Given.Count()}
	}
	stages, err := o.(method.Planner).Plan(&sizes, at)
	return method.Peak(stages), err
}

// plannedSamples are a sparse corpus, and a dense one for methods that do not need counts.
func (s *suite) plannedSamples() []sample {
	given := s.spec.Needs.Labels == method.Required || s.spec.Needs.Links == method.Required
	n := plannedMany
	switch few := plannedFew[s.spec.Name]; {
	case few > 0:
		n = few
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
		list = append(list, of("dense", option.DenseData, func(n int) mat.Matrix {
			x := plannedRows(n)
			if s.spec.Name == plannedLong {
				x.Scale(10, x)
			}
			return x
		}))
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
func plannedRows(n int) *mat.Dense {
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

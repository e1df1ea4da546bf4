package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The lasso paths that are measured: their number of terms, and the number of responses for
// scikit-learn, whose paths take seconds each.
const (
	pathTerms     = 100
	pathPeers     = 2
	pathPartEvery = 6 // documents: what scikit-learn holds as a dense matrix, twice
)

// pathsSection measures lasso paths of the classes' indicators on term vectors: of all documents,
// sparse, and of a part of them that fits in memory as the dense centred matrix that scikit-learn
// needs.
func pathsSection(ctx context.Context, s *session) ([]Group, error) {
	c, rows, err := s.documents(ctx)
	if err != nil {
		return nil, err
	}
	x := rows.(*sparse.CSR)
	opt := lars.Options{Intercept: true, MaxTerms: pathTerms}
	y := indicators(c.Labels)
	whole, err := s.compare(ctx, fmt.Sprintf("lasso paths to %d terms: %s, %d×%d, %d responses", pathTerms, c.Name, x.NumRows, x.NumCols, y.RawMatrix().Cols),
		[]Contestant{{"lars", Native, func(ctx context.Context) (Outcome, error) {
			_, allocated, err := paths(ctx, x, y, opt)
			return Outcome{Note: fmt.Sprintf("%.0f MB over the data", allocated/1e6)}, err
		}}})
	if err != nil {
		return nil, err
	}
	part, labels := part(x, c.Labels)
	against, err := s.pathsAgainstPeer(ctx, c.Name, part, indicators(labels))
	return []Group{whole, against}, err
}

// part takes every sixth document and the terms of at least two of these.
func part(x *sparse.CSR, labels []int) (*sparse.CSR, []int) {
	var rows, cols, of []int
	for i := 0; i < x.NumRows; i += pathPartEvery {
		rows, of = append(rows, i), append(of, labels[i])
	}
	x = x.SelectRows(rows)
	for j, count := range x.ColCounts() {
		if count >= 2 {
			cols = append(cols, j)
		}
	}
	return x.SelectCols(cols), of
}

// indicators are unit vectors, one column per class.
func indicators(labels []int) *mat.Dense {
	counts := make([]float64, slices.Max(labels)+1)
	for _, l := range labels {
		counts[l]++
	}
	y := mat.NewDense(len(labels), len(counts), nil)
	for i, l := range labels {
		y.Set(i, l, 1/math.Sqrt(counts[l]))
	}
	return y
}

// paths also returns the number of bytes that were allocated in all, a bound on the memory in use
// at any time.
func paths(ctx context.Context, x *sparse.CSR, y *mat.Dense, opt lars.Options) ([]*lars.Path, float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := lars.Fit(ctx, x, y, opt)
	runtime.ReadMemStats(&after)
	return p, float64(after.TotalAlloc - before.TotalAlloc), err
}

// pathsAgainstPeer measures the time per response: ours over all responses, scikit-learn's over the
// first ones.
func (s *session) pathsAgainstPeer(ctx context.Context, name string, x *sparse.CSR, y *mat.Dense) (Group, error) {
	n, responses := y.Dims()
	theirs := min(pathPeers, responses)
	var ours []*lars.Path
	all := []Contestant{{"lars", Native, func(ctx context.Context) (Outcome, error) {
		clock := startStopwatch()
		p, allocated, err := paths(ctx, x, y, lars.Options{Intercept: true, MaxSteps: pathTerms})
		ours = p
		return clock.outcome(float64(responses), fmt.Sprintf("%.0f MB over the data", allocated/1e6)), err
	}}}
	var values []float64
	if s.peer != nil {
		rows, err := s.export("paths-rows", x)
		if err != nil {
			return Group{}, err
		}
		given, err := s.export("paths-responses", mat.DenseCopyOf(y.Slice(0, n, 0, theirs)))
		if err != nil {
			return Group{}, err
		}
		all = append(all, Contestant{"scikit-learn lars_path, dense", Peer, func(ctx context.Context) (Outcome, error) {
			a, err := s.peer.ask(ctx, peerTask{Task: "paths", Files: []string{rows, given}, K: pathTerms, Seed: s.Seed})
			if err != nil {
				return Outcome{}, err
			}
			values = a.Values
			return Outcome{Seconds: a.Seconds / float64(theirs), CPU: a.CPU / float64(theirs), Note: fmt.Sprintf("%.0f MB", a.PeakMB)}, nil
		}})
	}
	g, err := s.compare(ctx, fmt.Sprintf("lasso paths of %d steps, seconds a response: %s, %d×%d", pathTerms, name, x.NumRows, x.NumCols), all)
	if err != nil || values == nil {
		return g, err
	}
	worst := 0.0
	for k := range theirs {
		at := values[k*x.NumCols:][:x.NumCols]
		terms, weights, _ := ours[k].At(ours[k].Knots() - 1)
		largest := 0.0
		for i, j := range terms {
			at[j] -= weights[i]
			largest = max(largest, math.Abs(weights[i]))
		}
		for _, v := range at {
			worst = max(worst, math.Abs(v)/largest)
		}
	}
	g.Notes = append(g.Notes, fmt.Sprintf("the last coefficients agree with scikit-learn's to %.0e of the largest", worst))
	return g, nil
}

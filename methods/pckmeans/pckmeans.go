package pckmeans

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Use is what cannot-links do.
type Use string

const (
	Enforce Use = "enforce" // all are kept. The default
	Weigh   Use = "weigh"   // each that is not kept costs a weight
)

// Options of Fit. The zero value of every field but K is its default.
type Options struct {
	// K is the number of clusters. The contract of package method sets it.
	K int `json:"k" range:">=1"`
	// Links is Enforce unless set.
	Links Use `json:"links,omitempty" flag:"links" choices:"enforce|weigh" default:"enforce" help:"cannot-links: keep all of them (enforce), or let each that is not kept cost ‹link-weight› (weigh); must-links are kept" group:"method"`
	// Weight of a cannot-link that is not kept, in units of the mean squared distance of a row to
	// the mean of all; 0 = 1.
	Weight float64 `json:"weight,omitempty" flag:"link-weight" range:">0" default:"1" when:"links=weigh" help:"what a cannot-link that is not kept costs, in units of the mean squared distance of documents from their mean" group:"method"`
	// Restarts is the number of starts, of which the best is kept; 0 = 10.
	Restarts int `json:"restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept" group:"method"`
	// MaxIter is the most moves of the centres of a start; 0 = 100.
	MaxIter int `json:"max_iter,omitempty" flag:"kmeans-iter" range:">=1" default:"100" help:"most iterations of one start of k-means" group:"method"`
	// Seed draws the starts.
	Seed uint64 `json:"seed"`
	// Name names a row in messages; nil: its number, counted from 0.
	Name func(row int) string `json:"-"`
	// Observer receives the starts done.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves.
func (o Options) Validate() error { return option.Check(&o) }

// Model is a clustering under links.
type Model struct {
	*kmeans.Model
	// Kept and Broken count the cannot-links between units.
	Kept, Broken int
}

const stage = "linked k-means"

// Fit clusters the rows of x, n×d, as kmeans.Fit takes them. groups are links of its rows by
// links.MustOnly, nil for none; known holds a class from 0 to K−1 or labels.Unknown for each row,
// nil for none. Labelled rows stay in the cluster of their class; without labels clusters are
// numbered by falling size.
//
// A start costs as many passes over all rows as moves, n·K·d multiplications each, as the bounds of
// package kmeans do not outlast a move. Errors are as for kmeans.Fit, and (fs.ErrInvalid) labels
// that contradict links, and cannot-links that no K clusters keep, or for which none were found in
// 200,000 steps.
func Fit(ctx context.Context, x mat.Matrix, groups *links.Groups, known []int, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	option.Default(&opt)
	x, err := rows.Checked(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if opt.Name == nil {
		opt.Name = func(i int) string { return fmt.Sprintf("document %d", i) }
	}
	if groups == nil {
		groups = &links.Groups{Group: slices.Repeat([]int32{-1}, n)}
	}
	if len(groups.Group) != n || known != nil && len(known) != n {
		return nil, invalid.Errorf("the links or labels are not of the %d documents", n)
	}
	u, err := newUnits(groups, known, opt.Name)
	if err != nil {
		return nil, err
	}
	whole, err := kmeans.Fit(ctx, x, kmeans.Options{K: 1, Restarts: 1})
	if err != nil {
		return nil, err
	}
	weight := opt.Weight * whole.Objective / float64(n)
	var best *Model
	least := math.Inf(1)
	for r := range opt.Restarts {
		m, cost, err := u.start(ctx, x, known, opt, weight, uint64(r))
		if err != nil {
			return nil, err
		}
		if cost < least {
			best, least = m, cost
		}
		opt.Observer.Report(stage, int64(r+1), int64(opt.Restarts), "starts")
	}
	return best, nil
}

// start is one start, and what it costs.
func (u *units) start(ctx context.Context, x mat.Matrix, known []int, opt Options, weight float64, number uint64) (*Model, float64, error) {
	first := kmeans.Options{K: opt.K, Restarts: 1, MaxIter: 1, Seed: opt.Seed + number*0x9e3779b97f4a7c15, Seeds: known}
	now, err := kmeans.Fit(ctx, x, first)
	if err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	place := make([]int, len(u.rows))
	for at, list := range u.rows {
		place[at] = now.Labels[list[0]]
	}
	seeds := none(n)
	copy(seeds, known)
	moves := 0
	for range opt.MaxIter {
		cost := u.costs(x, now.Centers)
		if opt.Links == Weigh {
			u.weigh(cost, place, weight)
		} else if place, err = u.enforce(ctx, cost, opt.Name); err != nil {
			return nil, 0, err
		}
		for at, list := range u.rows {
			for _, i := range list {
				seeds[i] = place[at]
			}
		}
		next, err := kmeans.Fit(ctx, x, kmeans.Options{K: opt.K, Start: now.Centers, Seeds: seeds, Clamp: true, MaxIter: 1})
		if err != nil {
			return nil, 0, err
		}
		moves++
		same := moves > 1
		for i, c := range next.Labels {
			same = same && now.Labels[i] == c
		}
		now = next
		if same {
			now.Converged = true
			break
		}
	}
	m := &Model{Model: now}
	m.Iterations = moves
	for at, others := range u.apart {
		for _, b := range others {
			if at < b && place[at] == place[b] {
				m.Broken++
			} else if at < b {
				m.Kept++
			}
		}
	}
	if known == nil {
		ranked(m.Model)
	}
	return m, m.Objective + weight*float64(m.Broken), nil
}

// costs are the sums of the squared distances of the rows of each unit to each centre. O(entries of
// the rows · centres).
func (u *units) costs(x mat.Matrix, centers *mat.Dense) [][]float64 {
	k, _ := centers.Dims()
	norm := make([]float64, k)
	for c := range norm {
		for _, v := range centers.RawRowView(c) {
			norm[c] += v * v
		}
	}
	out := make([][]float64, len(u.rows))
	for at, list := range u.rows {
		out[at] = make([]float64, k)
		for _, i := range list {
			for c := range k {
				out[at][c] += distance2(x, i, centers.RawRowView(c), norm[c])
			}
		}
	}
	return out
}

// distance2 is the squared distance of row i to a centre, whose squared length is norm.
func distance2(x mat.Matrix, i int, center []float64, norm float64) float64 {
	sum := 0.0
	switch x := x.(type) {
	case *mat.Dense:
		for j, v := range x.RawRowView(i) {
			sum += (v - center[j]) * (v - center[j])
		}
	case *sparse.CSR: // columns without an entry add the square of the centre alone
		cols, vals := x.Row(i)
		for p, c := range cols {
			sum += vals[p] * (vals[p] - 2*center[c])
		}
		sum = max(0, sum+norm)
	}
	return sum
}

// none are n rows without a number.
func none(n int) []int { return slices.Repeat([]int{labels.Unknown}, n) }

// ranked numbers the clusters by falling size, ties by their first row.
func ranked(m *kmeans.Model) {
	k := len(m.Sizes)
	first := make([]int, k)
	for c := range first {
		first[c] = len(m.Labels)
	}
	for i, c := range m.Labels {
		first[c] = min(first[c], i)
	}
	order := indices.By(k, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.Sizes[b], m.Sizes[a]), cmp.Compare(first[a], first[b]))
	})
	number, sizes, centers := make([]int, k), make([]int, k), mat.DenseCopyOf(m.Centers)
	for now, c := range order {
		number[c], sizes[now] = now, m.Sizes[c]
		centers.SetRow(now, m.Centers.RawRowView(c))
	}
	for i, c := range m.Labels {
		m.Labels[i] = number[c]
	}
	m.Sizes, m.Centers = sizes, centers
}

package metrics

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	rowpairs "github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Silhouettes are the silhouette values of one clustering.
type Silhouettes struct {
	// Mean is the silhouette coefficient: the mean over all rows, in [-1, 1]; 0 for fewer than two
	// clusters.
	Mean float64
	// Values holds the value of each row. It is 0 for a row that is alone in its cluster, and for
	// all rows if there are fewer than two clusters.
	Values []float64
}

const (
	silhouetteStage = "silhouette"
	// tileColumns is the number of rows that a goroutine processes at once; sumBytes is the memory
	// for sums of distances by row and cluster.
	tileColumns = 256
	sumBytes    = 256 << 20
)

// Silhouette computes the exact silhouette (Rousseeuw 1987) of a clustering of the rows of x in
// Euclidean distance: (b − a)/max(a, b), where a is the mean distance of a row to the others of its
// cluster and b the smallest mean distance to another cluster. Labels are arbitrary integers; a
// negative one is a cluster like any other.
//
// Cases without a definition: a row alone in its cluster has 0; a row with a = b = 0 has 0 (its
// cluster and the next are copies of it); with fewer than two clusters all rows have 0.
// scikit-learn returns an error for one cluster and for n clusters, and agrees otherwise.
//
// Cost: n²·d multiply-adds by matrix products (dense), n times the entries (sparse); n² additions.
// There is no n×n matrix: rows are processed in windows whose sums fit into 256 MiB. Errors
// (fs.ErrInvalid): a number of labels other than the number of rows, values that are not finite or
// whose squares overflow; and the error of ctx. Events have the stage "silhouette" and count rows.
func Silhouette(ctx context.Context, x mat.Matrix, labels []int, obs progress.Observer) (*Silhouettes, error) {
	s, err := SilhouetteEach(ctx, x, [][]int{labels}, obs)
	if err != nil {
		return nil, err
	}
	return s[0], nil
}

// SilhouetteEach is [Silhouette] for several clusterings of the same rows; all distances are
// computed once.
func SilhouetteEach(ctx context.Context, x mat.Matrix, labelings [][]int, obs progress.Observer) ([]*Silhouettes, error) {
	r, err := rowpairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	all, total := make([]*partition, len(labelings)), 0
	for q, labels := range labelings {
		if all[q], err = newPartition(labels, r.N); err != nil {
			return nil, err
		}
		if len(all[q].size) > 1 {
			total += len(all[q].size)
		}
	}
	if total > 0 {
		window := max(1, min(r.N, sumBytes/8/total))
		obs.Report(silhouetteStage, 0, int64(r.N), "rows")
		defer native.Parallel()()
		for lo := 0; lo < r.N; lo += window {
			hi := min(lo+window, r.N)
			if err := silhouetteWindow(ctx, r, lo, hi, all, obs); err != nil {
				return nil, err
			}
			obs.Report(silhouetteStage, int64(hi), int64(r.N), "rows")
		}
	}
	out := make([]*Silhouettes, len(all))
	for q, p := range all {
		out[q] = p.result()
	}
	return out, nil
}

// SilhouetteBytes estimates the memory, in bytes, of [SilhouetteEach] for n rows and clusterings
// with so many clusters in all.
func SilhouetteBytes(n, clusters int) int64 {
	return min(memory.Bytes(8, n, clusters), sumBytes)
}

// partition is a labeling with clusters numbered from 0.
type partition struct {
	label  []int
	size   []int
	values []float64
	sums   [][]float64 // sums of distances, by cluster and row of the window
}

func newPartition(labels []int, n int) (*partition, error) {
	if len(labels) != n {
		return nil, invalid.Errorf("there are %d labels for %d rows", len(labels), n)
	}
	p := &partition{label: make([]int, n), values: make([]float64, n)}
	seen := map[int]int{}
	for i, l := range labels {
		c, ok := seen[l]
		if !ok {
			c = len(p.size)
			seen[l] = c
			p.size = append(p.size, 0)
		}
		p.label[i] = c
		p.size[c]++
	}
	return p, nil
}

func (p *partition) result() *Silhouettes {
	s := &Silhouettes{Values: p.values}
	for _, v := range p.values {
		s.Mean += v
	}
	s.Mean /= float64(len(p.values))
	return s
}

// silhouetteWindow computes the values of the rows [lo, hi): distances from panels of all rows,
// added up by cluster in the order of rows.
func silhouetteWindow(ctx context.Context, r *rowpairs.Rows, lo, hi int, all []*partition, obs progress.Observer) error {
	to := r.Window(lo, hi)
	panel := rowpairs.NewPanel(r, to)
	for _, p := range all {
		if len(p.size) < 2 {
			continue
		}
		p.sums = make([][]float64, len(p.size))
		for c := range p.sums {
			p.sums[c] = make([]float64, to.N)
		}
	}
	tiles := make([][]float64, parallel.Workers(to.N, tileColumns))
	for w := range tiles {
		tiles[w] = make([]float64, panel.Size()*tileColumns)
	}
	rows := make([]int32, 0, panel.Size())
	for first := 0; first < r.N; first += panel.Size() {
		rows = rows[:0]
		for i := first; i < min(first+panel.Size(), r.N); i++ {
			rows = append(rows, int32(i))
		}
		panel.Load(rows)
		err := parallel.For(ctx, to.N, tileColumns, func(w, from, end int) error {
			width := end - from
			tile := tiles[w][:len(rows)*width]
			panel.SqDists(from, blas64.General{Rows: len(rows), Cols: width, Stride: width, Data: tile})
			for e, v := range tile {
				tile[e] = math.Sqrt(v)
			}
			for _, p := range all {
				if p.sums == nil {
					continue
				}
				for q := range rows {
					floats.Add(p.sums[p.label[first+q]][from:end], tile[q*width:(q+1)*width])
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if to.N == r.N && first/panel.Size()%64 == 63 {
			obs.Report(silhouetteStage, int64(first), int64(r.N), "rows")
		}
	}
	for _, p := range all {
		if p.sums != nil {
			p.finish(lo, to.N)
			p.sums = nil
		}
	}
	return nil
}

// finish converts the sums of a window to values.
func (p *partition) finish(lo, rows int) {
	for i := range rows {
		own := p.label[lo+i]
		if p.size[own] < 2 {
			continue
		}
		a, b := p.sums[own][i]/float64(p.size[own]-1), math.Inf(1)
		for c, s := range p.sums {
			if c != own {
				b = min(b, s[i]/float64(p.size[c]))
			}
		}
		p.values[lo+i] = silhouetteOf(a, b)
	}
}

func silhouetteOf(a, b float64) float64 {
	if m := max(a, b); m > 0 {
		return (b - a) / m
	}
	return 0
}

// SimplifiedSilhouette uses the distances to the means of the clusters instead of the mean
// distances (Hruschka, de Castro and Campello 2004): n·k·d multiply-adds instead of n²·d, k·d
// numbers of memory. Its rules and errors are as for [Silhouette].
func SimplifiedSilhouette(ctx context.Context, x mat.Matrix, labels []int) (*Silhouettes, error) {
	r, err := rowpairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	p, err := newPartition(labels, r.N)
	if err != nil {
		return nil, err
	}
	k := len(p.size)
	if k < 2 {
		return p.result(), nil
	}
	if r.D > math.MaxInt32/k {
		return nil, invalid.Errorf("%d means of %d columns are too large: reduce the columns or the number of clusters", k, r.D)
	}
	means, err := r.Means(ctx, p.label, k)
	if err != nil {
		return nil, err
	}
	centers, err := rowpairs.Like(ctx, means, r)
	if err != nil {
		return nil, err
	}
	grain := max(1, min(4096, (1<<20)/k/r.Work()))
	err = parallel.For(ctx, r.N, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			own := p.label[i]
			if p.size[own] < 2 {
				continue
			}
			a, b := 0.0, math.Inf(1)
			for c := range k {
				d := math.Sqrt(rowpairs.SqDist(r, i, centers, c))
				if c == own {
					a = d
				} else {
					b = min(b, d)
				}
			}
			p.values[i] = silhouetteOf(a, b)
		}
		return nil
	})
	return p.result(), err
}

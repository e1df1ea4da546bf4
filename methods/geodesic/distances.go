package geodesic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Stage is the progress stage of the events.
const Stage = "geodesic distances"

// Options of Distances and MaxMin.
type Options struct {
	// Sources are the source nodes; nil means all nodes.
	Sources  []int             `json:"-"`
	Observer progress.Observer `json:"-"`
}

// Table holds distances from sources to all nodes.
type Table struct {
	// D is sources×n with one row per source; +Inf if there is no path.
	D *mat.Dense
	// Sources are the nodes of the rows.
	Sources []int
	// Unreached counts the entries that are +Inf.
	Unreached int64
}

// Check returns an error if the matrix is not a graph of lengths: not square, empty, not symmetric
// bit for bit, or with an entry that is negative or not finite.
func Check(lengths *sparse.CSR) error {
	n := lengths.NumRows
	if n != lengths.NumCols {
		return invalid.Errorf("the matrix of edge lengths is %d × %d: it must be square", n, lengths.NumCols)
	}
	if n == 0 {
		return invalid.Errorf("the graph is empty: it needs at least one node")
	}
	for i := range n {
		cols, vals := lengths.Row(i)
		for k, v := range vals {
			if !(v >= 0) || math.IsInf(v, 1) {
				return invalid.Errorf("the edge from node %d to node %d (counted from 0) has the length %v: lengths must be finite and not negative", i, cols[k], v)
			}
		}
	}
	t := lengths.Transpose()
	if !slices.Equal(t.RowPtr, lengths.RowPtr) || !slices.Equal(t.Col, lengths.Col) || !slices.Equal(t.Val, lengths.Val) {
		return invalid.Errorf("the lengths are not symmetric: every edge needs both directions with the same length")
	}
	return nil
}

// Distances computes the distances from opt.Sources, or from all nodes, to all nodes. Memory: 8
// bytes per pair and [WorkerBytes] per goroutine; more than the context leaves for the pairs is an
// error before any work. Time: some 2 to 4 passes over the edges for 16 sources. With a store in
// the context (internal/store), blocks of rows are kept there. Errors: a wrong graph or wrong
// sources (errors.Is(err, fs.ErrInvalid)), and the error of ctx.
func Distances(ctx context.Context, lengths *sparse.CSR, opt Options) (*Table, error) {
	if err := Check(lengths); err != nil {
		return nil, err
	}
	n := lengths.NumRows
	t, err := newTable(ctx, n, opt)
	if err != nil {
		return nil, err
	}
	if err := t.measureBlocks(ctx, lengths, opt.Observer); err != nil {
		return nil, err
	}
	if opt.Sources == nil {
		err = t.equal(ctx)
	}
	t.count(opt.Observer)
	return t, err
}

func newTable(ctx context.Context, n int, opt Options) (*Table, error) {
	sources := slices.Clone(opt.Sources)
	if opt.Sources == nil {
		sources = indices.UpTo(n)
	}
	if len(sources) == 0 {
		return nil, invalid.Errorf("there are no source nodes: give at least one")
	}
	for _, s := range sources {
		if s < 0 || s >= n {
			return nil, invalid.Errorf("source node %d does not exist: nodes are 0 to %d", s, n-1)
		}
	}
	left := memory.Left(ctx)
	way := "give fewer documents"
	if most := left / 8 / int64(n); most > 0 {
		way = fmt.Sprintf("use at most %d landmarks", most)
	}
	if err := memory.Check(memory.Bytes(8, len(sources), n), left, way, "the distances from %d to %s", len(sources), words.Counted(n, "node")); err != nil {
		return nil, err
	}
	return &Table{D: mat.NewDense(len(sources), n, nil), Sources: sources}, nil
}

// measure computes one row.
func (t *Table) measure(ctx context.Context, s *Search, row int) error {
	d := t.D.RawRowView(row)
	for j := range d {
		d[j] = math.Inf(1)
	}
	return s.From(ctx, t.Sources[row], func(v int32, distance float64) bool {
		d[v] = distance
		return true
	})
}

// equal sets both directions of a pair to the smaller of the two sums.
func (t *Table) equal(ctx context.Context) error {
	n, _ := t.D.Dims()
	const tile = 64 // both tiles of a pair stay in the cache
	return parallel.For(ctx, n, tile, func(_, lo, hi int) error {
		for from := 0; from < hi; from += tile {
			for i := lo; i < hi; i++ {
				row := t.D.RawRowView(i)
				for j := from; j < min(from+tile, i); j++ {
					other := t.D.RawRowView(j)
					least := min(row[j], other[i])
					row[j], other[i] = least, least
				}
			}
		}
		return nil
	})
}

// count counts the pairs without a path and reports them.
func (t *Table) count(obs progress.Observer) {
	rows, cols := t.D.Dims()
	for i := range rows {
		for _, d := range t.D.RawRowView(i) {
			if math.IsInf(d, 1) {
				t.Unreached++
			}
		}
	}
	if t.Unreached > 0 {
		obs.Warnf(Stage, "%d of %d pairs of nodes have no path between them: the graph is not connected.", t.Unreached, int64(rows)*int64(cols))
	}
}

// MaxMin chooses count landmarks one after the other and computes the distances from them. The seed
// draws the first; each further one is the farthest from those before it (ties: the lowest node; a
// node without a path counts as farthest). (de Silva and Tenenbaum 2004, "Sparse multidimensional
// scaling using landmark points", section 2.) opt.Sources is ignored. The searches run one after
// the other on one core; otherwise it costs as much as Distances.
func MaxMin(ctx context.Context, lengths *sparse.CSR, count int, seed uint64, opt Options) (*Table, error) {
	if err := Check(lengths); err != nil {
		return nil, err
	}
	n := lengths.NumRows
	if count < 1 || count > n {
		return nil, invalid.Errorf("%d landmarks were requested, but there are %d nodes: choose 1 to %d", count, n, n)
	}
	opt.Sources = make([]int, count)
	t, err := newTable(ctx, n, opt)
	if err != nil {
		return nil, err
	}
	s, nearest := NewSearch(lengths), make([]float64, n)
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	next := rand.New(rand.NewPCG(seed, 0x6c616e646d61726b)).IntN(n)
	tell := newCounter(opt.Observer, count)
	for row := range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.Sources[row] = next
		if err := t.measure(ctx, s, row); err != nil {
			return nil, err
		}
		for v, d := range t.D.RawRowView(row) {
			nearest[v] = min(nearest[v], d)
		}
		nearest[next] = -1 // also if copies of it are at distance 0
		next = 0
		for v, d := range nearest {
			if d > nearest[next] {
				next = v
			}
		}
		tell.add(1)
	}
	t.count(opt.Observer)
	return t, nil
}

// counter reports finished sources a few times per second, from any goroutine.
type counter struct {
	obs   progress.Observer
	total int64
	mu    sync.Mutex
	done  int64
	last  time.Time
}

func newCounter(obs progress.Observer, total int) *counter {
	obs.Report(Stage, 0, int64(total), "nodes")
	return &counter{obs: obs, total: int64(total), last: time.Now()}
}

func (c *counter) add(n int) {
	if c.obs == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += int64(n)
	if now := time.Now(); now.Sub(c.last) > 200*time.Millisecond || c.done == c.total {
		c.last = now
		c.obs.Report(Stage, c.done, c.total, "nodes")
	}
}

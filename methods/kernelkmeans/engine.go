package kernelkmeans

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
)

const stage = "kernel k-means"

// engine is what all runs share.
type engine struct {
	n       int
	diag    []float64
	src     source
	graph   *sparse.CSR // if K is sparse: sums come from its rows
	tiles   [][]float64 // of each worker
	shift   float64
	obs     progress.Observer
	spoken  time.Time
	storage Storage
	bytes   int64
}

// Storage is the source of the rows of the kernel.
type Storage string

// The sources.
const (
	Matrix Storage = "matrix" // formed once, 8·n² bytes
	Blocks Storage = "blocks" // computed anew when needed
	Given  Storage = "given"  // precomputed
)

// newEngine forms the kernel matrix if it fits.
func newEngine(ctx context.Context, k *kernel) (*engine, error) {
	e := &engine{n: k.rows(), shift: k.opt.Shift, obs: k.opt.Observer, storage: Given}
	var err error
	if e.diag, err = k.diagonal(k.data); err != nil {
		return nil, err
	}
	switch {
	case k.graph != nil:
		e.graph, e.src = k.graph, &entries{a: k.graph}
	case k.data == nil:
		e.src = &stored{m: k.dense}
	default:
		c := &computed{k: k, panel: pairs.NewPanel(k.data, k.data)}
		n := int64(e.n)
		if e.storage = storageFor(n, k.most); e.storage == Blocks {
			e.src, e.bytes = c, pairs.PanelBytes(k.data.N, k.data.D, k.data.Sparse())
			e.obs.Notef(stage, "The kernel matrix of %d rows would take %d MiB, more than the %d MiB allowed: its rows are computed when they are needed.",
				n, n*n>>17, k.most>>20)
			break
		}
		s, err := form(ctx, c, func(done int) { e.report(done, e.n) })
		if err != nil {
			return nil, err
		}
		e.src, e.bytes = s, 8*n*n
	}
	e.makeTiles()
	return e, nil
}

// matrixBytes is the size of the largest kernel matrix that is formed, in bytes: it has 11,585
// rows.
const matrixBytes = 1 << 30

func storageFor(n, most int64) Storage {
	if n <= most/8/n {
		return Matrix
	}
	return Blocks
}

// report reports rows of the kernel, a few times per second.
func (e *engine) report(done, total int) {
	if e.obs == nil {
		return
	}
	if now := time.Now(); now.Sub(e.spoken) > 200*time.Millisecond {
		e.spoken = now
		e.obs.Report("kernel rows", int64(done), int64(total), "rows")
	}
}

// each visits the given rows of K: visit gets a part [lo, hi) of the columns of
// rows[first:first+len(part)], on any goroutine.
func (e *engine) each(ctx context.Context, rows []int32, visit func(first, lo, hi int, part [][]float64)) error {
	outs := make([][][]float64, len(e.tiles))
	for first := 0; first < len(rows); first += e.src.size() {
		panel := rows[first:min(first+e.src.size(), len(rows))]
		e.src.load(panel)
		err := parallel.For(ctx, e.n, columns, func(w, lo, hi int) error {
			if outs[w] == nil {
				outs[w] = make([][]float64, e.src.size())
			}
			part := outs[w][:len(panel)]
			e.src.fill(lo, hi, e.tiles[w], part)
			visit(first, lo, hi, part)
			return nil
		})
		if err != nil {
			return err
		}
		if e.src.computes() {
			e.report(first+len(panel), len(rows))
		}
	}
	return nil
}

// update brings the sums of all runs up to date with their labels.
func (e *engine) update(ctx context.Context, runs []*run) error {
	if e.graph != nil {
		return e.updateSparse(ctx, runs)
	}
	needed := make([]bool, e.n)
	for _, r := range runs {
		r.renew()
		for i, a := range r.label {
			if a != r.in[i] {
				needed[i] = true
			}
		}
	}
	var rows []int32
	for i, yes := range needed {
		if yes {
			rows = append(rows, int32(i))
		}
	}
	err := e.each(ctx, rows, func(first, lo, hi int, part [][]float64) {
		for _, r := range runs {
			for q, values := range part {
				i := rows[first+q]
				from, to := r.in[i], r.label[i]
				if from == to {
					continue
				}
				if from >= 0 {
					floats.Sub(r.sums[from][lo:hi], values)
				}
				floats.Add(r.sums[to][lo:hi], values)
			}
		}
	})
	for _, r := range runs {
		copy(r.in, r.label)
	}
	return err
}

// updateSparse sums again: one pass over the entries per run.
func (e *engine) updateSparse(ctx context.Context, runs []*run) error {
	grain := max(1, min(4096, (1<<18)/(e.graph.NNZ()/e.n+1)))
	return parallel.For(ctx, e.n, grain, func(_, lo, hi int) error {
		for _, r := range runs {
			for c := range r.sums {
				clear(r.sums[c][lo:hi])
			}
			for i := lo; i < hi; i++ {
				cols, vals := e.graph.Row(i)
				for p, j := range cols {
					r.sums[r.label[j]][i] += vals[p]
				}
				r.in[i] = r.label[i]
			}
		}
		return nil
	})
}

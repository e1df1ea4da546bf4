package nmf

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// run is the state of one start: its factors and its progress.
type run struct {
	p          *problem
	opt        Options
	w          workspace
	solver     Solver
	a, b       side // W and Hᵀ
	gramA      block
	gramB      block
	startNorm  float64 // of the gradient at the start
	history    []float64
	kkt        float64
	iterations int
	converged  bool
	early      bool // the objective's decrease may end it
}

// kernelColumns divides the padded number of columns of factors: the sparse tiles are fastest in
// fours.
const kernelColumns = 4

func paddedWidth(k int) int { return (k + kernelColumns - 1) / kernelColumns * kernelColumns }

// chunkRows is the number of rows of a factor that are handled at a time.
func chunkRows(width int) int { return max(16, 4096/width) }

// newRun makes the memory of a restart that works on the given number of goroutines through each.
func newRun(p *problem, k int, solver Solver, workers int, each parallel.Loop) *run {
	n, m := p.size()
	width := paddedWidth(k)
	r := &run{p: p, solver: solver, gramA: newBlock(k, k, k), gramB: newBlock(k, k, k)}
	r.w = workspace{k: k, width: width, chunk: chunkRows(width), each: each}
	newSide := func(op operator, rows int) side {
		s := side{op: op, f: newBlock(rows, k, width), g: newBlock(rows, k, width), partials: make([]partial, (rows+r.w.chunk-1)/r.w.chunk)}
		s.p, s.same = s.g, true
		if solver == Multiplicative {
			s.p, s.same = newBlock(rows, k, width), false
		}
		return s
	}
	r.a, r.b = newSide(p.x, n), newSide(p.xt, m)
	r.a.join, r.a.add = p.kept.Sum, ranks.Alone{}.Sum
	r.b.join, r.b.add = p.kept.Share, p.kept.Sum
	r.a.cuts = cutsOf(p.kept, r.w.chunk)
	switch solver {
	case ProjectedGradient:
		for i := range r.w.candidate {
			r.w.candidate[i] = candidate{make([]float64, max(n, m)*width), make([]float64, max(n, m)*width)}
		}
	case Multiplicative:
		for range workers {
			r.w.scratch = append(r.w.scratch, newBlock(r.w.chunk, k, width))
		}
	case HALS:
		r.w.layEights(workers)
		all := p.kept.Total()
		r.a.repeats, r.b.repeats = repeats(p.entries, all, m, k), repeats(p.entries, m, all, k)
	}
	return r
}

// runBytes is the memory that newRun takes.
func runBytes(n, m int, opt Options) int64 {
	rows := 2 * (n + m) // of blocks
	switch opt.Solver {
	case ProjectedGradient:
		rows += 4 * max(n, m)
	case Multiplicative:
		rows += n + m
	}
	return memory.Sum(memory.Bytes(8, rows, paddedWidth(opt.Dims)), memory.Bytes(3*8, opt.Dims, opt.Dims))
}

// repeats is the number of sweeps over a factor of the given rows that are allowed per product with
// the data: 1 + half of the ratio of their costs.
func repeats(entries, rows, others, k int) int {
	product := float64(entries) + float64(others)*float64(k)
	return 1 + int(halsCost*(1+product/(float64(rows)*float64(k))))
}

// size returns how many own rows and columns are kept.
func (p *problem) size() (n, m int) {
	n, m = p.n, p.m
	if p.rows != nil {
		n = len(p.rows)
	}
	if p.cols != nil {
		m = len(p.cols)
	}
	return n, m
}

// start fills the factors and computes gradients and objective there.
func (r *run) start(ctx context.Context, restart int, opt Options) error {
	given := opt.StartW != nil
	if given {
		r.place(opt.StartW, opt.StartH)
	} else {
		rng := rand.New(rand.NewPCG(opt.Seed, uint64(restart)))
		skip := func(rows int) {
			for range rows * r.w.k {
				rng.Uint64()
			}
		}
		draw := func(f block) {
			for i := range f.Rows {
				for j := range r.w.k {
					f.Data[i*f.Stride+j] = 1 - rng.Float64()
				}
			}
		}
		first, own, all := r.p.kept.First(), r.p.kept.Own(), r.p.kept.Total()
		skip(first)
		draw(r.a.f)
		skip(all - first - own)
		draw(r.b.f)
	}
	r.early = opt.early
	r.a.alpha, r.b.alpha = 1, 1
	r.history, r.iterations, r.converged = r.history[:0], 0, false
	r.a.gram(r.gramA)
	r.b.gram(r.gramB)
	if !given {
		// The multiple of the random product that is nearest to X: ⟨X, A·Bᵀ⟩/‖A·Bᵀ‖².
		if err := r.w.renew(ctx, &r.a, r.b.f, r.gramB, true); err != nil {
			return err
		}
		c := math.Sqrt(math.Sqrt(r.a.inner / inner(r.gramA, r.gramB)))
		for _, s := range []*side{&r.a, &r.b} {
			for i := range s.f.Data {
				s.f.Data[i] *= c
			}
		}
		r.a.gram(r.gramA)
		r.b.gram(r.gramB)
	}
	if err := r.w.renew(ctx, &r.b, r.a.f, r.gramA, true); err != nil {
		return err
	}
	if err := r.w.renew(ctx, &r.a, r.b.f, r.gramB, true); err != nil {
		return err
	}
	norm := 0.0
	for _, s := range []*side{&r.a, &r.b} {
		norm += s.joined(partial{a: dot(s.g.Data, s.g.Data)}).a
	}
	r.startNorm = math.Sqrt(norm)
	r.a.tol = max(outerLoosest, opt.Tol) * r.startNorm
	r.b.tol = r.a.tol
	r.note(opt.Tol)
	return nil
}

// place begins at given factors of the whole matrix.
func (r *run) place(w, h *mat.Dense) {
	c := 1 / math.Sqrt(r.p.scale)
	for i := range r.a.f.Rows {
		for j := range r.w.k {
			r.a.f.Data[i*r.a.f.Stride+j] = c * w.At(r.p.row(i), j)
		}
	}
	for i := range r.b.f.Rows {
		for j := range r.w.k {
			r.b.f.Data[i*r.b.f.Stride+j] = c * h.At(j, r.p.col(i))
		}
	}
}

// inner returns ⟨x, y⟩ of two small square matrices.
func inner(x, y block) float64 {
	s := 0.0
	for i, v := range x.Data {
		s += v * y.Data[i]
	}
	return s
}

// decreaseOver is the number of iterations whose decrease ends a run.
const decreaseOver = 10

// note records the objective ½‖X‖² − ⟨A, X·B⟩ + ½⟨AᵀA, BᵀB⟩ and the norm of the projected gradient.
func (r *run) note(tol float64) {
	f := 0.5*r.p.square - r.a.inner + 0.5*inner(r.gramA, r.gramB)
	r.history = append(r.history, max(f, 0))
	r.kkt = 0
	if pg := math.Sqrt(r.a.pg + r.b.pg); pg > 0 {
		r.kkt = pg / r.startNorm
	}
	r.converged = r.kkt <= tol
	if i := len(r.history) - 1; (r.solver == Multiplicative || r.early) && i >= decreaseOver {
		r.converged = r.converged || r.history[i-decreaseOver]-r.history[i] <= tol*r.history[0]
	}
}

// factorise lowers the objective until the projected gradient is small enough, no step helps or the
// iterations run out. It calls step after every iteration, whose error ends it.
func (r *run) factorise(ctx context.Context, opt Options, step func(iterations int) error) error {
	for !r.converged && r.iterations < opt.MaxIter {
		stuckA, err := r.update(ctx, &r.a, r.gramB)
		if err != nil {
			return err
		}
		r.a.gram(r.gramA)
		if err := r.w.renew(ctx, &r.b, r.a.f, r.gramA, r.solver == ProjectedGradient); err != nil {
			return err
		}
		stuckB, err := r.update(ctx, &r.b, r.gramA)
		if err != nil {
			return err
		}
		r.b.gram(r.gramB)
		if err := r.w.renew(ctx, &r.a, r.b.f, r.gramB, true); err != nil {
			return err
		}
		r.iterations++
		r.note(opt.Tol)
		if err := step(r.iterations); err != nil {
			return err
		}
		if stuckA && stuckB {
			break
		}
	}
	return nil
}

// update lowers the objective over one factor. Afterwards the gradient of the second one is at the
// new factor, and measured; that of the first one is renewed before it is needed.
func (r *run) update(ctx context.Context, s *side, gram block) (stuck bool, err error) {
	measured := s == &r.b
	switch r.solver {
	case Multiplicative:
		return false, r.w.multiplicative(ctx, s, gram, measured)
	case HALS:
		return false, r.w.hals(ctx, s, gram, measured)
	}
	return r.w.projectedGradient(ctx, s, gram)
}

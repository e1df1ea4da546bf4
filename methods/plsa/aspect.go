package plsa

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/sparse"
)

// aspects is Hofmann's model. With r(i,j) = n(i,j) / Σ_k P(z_k|d_i) Θ_kj the M-step's sums of
// responsibilities are P(z_k|d_i) Σ_j r(i,j) Θ_kj for documents and Θ_kj Σ_i r(i,j) P(z_k|d_i) for
// terms.
type aspects struct {
	pr    *problem
	place []int32     // place in Xᵀ of each entry of X
	ratio *sparse.CSR // rᵀ, p×n
	cols  bands       // of ratio
	q     block       // the next P(z|d)
	theta block       // the next Θ
	acc   [][]float64 // K of each worker
	probs [][]float64 // of each worker: the mixed probabilities of a document's entries
	// ratios are the counts of a document's entries divided by probs.
	ratios [][]float64
}

func newAspects(pr *problem) *aspects {
	a := &aspects{pr: pr, q: newBlock(pr.n, pr.k), theta: newBlock(pr.p, pr.k)}
	a.ratio, a.place = transposed(pr.x)
	a.cols = newBands(a.ratio, pr.k)
	a.acc = make([][]float64, parallel.Workers(pr.n, 1))
	a.probs, a.ratios = make([][]float64, len(a.acc)), make([][]float64, len(a.acc))
	longest := pr.longest()
	for w := range a.acc {
		a.acc[w], a.probs[w], a.ratios[w] = make([]float64, a.q.Stride), make([]float64, longest), make([]float64, longest)
	}
	return a
}

// transposed returns the structure of xᵀ with values of 0, and the place of each entry of x in it.
func transposed(x *sparse.CSR) (*sparse.CSR, []int32) {
	t := &sparse.CSR{NumRows: x.NumCols, NumCols: x.NumRows, RowPtr: make([]int, x.NumCols+1),
		Col: make([]int32, x.NNZ()), Val: make([]float64, x.NNZ())}
	place := make([]int32, x.NNZ())
	for _, j := range x.Col {
		t.RowPtr[j+1]++
	}
	next := make([]int, x.NumCols)
	for j := range x.NumCols {
		t.RowPtr[j+1] += t.RowPtr[j]
		next[j] = t.RowPtr[j]
	}
	for i := range x.NumRows {
		for e := x.RowPtr[i]; e < x.RowPtr[i+1]; e++ {
			at := next[x.Col[e]]
			next[x.Col[e]]++
			t.Col[at], place[e] = int32(i), int32(at)
		}
	}
	return t, place
}

// begin starts from documents that are equal mixtures of all topics, except labelled ones.
func (a *aspects) begin(s *state) {
	k := a.pr.k
	for i := range a.pr.n {
		row := s.q.Data[i*s.q.Stride:][:k]
		if y := a.pr.class[i]; y >= 0 {
			clear(row)
			row[y] = 1
			continue
		}
		for c := range row {
			row[c] = 1 / float64(k)
		}
	}
}

// negligible is the bound below which a P(z|d) is set to 0: its products with Θ would be subnormal,
// and cost a hundred times as much.
const negligible = 1e-250

// expect makes one sweep over the entries: 4·K flops, a logarithm and 8·K scattered bytes each. An
// entry's ratio goes to its place in the transposed order, 8 bytes.
func (a *aspects) expect(ctx context.Context, s *state) (loglik, prior float64, err error) {
	pr := a.pr
	g := max(1, min(pr.n, elements/(pr.k*(1+pr.x.NNZ()/pr.n))))
	parts := make([]float64, parallel.Chunks(pr.n, g))
	err = parallel.For(ctx, pr.n, g, func(w, lo, hi int) error {
		acc, sum := a.acc[w], 0.0
		for i := lo; i < hi; i++ {
			now := s.q.Data[i*s.q.Stride:][:len(acc)]
			next := a.q.Data[i*a.q.Stride:][:len(acc)]
			clear(acc)
			first, last := pr.x.RowPtr[i], pr.x.RowPtr[i+1]
			counts, probs, ratios := pr.x.Val[first:last], a.probs[w][:last-first], a.ratios[w][:last-first]
			sweep(acc, now, s.theta, pr.x.Col[first:last], counts, probs, ratios)
			for e, at := range a.place[first:last] {
				a.ratio.Val[at] = ratios[e]
			}
			vecmath.Log(probs)
			for e, v := range probs {
				sum += counts[e] * v
			}
			if pr.class[i] >= 0 || pr.length[i] == 0 {
				copy(next, now)
				continue
			}
			mixed(next, now, acc)
		}
		parts[lo/g] = sum
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	for _, v := range parts {
		loglik += v
	}
	logs, err := logarithms(ctx, block{}, s.theta, pr.k)
	loglik, prior = pr.objective(loglik, pr.pseudo*logs)
	return loglik, prior, err
}

// mixed sets next to the distribution proportional to now·acc.
func mixed(next, now, acc []float64) {
	sum := 0.0
	for c, v := range acc {
		next[c] = now[c] * v
		sum += next[c]
	}
	for c := range next {
		if next[c] /= sum; next[c] < negligible {
			next[c] = 0
		}
	}
}

func (a *aspects) maximize(ctx context.Context, s *state) error {
	pr := a.pr
	if err := pr.overDocuments(ctx, a.cols, a.theta, s.q); err != nil {
		return err
	}
	stride := s.theta.Stride
	err := parallel.For(ctx, pr.p, grain(stride), func(_, lo, hi int) error {
		to := a.theta.Data[lo*stride : hi*stride]
		for at, v := range s.theta.Data[lo*stride : hi*stride] {
			to[at] *= v
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := pr.distributions(ctx, a.theta); err != nil {
		return err
	}
	s.q, a.q = a.q, s.q
	s.theta, a.theta = a.theta, s.theta
	return a.weigh(ctx, s)
}

// weigh sets P(z) = Σ_d P(d) P(z|d), in which each word counts the same; without any word the
// topics keep equal weights.
func (a *aspects) weigh(ctx context.Context, s *state) error {
	if a.pr.total == 0 {
		return nil
	}
	return a.pr.weigh(ctx, s, a.pr.length)
}

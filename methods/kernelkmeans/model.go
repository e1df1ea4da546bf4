package kernelkmeans

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Model is a finished clustering. Clusters are numbered by falling size, ties by their first row.
type Model struct {
	Labels     []int     // cluster of each row, 0..K-1
	Sizes      []int     // rows of each cluster; 0 if there are fewer distinct rows than clusters
	Objective  float64   // Σ_i ‖φ(x_i) − mean of its cluster‖²
	History    []float64 // the objective after each move; never rises, ends with Objective
	Iterations int       // moves of the means
	Converged  bool      // the last move changed no row's cluster, or not the objective
	Indefinite bool      // a move raised the objective, and was taken back: there is no feature space
	Repaired   int       // empty clusters that were given a row on the way
	Width      float64   // t of the Gaussian kernel, given or computed; 0 for other kernels
	// Silhouette is the simplified silhouette in feature space: the mean of (b−a)/max(a, b), a
	// the distance to the own mean and b to the nearest other one; 0 for a row alone in its
	// cluster, and if there is one cluster only.
	Silhouette float64
	Storage    Storage // source of the rows of the kernel
	// KernelBytes is the memory that the kernel took: the matrix, or a panel of its rows; 0 if it
	// was given.
	KernelBytes int64

	predictor *Predictor
	sure      method.Certainty // of each row; empty if Indefinite
}

var errNotFitted = invalid.Errorf("the kernel k-means model is empty: fit it first")

func newModel(e *engine, k *kernel, r *run) *Model {
	first := make([]int, r.k)
	for c := range first {
		first[c] = math.MaxInt
	}
	for i, c := range r.label {
		first[c] = min(first[c], i)
	}
	byRank := indices.By(r.k, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.size[b], r.size[a]), cmp.Compare(first[a], first[b]))
	})
	m := &Model{
		Labels: make([]int, e.n), Sizes: make([]int, r.k), History: r.history, Iterations: r.iterations,
		Converged: r.converged, Indefinite: r.indefinite, Repaired: r.repaired, Storage: e.storage, KernelBytes: e.bytes,
	}
	m.Objective = m.History[len(m.History)-1]
	if k.opt.Kernel == Gaussian {
		m.Width = k.opt.Width
	}
	inverse, square := means(r.size, r.within)
	rank, lengths := make([]int, r.k), make([]float64, r.k)
	for now, c := range byRank {
		rank[c] = now
		if m.Sizes[now] = r.size[c]; r.size[c] > 0 {
			lengths[now] = square[c]
		}
	}
	for i, c := range r.label {
		m.Labels[i] = rank[c]
	}
	m.predictor = &Predictor{Rule: newRule(k.opt, r.k), X: k.x, Labels: m.Labels, MeanLengths: lengths, data: k.data, obs: k.opt.Observer}
	m.Silhouette, m.sure = e.silhouette(r, inverse, square)
	return m
}

// silhouette is the simplified one. After a move that was taken back the sums still belong to the
// move, and the silhouette is left at 0. sure has the distances and silhouettes of the rows.
func (e *engine) silhouette(r *run, inverse, square []float64) (mean float64, sure method.Certainty) {
	if r.indefinite {
		return 0, sure
	}
	sum := 0.0
	sure = method.Certainty{Distance: make([]float64, e.n), Confidence: make([]float64, e.n)}
	for i, c := range r.label {
		a, b := 0.0, math.Inf(1)
		for o := range r.k {
			if r.size[o] == 0 {
				continue
			}
			d := math.Sqrt(max(0, e.diag[i]+e.gain(r, i, o, inverse[o], square[o])))
			if int32(o) == c {
				a = d
			} else {
				b = min(b, d)
			}
		}
		sure.Distance[i], sure.Confidence[i] = a, method.Separation(a, b)
		if r.size[c] > 1 && !math.IsInf(b, 1) && max(a, b) > 0 {
			sum += (b - a) / max(a, b)
		}
	}
	return sum / float64(e.n), sure
}

// sameColumns checks the width of new rows.
func sameColumns(x mat.Matrix, want int, who string) error {
	if x == nil {
		return invalid.Errorf("there is no data matrix")
	}
	if _, d := x.Dims(); d != want {
		return invalid.Errorf("the rows have %d columns, but %s %d", d, who, want)
	}
	return nil
}

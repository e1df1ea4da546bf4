package gmm

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Mixture has the parameters Θ of a mixture of K Gaussians in d dimensions. An [Estimator] makes
// and updates it. Reading it is safe for concurrent use; its slices and matrices must not be
// written.
type Mixture struct {
	Type    Covariance
	Weights []float64  // α, K, summing to 1
	Means   *mat.Dense // µ, K×d
	// Ridge is what the regularisation contributes to each diagonal entry of a component's
	// covariance, in squared units of the data, K values; for a tied covariance K times the same.
	Ridge []float64
	// Raised marks the components whose ridge was raised above the one asked for; all or none for a
	// tied covariance.
	Raised []bool
	// Lost marks the components that lost all weight: see the package comment.
	Lost []bool

	k, d int
	// cov holds the covariances. Full and Tied: d×d blocks, K or one, with Σ in the upper triangle,
	// diagonal included, and the Cholesky factor L (Σ = LLᵀ) strictly below it. Diagonal:
	// variances, K×d. Spherical: variances, K.
	cov []float64
	// pivot is the diagonal of L, d values per block; for Diagonal and Spherical the inverse
	// variances, as cov.
	pivot []float64
	// leaves are the inverses of the diagonal leaf×leaf blocks of L, d·leaf numbers per block.
	leaves []float64
	// logNorm is −½(d·log 2π + log|Σ_k|), K.
	logNorm []float64
	// level is the ridge in force: pseudo-observations (RidgePrior) or the number added to the
	// diagonals, one value per block.
	level []float64
	// penalty is the prior's penalty on the objective: ½ Σ_k ν(log|Σ_k| + s² tr Σ_k⁻¹), one sum per
	// block.
	penalty []float64
}

func newMixture(kind Covariance, k, d int, level float64) *Mixture {
	m := &Mixture{
		Type: kind, k: k, d: d,
		Weights: make([]float64, k), Means: mat.NewDense(k, d, nil),
		Ridge: make([]float64, k), Raised: make([]bool, k), Lost: make([]bool, k),
		logNorm: make([]float64, k),
	}
	b := m.blocks()
	m.cov = make([]float64, b*m.blockLen())
	m.level, m.penalty = make([]float64, b), make([]float64, b)
	for i := range m.level {
		m.level[i] = level
	}
	if m.dense() {
		m.pivot, m.leaves = make([]float64, b*d), make([]float64, b*leafLen(d))
	} else {
		m.pivot = make([]float64, len(m.cov))
	}
	return m
}

// Dims returns the number of components and of dimensions.
func (m *Mixture) Dims() (k, d int) { return m.k, m.d }

// dense says whether covariances are d×d matrices.
func (m *Mixture) dense() bool { return m.Type == Full || m.Type == Tied }

// blocks is the number of covariances, blockLen the number of values in one.
func (m *Mixture) blocks() int {
	if m.Type == Tied {
		return 1
	}
	return m.k
}

func (m *Mixture) blockLen() int {
	switch m.Type {
	case Diagonal:
		return m.d
	case Spherical:
		return 1
	}
	return m.d * m.d
}

// block returns the place in cov of component k.
func (m *Mixture) block(k int) []float64 {
	if m.Type == Tied {
		k = 0
	}
	n := m.blockLen()
	return m.cov[k*n : (k+1)*n : (k+1)*n]
}

func (m *Mixture) factor(k int) factor {
	if m.Type == Tied {
		k = 0
	}
	w := leafLen(m.d)
	return factor{m.d, m.block(k), m.pivot[k*m.d : (k+1)*m.d], m.leaves[k*w : (k+1)*w]}
}

func (m *Mixture) mean(k int) []float64 { return m.Means.RawRowView(k) }

// Covariance returns Σ_k as a new d×d matrix.
func (m *Mixture) Covariance(k int) *mat.SymDense {
	s := mat.NewSymDense(m.d, nil)
	b := m.block(k)
	for i := range m.d {
		switch m.Type {
		case Diagonal:
			s.SetSym(i, i, b[i])
		case Spherical:
			s.SetSym(i, i, b[0])
		default:
			for j := i; j < m.d; j++ {
				s.SetSym(i, j, b[i*m.d+j])
			}
		}
	}
	return s
}

// Parameters returns how many free parameters the mixture has: K−1 weights, K·d means, and the
// covariances' K·d(d+1)/2 (full), d(d+1)/2 (tied), K·d (diagonal) or K (spherical).
func (m *Mixture) Parameters() int {
	k, d := m.k, m.d
	p := k - 1 + k*d
	switch m.Type {
	case Tied:
		return p + d*(d+1)/2
	case Diagonal:
		return p + k*d
	case Spherical:
		return p + k
	}
	return p + k*(d*(d+1)/2)
}

// Reorder renumbers the components: the new component i is the old order[i], where order is a
// permutation of 0..K-1.
func (m *Mixture) Reorder(order []int) {
	apply := func(data []float64, size int) {
		if size == 0 || len(data) != size*m.k {
			return // one for all components
		}
		// Piecewise: a covariance may take as much memory as all data.
		room := make([]float64, min(size, 1<<15))
		for o := 0; o < size; o += len(room) {
			w := min(len(room), size-o)
			permute(order, room[:w], func(i int) []float64 { return data[i*size+o : i*size+o+w] })
		}
	}
	n := m.blockLen()
	apply(m.Weights, 1)
	apply(m.Means.RawMatrix().Data, m.d)
	apply(m.Ridge, 1)
	apply(m.logNorm, 1)
	if m.Type != Tied {
		apply(m.cov, n)
		apply(m.pivot, len(m.pivot)/m.k)
		apply(m.leaves, len(m.leaves)/m.k)
		apply(m.level, 1)
		apply(m.penalty, 1)
	}
	raised, lost := append([]bool(nil), m.Raised...), append([]bool(nil), m.Lost...)
	for i, from := range order {
		m.Raised[i], m.Lost[i] = raised[from], lost[from]
	}
}

// permute moves item order[i] to place i for all i, along the cycles of the permutation with room
// for one item.
func permute(order []int, room []float64, item func(i int) []float64) {
	done := make([]bool, len(order))
	for first := range order {
		if done[first] {
			continue
		}
		copy(room, item(first))
		to := first
		for ; order[to] != first; to = order[to] {
			done[to] = true
			copy(item(to), item(order[to]))
		}
		done[to] = true
		copy(item(to), room)
	}
}

// part is the matrix of rows×cols numbers that begins at data.
func part(data []float64, rows, cols, stride int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: stride, Data: data}
}

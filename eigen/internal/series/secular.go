package series

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// Bordered is the matrix of one map in the eigenvectors of S: Θ bordered by two rows. The resolvent
// adds the part outside V to the 2×2 corner.
type Bordered struct {
	Theta  []float64 // m, descending
	ToA    []float64 // Vᵀα
	ToB    []float64 // Vᵀβ
	SA, SB float64
	MassA  float64
	MassB  float64
	// The sums of the moments at μ; nil if V is the whole space.
	Corner func(mu float64) (hh, th, tt float64)
}

// folded returns the part of the corner from outside V: αᵀRα, αᵀRβ, βᵀRβ.
func (b *Bordered) folded(mu float64) (aa, ab, bb float64) {
	if b.Corner == nil {
		return 0, 0, 0
	}
	hh, th, tt := b.Corner(mu)
	return hh / b.MassA, (th - hh) / math.Sqrt(b.MassA) / math.Sqrt(b.MassB), (tt - 2*th + hh) / b.MassB
}

// above counts the eigenvalues above μ by Sylvester's law for the Schur complement F(μ) of the two
// border rows.
func (b *Bordered) above(mu float64) int {
	count := 0
	aa, ab, bb := b.folded(mu)
	f11, f12, f22 := b.SA-mu+aa, ab, b.SB-mu+bb
	for j, t := range b.Theta {
		gap := mu - t
		if gap == 0 {
			gap = -math.SmallestNonzeroFloat64 // counted as above, like every θ ≥ μ
		}
		if gap < 0 {
			count++
		}
		if p, q := b.ToA[j], b.ToB[j]; p != 0 || q != 0 {
			gap = math.Copysign(max(math.Abs(gap), 1e-30), gap)
			f11 += p / gap * p
			f12 += p / gap * q
			f22 += q / gap * q
		}
	}
	// Eigenvalues of F by the stable form of the quadratic formula.
	mid, radius := (f11+f22)/2, math.Hypot((f11-f22)/2, f12)
	if mid+radius > 0 {
		count++
	}
	if mid-radius > 0 {
		count++
	}
	return count
}

// Second returns the second largest eigenvalue, which lies in [low, 1], to machine precision.
func (b *Bordered) Second(low float64) float64 {
	high := 1.0
	for range 80 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if b.above(mid) >= 2 {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Vector returns the eigenvector at μ = second(): coefficients in V, then p and q.
func (b *Bordered) Vector(mu float64) ([]float64, error) {
	m := len(b.Theta)
	n := m + 2
	a := blas64.Symmetric{N: n, Stride: n, Uplo: 'U', Data: make([]float64, n*n)}
	for j, t := range b.Theta {
		a.Data[j*n+j], a.Data[j*n+m], a.Data[j*n+m+1] = t, b.ToA[j], b.ToB[j]
	}
	aa, ab, bb := b.folded(mu)
	a.Data[m*n+m], a.Data[m*n+m+1], a.Data[(m+1)*n+m+1] = b.SA+aa, ab, b.SB+bb
	_, v, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return native.Default().SymEig(a, native.EigRange{First: n - 2, Count: 1}, true)
	})
	if err != nil {
		return nil, err
	}
	z := make([]float64, n)
	for i := range z {
		z[i] = v.Data[i*v.Stride]
	}
	return z, nil
}

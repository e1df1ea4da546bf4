package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/progress"
)

// spectrum analyses S for counting and solving.
func (p *Pencil) spectrum(observer progress.Observer) (*factor.Spectrum, error) {
	return factor.Analyse(p.s, p.massless, observer)
}

// CountBelow returns the number of eigenvalues of the pencil below sigma, zeros included, by
// inertia: one sparse LDLᵀ factorisation of L − σM. bound is the distance from sigma within which
// rounding may have moved an eigenvalue to the other side; the count is certain if no eigenvalue is
// that close.
//
// Time and memory depend on the fill: nearly linear on paths and planar graphs, n³/3 operations and
// 4n² bytes on graphs without small separators, such as neighbour graphs of documents. Too large a
// factor gives an error with the bytes (errors.Is(err, fs.ErrInvalid)) before any of it is
// taken.
func (p *Pencil) CountBelow(ctx context.Context, sigma float64, observer progress.Observer) (count int, bound float64, err error) {
	s, err := p.spectrum(observer)
	if err != nil {
		return 0, 0, err
	}
	return s.Above(ctx, 1-sigma)
}

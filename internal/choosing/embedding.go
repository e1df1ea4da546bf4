package choosing

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// byEmbedding scores the clusters of k-means on coordinates, or the gaps of their eigenvalues. If
// the embeddings are nested, one fit with the largest k has them all.
func (s *searcher) byEmbedding(ctx context.Context) error {
	asked := choosek.Rule(s.j.KBy)
	if asked == choosek.BIC {
		return s.lacks(asked, "likelihood")
	}
	yields := s.j.Spec.Yields
	if asked == choosek.Eigengap && !yields.Nested && !yields.Spectrum {
		return s.lacks(asked, "eigenvalues of one graph for all numbers of clusters")
	}
	gaps := yields.Spectrum && (asked == choosek.Eigengap || asked == "" || asked == ruleAuto)
	if !yields.Nested && !gaps {
		s.rule(choosek.Silhouette, "the method has no likelihood and no eigenvalues of one graph")
		return s.scoreCoordinates(ctx, func(k int) (*mat.Dense, error) {
			f, err := s.fit(ctx, k)
			if err != nil {
				return nil, err
			}
			return f.Embedding, nil
		})
	}
	dims := option.Find(option.Of(s.config), "dims")
	most := min(s.hi+1, s.in.Len()) // one more, for the gap after the last
	f, err := s.fit(ctx, most)
	if errors.Is(err, fs.ErrInvalid) && most > s.hi {
		most = s.hi
		f, err = s.fit(ctx, most)
	}
	if err != nil {
		return err
	}
	v := f.Values
	values, laplacian := laplacianValues(v)
	values = values[:min(len(values), most)]
	if laplacian {
		s.out.Eigenvalues, s.out.LeftOut = values, v.LeftOut
		s.rule(choosek.Eigengap, "the method embeds by eigenvectors of a graph's Laplacian")
	} else {
		s.rule(choosek.Silhouette, "the method has no likelihood and no eigenvalues of a graph's Laplacian")
	}
	if s.out.By == choosek.Eigengap {
		if !laplacian {
			return s.lacks(choosek.Eigengap, "eigenvalues of a graph's Laplacian")
		}
		s.points = choosek.Eigengaps(values, v.LeftOut, s.lo, s.hi)
		return nil
	}
	_, cols := f.Embedding.Dims()
	follows := cols == most && (dims == nil || !dims.IsSet())
	unit := s.unitRows()
	return s.scoreCoordinates(ctx, func(k int) (*mat.Dense, error) {
		if !follows {
			return f.Embedding, nil
		}
		return firstColumns(f.Embedding, k, unit), nil
	})
}

// laplacianValues are the eigenvalues of the graph's Laplacian, if that is what the values come
// from.
func laplacianValues(v *method.Values) (values []float64, ok bool) {
	if v == nil || v.Kind != method.Eigenvalue || v.Classes != nil || v.Own && !v.OneMinus {
		return nil, false
	}
	values = slices.Clone(v.Values)
	for i := 0; v.OneMinus && i < len(values); i++ {
		values[i] = 1 - values[i]
	}
	return values, true
}

// unitRows says whether the method scales the rows of its embedding to length 1.
func (s *searcher) unitRows() bool {
	f := option.Find(option.Of(s.config), "normalize-rows")
	if f == nil {
		return s.j.Spec.Yields.UnitRows
	}
	value, _ := f.Current(s.j.Data())
	return value == "true"
}

// firstColumns are the first k columns of x, with rows of length 1 if unit is set; rows of zeros
// stay.
func firstColumns(x *mat.Dense, k int, unit bool) *mat.Dense {
	n, cols := x.Dims()
	if k >= cols {
		return x
	}
	out := mat.DenseCopyOf(x.Slice(0, n, 0, k))
	for i := 0; unit && i < n; i++ {
		row := out.RawRowView(i)
		square := 0.0
		for _, v := range row {
			square += v * v
		}
		if square > 0 {
			for j := range row {
				row[j] /= math.Sqrt(square)
			}
		}
	}
	return out
}

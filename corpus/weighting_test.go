package corpus

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// weighDirectly is the definition of [Corpus.Weighted].
func weighDirectly(x mat.Matrix, weighting, normalize string) *mat.Dense {
	n, m := x.Dims()
	out := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			v := x.At(i, j)
			switch {
			case v == 0:
			case weighting == "binary":
				v = 1
			case weighting == "tfidf" || weighting == "hellinger":
				df := 0
				for k := range n {
					if x.At(k, j) != 0 {
						df++
					}
				}
				v *= math.Log(float64(n) / float64(df))
				if weighting == "hellinger" {
					v = math.Sqrt(v)
				}
			}
			out.Set(i, j, v)
		}
		if normalize == "l2" {
			if length := mat.Norm(out.RowView(i), 2); length > 0 {
				for j := range m {
					out.Set(i, j, out.At(i, j)/length)
				}
			}
		}
	}
	return out
}

func drawMatrix(t *rapid.T, low int) *mat.Dense {
	n, m := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "columns")
	x := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			if rapid.Bool().Draw(t, "filled") {
				x.Set(i, j, float64(rapid.IntRange(low, 5).Draw(t, "count")))
			}
		}
	}
	return x
}

func TestWeightedAgreesWithDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		weighting := rapid.SampledFrom([]string{"tf", "tfidf", "hellinger", "binary"}).Draw(t, "weighting")
		normalize := rapid.SampledFrom([]string{"l2", "none"}).Draw(t, "normalize")
		low := 0
		if weighting == "tf" {
			low = -5
		}
		dense := drawMatrix(t, low)
		before := mat.DenseCopyOf(dense)
		want := weighDirectly(dense, weighting, normalize)
		csr := must.Get(sparse.FromMatrix(dense))(t)
		for _, x := range []mat.Matrix{dense, csr} {
			got := must.Get((&Corpus{X: x}).Weighted(weighting, normalize))(t)
			if !mat.EqualApprox(got, want, 1e-14) {
				t.Fatalf("%T: %v, want %v", x, mat.Formatted(got), mat.Formatted(want))
			}
			if !mat.Equal(x, before) {
				t.Fatal("the corpus was changed")
			}
			if s, ok := x.(*sparse.CSR); ok {
				g, ok := got.(*sparse.CSR)
				if !ok || g.NNZ() > s.NNZ() {
					t.Fatal("sparse became dense")
				}
				if _, err := sparse.NewCSR(g.NumRows, g.NumCols, g.RowPtr, g.Col, g.Val); err != nil {
					t.Fatal(err)
				}
				for _, v := range g.Val {
					if v == 0 {
						t.Fatal("a zero is stored")
					}
				}
			} else if _, ok := got.(*mat.Dense); !ok {
				t.Fatal("dense became sparse")
			}
		}
	})
}

func TestWeightedExtremeLengths(t *testing.T) {
	for _, scale := range []float64{1e-320, 1e-200, 1, 1e200, 1e308} {
		c := &Corpus{X: mat.NewDense(1, 2, []float64{scale, scale})}
		got, err := c.Weighted("tf", "l2")
		if err != nil || !mat.EqualApprox(got, mat.NewDense(1, 2, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2}), 1e-15) {
			t.Errorf("entries of %v: %v %v", scale, got, err)
		}
	}
}

func TestWeightedErrors(t *testing.T) {
	with := func(v float64) *Corpus {
		return &Corpus{Name: "test", X: mat.NewDense(2, 2, []float64{1, 2, 3, v}), IDs: []string{"first", "second"}, Terms: []string{"apple", "pear"}}
	}
	for _, tc := range []struct {
		c                    *Corpus
		weighting, normalize string
		want                 []string
	}{
		{with(-4), "tfidf", "l2", []string{"second", "pear", "-4", "tf"}},
		{with(-4), "binary", "none", []string{"second", "pear", "-4"}},
		{with(-4), "hellinger", "none", []string{"second", "pear", "-4"}},
		{with(math.NaN()), "tf", "none", []string{"second", "pear", "NaN"}},
		{with(math.Inf(1)), "tfidf", "none", []string{"second", "pear", "Inf"}},
		{with(1), "bm25", "l1", []string{"bm25", "l1", "tfidf", "none"}},
		{&Corpus{X: mat.NewDense(1, 2, []float64{1, -1})}, "tfidf", "", []string{"document 1", "term 2"}},
		{&Corpus{X: mat.NewSymDense(1, nil)}, "tf", "", []string{"SymDense"}},
	} {
		_, err := tc.c.Weighted(tc.weighting, tc.normalize)
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s/%s: %v is no error of the request", tc.weighting, tc.normalize, err)
			continue
		}
		for _, what := range tc.want {
			if !strings.Contains(err.Error(), what) {
				t.Errorf("%q does not tell %q", err, what)
			}
		}
	}
	if _, err := with(-4).Weighted("tf", "l2"); err != nil {
		t.Errorf("features may be negative: %v", err)
	}
}

package corpus

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Arrays of numbers that single precision holds as they are stay so where that is asked for, with
// the values, the weights and the rows of the same file in double precision, bit for bit; others
// are read in double precision.
func TestNumbersAsStored(t *testing.T) {
	const rows, cols = 7, 6
	dir := t.TempDir()
	for _, c := range []struct {
		descr string
		bytes int
		opt   ReadOptions
		as    bool
	}{
		{"<f4", 4, ReadOptions{}, true}, {">f4", 4, ReadOptions{}, true}, {"<f2", 2, ReadOptions{}, true}, {"|u1", 1, ReadOptions{}, true}, {"<u2", 2, ReadOptions{}, true},
		{"<i4", 4, ReadOptions{}, false}, {"<f8", 8, ReadOptions{}, false}, {"<f4", 4, ReadOptions{Transpose: true}, false},
	} {
		data := make([]byte, rows*cols*c.bytes)
		for k := range data { // positive numbers of any size, none of them infinite
			data[k] = byte(k*37+k/5) & 0x3f
		}
		path := filepath.Join(dir, "x.npy")
		must.Do(t, os.WriteFile(path, corpustest.NPY("'"+c.descr+"'", "False", fmt.Sprintf("(%d, %d)", rows, cols), data), 0o600))
		want := must.Get(Read(t.Context(), path, c.opt))(t)
		c.opt.AsStored = true
		got := must.Get(Read(t.Context(), path, c.opt))(t)
		if !c.as {
			if !reflect.DeepEqual(got.X, want.X) {
				t.Errorf("%s %+v: %T", c.descr, c.opt, got.X)
			}
			continue
		}
		x, ok := got.X.(*sparse.SingleDense)
		if !ok || !x.Wide || !mat.Equal(x, want.X) {
			t.Fatalf("%s: %T, or other values", c.descr, got.X)
		}
		checkAsStored(t, c.descr, got, want)
	}
}

// checkAsStored compares what is made of a corpus that is stored in single precision.
func checkAsStored(t *testing.T, name string, got, want *Corpus) {
	if c := got.SelectRows([]int{5, 0, 3}); !mat.Equal(c.X, want.SelectRows([]int{5, 0, 3}).X) || !c.X.(*sparse.SingleDense).Wide {
		t.Errorf("%s: selected rows differ", name)
	}
	for _, weighting := range []string{WeightTF, WeightTFIDF, WeightHellinger, WeightBinary} {
		for _, normalize := range []string{NormL2, NormNone} {
			a := must.Get(got.Weighted(weighting, normalize))(t)
			b := must.Get(want.Weighted(weighting, normalize))(t)
			r, c := b.Dims()
			for i := range r {
				for j := range c {
					if math.Float64bits(a.At(i, j)) != math.Float64bits(b.At(i, j)) {
						t.Fatalf("%s %s %s: entry %d, %d is %v, not %v", name, weighting, normalize, i, j, a.At(i, j), b.At(i, j))
					}
				}
			}
		}
	}
	if err := got.ToSingle(); err != nil || got.X.(*sparse.SingleDense).Wide {
		t.Errorf("%s: single precision that was asked for does not round weights: %v", name, err)
	}
}

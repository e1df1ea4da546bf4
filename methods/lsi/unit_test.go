package lsi

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// fromDirections is how far entries of unit are from the rows of plain scaled to length 1. Rows of
// zeros have to be zeros in both.
func fromDirections(unit, plain *mat.Dense) float64 {
	worst := 0.0
	n, d := plain.Dims()
	for i := range n {
		length := mat.Norm(plain.RowView(i), 2)
		for j := range d {
			want := 0.0
			if length > 0 {
				want = plain.At(i, j) / length
			}
			worst = math.Max(worst, math.Abs(unit.At(i, j)-want))
		}
	}
	return worst
}

// NormalizeRows changes the length of rows and nothing else: they have length 1 and the direction
// that they have without it, empty documents stay zeros, and the decomposition is the same. New
// documents get rows of length 1 too, documents of the fit their own.
func TestNormalizeRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for _, shape := range [][2]int{{120, 60}, {60, 450}} {
		x := texts(shape[0], shape[1], rng)
		fresh := texts(20, shape[1], rng)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, scale := range []Scale{Projection, Left} {
				opt := Options{Dims: 6, Scale: scale}
				plain := fit(t, in, opt)
				opt.NormalizeRows = true
				unit := fit(t, in, opt)
				if !mat.Equal(unit.Components, plain.Components) || !slices.Equal(unit.Singular, plain.Singular) {
					t.Errorf("%v %s: the decomposition is another one", shape, scale)
				}
				if d := fromDirections(unit.Embedding, plain.Embedding); !(d < 1e-14) {
					t.Errorf("%v %s: rows are off their direction by %g", shape, scale, d)
				}
				// The first document has no terms, the others do.
				for i := range shape[0] {
					want := 1.0
					if i == 0 {
						want = 0
					}
					if l := mat.Norm(unit.Embedding.RowView(i), 2); !(math.Abs(l-want) < 1e-14) {
						t.Fatalf("%v %s: row %d has length %v", shape, scale, i, l)
					}
				}
				if l := mat.Norm(plain.Embedding.RowView(1), 2); math.Abs(l-1) < 1e-3 {
					t.Errorf("%v %s: rows have length %v without the option", shape, scale, l)
				}
				own := place(t, &unit.Placer, in)
				if d := largestDifference(own, unit.Embedding); !(d < 1e-12) {
					t.Errorf("%v %s: documents of the fit are placed %g from their rows", shape, scale, d)
				}
				if d := fromDirections(place(t, &unit.Placer, fresh), place(t, &plain.Placer, fresh)); !(d < 1e-14) {
					t.Errorf("%v %s: new documents are off their direction by %g", shape, scale, d)
				}
			}
		}
	}
}

func place(t *testing.T, p method.Placer, x mat.Matrix) *mat.Dense {
	t.Helper()
	at := must.Get(p.Place(ctx, x, nil))(t)
	return at.Embedding
}

// The contract passes the option on, names it among the options used, and gives the placer it.
func TestMethodNormalizesRows(t *testing.T) {
	x := texts(30, 12, rand.New(rand.NewPCG(4, 4)))
	out := must.Get((&Options{NormalizeRows: true}).Fit(ctx, &method.Input{X: x, Clusters: 3, Seed: 5}))(t)
	want := fit(t, x, Options{Dims: 3, Seed: 5, NormalizeRows: true})
	if !mat.Equal(out.Embedding, want.Embedding) || !out.Used.(*Options).NormalizeRows || !out.Placer.(*Placer).NormalizeRows {
		t.Errorf("the embedding is %v, the options used are %+v", mat.Formatted(out.Embedding), out.Used)
	}
}

// earlier is the placer of the version before rows could be scaled: its file lacks the setting.
type earlier struct{ Placer }

func (p *earlier) Fields(f *model.Fields) {
	f.Dense("components", &p.Components)
	f.Floats("singular_values", &p.Singular)
	f.Setting("scale", &p.Scale)
}

// A model's file keeps the option. A file of an earlier version does not scale rows, and the file
// of a model without the option is still written like it.
func TestStoredRows(t *testing.T) {
	x := texts(40, 25, rand.New(rand.NewPCG(7, 2)))
	write := func(part model.Part) (path string, content []byte) {
		m := &model.Model{Method: "lsi", Documents: 40, Rows: model.Rows{Columns: 25, Sparse: true}, Part: part}
		var b bytes.Buffer
		must.Do(t, m.Encode(&b))
		path = filepath.Join(t.TempDir(), "model.npz")
		must.Do(t, model.Write(path, m))
		return path, b.Bytes()
	}
	read := func(path string) *Placer {
		m := must.Get(model.Read(context.Background(), path, func(string) model.Part { return new(Placer) }))(t)
		return m.Part.(*Placer)
	}
	for _, normalize := range []bool{false, true} {
		m := fit(t, x, Options{Dims: 4, NormalizeRows: normalize})
		path, content := write(&m.Placer)
		if p := read(path); p.NormalizeRows != normalize || !mat.Equal(place(t, p, x), place(t, &m.Placer, x)) {
			t.Errorf("normalize rows %v: the model that was read has %v, or places otherwise", normalize, p.NormalizeRows)
		}
		old, before := write(&earlier{m.Placer})
		if p := read(old); p.NormalizeRows {
			t.Error("a file without the setting scales rows")
		}
		if same := bytes.Equal(content, before); same == normalize {
			t.Errorf("normalize rows %v: the file equals the file of the version before: %v", normalize, same)
		}
	}
}

// The first columns of an embedding in more dimensions, scaled, are the embedding in as many.
func TestNormalizedRowsAreNested(t *testing.T) {
	x := texts(90, 40, rand.New(rand.NewPCG(9, 2)))
	most := fit(t, x, Options{Dims: 7, NormalizeRows: true})
	for k := 2; k < 7; k++ {
		few := fit(t, x, Options{Dims: k, NormalizeRows: true})
		if d := fromDirections(few.Embedding, mat.DenseCopyOf(most.Embedding.Slice(0, 90, 0, k))); !(d < 1e-10) {
			t.Errorf("%d of 7 columns differ by %g", k, d)
		}
	}
}

package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// counts is a corpus of three topics with named terms.
func counts(n int, seed uint64) *corpus.Corpus {
	rng := rand.New(rand.NewPCG(seed, 5))
	const width = 25
	b := sparse.NewBuilder(n, 3*width)
	c := &corpus.Corpus{Name: "counts"}
	for i := range n {
		for range 12 {
			b.Add(i, (i%3*width+rng.IntN(width+3))%(3*width), float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	c.X = x
	for j := range 3 * width {
		c.Terms = append(c.Terms, fmt.Sprintf("term%02d", j))
	}
	return c
}

// tuning is a setting of fake.
type tuning struct {
	Neighbors int     `json:"neighbors"`
	Width     float64 `json:"width,omitempty"`
	Weight    string  `json:"edge_weight"`
}

// fake is a part with a field of every kind.
type fake struct {
	Training    mat.Matrix
	Tuning      tuning
	Coordinates *mat.Dense
	Values      []float64
	Isolated    []int
	Links       *sparse.CSR
}

func (p *fake) Fields(f *Fields) {
	f.Rows("training", &p.Training)
	f.Setting("graph", &p.Tuning)
	f.Dense("coordinates", &p.Coordinates)
	f.Floats("eigenvalues", &p.Values)
	f.Ints("isolated", &p.Isolated)
	f.CSR("links", &p.Links)
}

func (p *fake) Check(of Frame) error {
	errs := []error{of.CheckTraining(p.Training), of.CheckCoordinates(p.Coordinates, len(p.Values)), of.CheckList("isolated documents", p.Isolated)}
	if p.Tuning.Weight == "x" {
		errs = append(errs, invalid.Errorf("unknown edge weight %q", p.Tuning.Weight))
	}
	if p.Links == nil || p.Links.NumRows != of.Documents {
		errs = append(errs, invalid.Errorf("the model lacks its links"))
	}
	return invalid.Join(errs...)
}

func (p *fake) Width() int { return len(p.Values) }

// blank makes an empty fake for the method "fake" alone.
func blank(method string) Part {
	if method == "fake" {
		return new(fake)
	}
	return nil
}

// made is a model of 24 documents. Dense ones keep their rows dense and have neither clusters nor
// idf.
func made(t testing.TB, dense bool) *Model {
	t.Helper()
	c := counts(24, 1)
	weighting, normalize := corpus.WeightTFIDF, corpus.NormL2
	if dense {
		c.X, c.Terms = c.X.(*sparse.CSR).ToDense(), nil
		weighting, normalize = corpus.WeightTF, corpus.NormNone
	}
	rows := must.Get(NewRows(c, weighting, normalize, nil))(t)
	x := must.Get(c.Weighted(weighting, normalize))(t)
	rng := rand.New(rand.NewPCG(3, 3))
	y := mat.NewDense(24, 4, nil)
	for i := range 24 {
		for j := range 4 {
			y.Set(i, j, rng.NormFloat64())
		}
	}
	links := must.Get(sparse.FromMatrix(y))(t)
	p := &fake{Training: x, Tuning: tuning{Neighbors: 4}, Coordinates: y, Values: []float64{0, 0.25, 0.5, 1e-300}, Isolated: []int{2, 23}, Links: links}
	m := &Model{Method: "fake", Documents: 24, Rows: rows, Part: p, Seed: 7, Summary: []byte(`{"who":"a test"}`)}
	if !dense {
		m.Clusters = &Clusters{Sizes: []int{10, 8, 6}, Centers: mat.NewDense(3, 4, slices.Repeat([]float64{1.5}, 12)), Terms: clusterTerms(70)}
	}
	return m
}

// clusterTerms are so many terms of three clusters, some of which no cluster has.
func clusterTerms(terms int) *sparse.CSR {
	x := &sparse.CSR{NumRows: terms, NumCols: 3, RowPtr: make([]int, 1, terms+1)}
	for i := range terms {
		if i%4 > 0 {
			x.Col, x.Val = append(x.Col, int32(i%3)), append(x.Val, 1/float64(1+i))
		}
		x.RowPtr = append(x.RowPtr, len(x.Col))
	}
	return x
}

// What is written and read again is the same, and is written as the same bytes.
func TestRoundTrip(t *testing.T) {
	for name, change := range map[string]func(m *Model){
		"whole":         func(*Model) {},
		"no isolated":   func(m *Model) { m.Part.(*fake).Isolated = nil },
		"no centres":    func(m *Model) { m.Clusters = &Clusters{Sizes: []int{20, 4}} },
		"no clusters":   func(m *Model) { m.Clusters = nil },
		"largest seed":  func(m *Model) { m.Seed = math.MaxUint64 },
		"no summary":    func(m *Model) { m.Summary = nil },
		"stripped mail": func(m *Model) { m.Rows.Strip = []string{"headers", "quotes"} },
		"without rows": func(m *Model) {
			s := &sparse.CSR{NumRows: 24, NumCols: 4, RowPtr: make([]int, 25)}
			m.Part.(*fake).Links = s
		},
	} {
		for _, dense := range []bool{false, true} {
			m := made(t, dense)
			change(m)
			path := filepath.Join(t.TempDir(), "model.npz")
			if err := Write(path, m); err != nil {
				t.Fatal(name, err)
			}
			if !Is(path) {
				t.Errorf("%s: the file does not pass for a model", name)
			}
			back, err := Read(background, path, blank)
			if err != nil {
				t.Fatal(name, err)
			}
			got, want := back.Part.(*fake), m.Part.(*fake)
			if !mat.Equal(got.Training, want.Training) || !mat.Equal(got.Coordinates, want.Coordinates) || !mat.Equal(got.Links, want.Links) ||
				!slices.Equal(got.Values, want.Values) || !slices.Equal(got.Isolated, want.Isolated) || got.Tuning != want.Tuning {
				t.Errorf("%s: another part is read: %+v", name, got)
			}
			if back.Seed != m.Seed || back.Documents != 24 || back.Method != "fake" || !reflect.DeepEqual(back.Rows, m.Rows) || (back.Clusters == nil) != (m.Clusters == nil) {
				t.Errorf("%s: another model is read: %+v", name, back)
			}
			var again bytes.Buffer
			must.Do(t, back.Encode(&again))
			first := must.Get(os.ReadFile(path))(t)
			if !bytes.Equal(again.Bytes(), first) {
				t.Errorf("%s: written again it is another file", name)
			}
		}
	}
}

// The terms of clusters are read as they were written: none, some, and a matrix without entries.
func TestTermsOfClusters(t *testing.T) {
	for _, want := range []*sparse.CSR{nil, clusterTerms(70), {NumRows: 70, NumCols: 3, RowPtr: make([]int, 71)}} {
		m := made(t, false)
		m.Clusters.Terms = want
		var file bytes.Buffer
		must.Do(t, m.Encode(&file))
		back := must.Get(readBytes(file.Bytes()))(t)
		if got := back.Clusters.Terms; (got == nil) != (want == nil) || want != nil && !mat.Equal(got, want) {
			t.Errorf("%v is read, %v was written", got, want)
		}
	}
}

// A model without a part keeps its summary and the reason.
func TestModelWithoutPart(t *testing.T) {
	m := &Model{Method: "magic", Documents: 5, Why: "magic has no rule for new documents", Summary: []byte(`{}`),
		Clusters: &Clusters{Sizes: []int{3, 2}, Centers: mat.NewDense(2, 1, []float64{1, 2})}}
	path := filepath.Join(t.TempDir(), "m.npz")
	must.Do(t, Write(path, m))
	back := must.Get(Read(background, path, blank))(t)
	if back.Part != nil || back.Why != m.Why || !slices.Equal(back.Clusters.Sizes, []int{3, 2}) || !mat.Equal(back.Clusters.Centers, m.Clusters.Centers) {
		t.Errorf("%+v", back)
	}
}

// Nothing but a finite model that fits together is written.
func TestEncodeRefuses(t *testing.T) {
	for says, change := range map[string]func(m *Model){
		`value 2 of the model's array "eigenvalues" is NaN`: func(m *Model) { m.Part.(*fake).Values[1] = math.NaN() },
		`array "coordinates" is +Inf`:                       func(m *Model) { m.Part.(*fake).Coordinates.Set(3, 1, math.Inf(1)) },
		"centres of 2 clusters":                             func(m *Model) { m.Clusters.Sizes = m.Clusters.Sizes[1:] },
		"impossible sizes":                                  func(m *Model) { m.Clusters.Sizes = []int{3, -1, 2} },
		"centres have 4 coordinates and its documents have 3": func(m *Model) {
			p := m.Part.(*fake)
			p.Values, p.Coordinates = p.Values[:3], mat.NewDense(24, 3, nil)
		},
		"clusters have terms and no centres": func(m *Model) { m.Clusters.Centers = nil },
		"70 terms of 3 clusters, and its documents 75 terms in 2": func(m *Model) {
			m.Clusters.Sizes, m.Clusters.Centers = []int{20, 4}, mat.NewDense(2, 4, make([]float64, 8))
		},
		"76 terms of 3 clusters": func(m *Model) { m.Clusters.Terms = clusterTerms(76) },
		"no sparse rows of terms": func(m *Model) {
			m.Rows, m.Part.(*fake).Training = made(t, true).Rows, made(t, true).Part.(*fake).Training
		},
		"is NaN: every value must be finite": func(m *Model) { m.Clusters.Terms.Val[0] = math.NaN() },
		"names no method":                    func(m *Model) { m.Method = "" },
		"made from 0 documents":              func(m *Model) { m.Documents = 0 },
		"made from -1":                       func(m *Model) { m.Documents = -1 },
		"24 × 75 training rows of 25":        func(m *Model) { m.Documents = 25 },
		"have -1 columns":                    func(m *Model) { m.Rows.Columns = -1 },
		`unknown weighting "none"`:           func(m *Model) { m.Rows.Weighting = "none" },
		`unknown normalization "l1"`:         func(m *Model) { m.Rows.Normalize = "l1" },
		"74 terms for 75":                    func(m *Model) { m.Rows.Terms = m.Rows.Terms[1:] },
		"1 weights of terms":                 func(m *Model) { m.Rows.IDF = []float64{1} },
		"no language's":                      func(m *Model) { m.Rows.Text = &corpus.TextOptions{MinDF: 1, MaxDF: 1, StopWords: "words.txt"} },
		"is of texts but has no terms":       func(m *Model) { m.Rows.Text, m.Rows.Terms = &corpus.TextOptions{MinDF: 1, MaxDF: 1}, nil },
		"not stored as it says":              func(m *Model) { m.Rows.Sparse = false },
		"a *sparse.CSR or *mat.Dense":        func(m *Model) { m.Part = &strange{*m.Part.(*fake)} },
		"by the part itself":                 func(m *Model) { m.Part = failing{} },
		"the setting":                        func(m *Model) { m.Part.(*fake).Tuning.Width = math.Inf(1) },
	} {
		m := made(t, false)
		change(m)
		err := m.Encode(new(bytes.Buffer))
		if says == "the setting" {
			if err == nil {
				t.Error("a setting that is not finite is written")
			}
			continue
		}
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// strange has rows of a type that files do not have.
type strange struct{ fake }

func (p *strange) Fields(f *Fields) {
	var x mat.Matrix = mat.NewSymDense(2, nil)
	f.Rows("strange", &x)
}
func (p *strange) Check(Frame) error { return nil }

// failing ends the visit of its fields with an error; the first error stays.
type failing struct{}

func (failing) Fields(f *Fields) {
	f.Fail(invalid.Errorf("refused by the part itself"))
	f.Fail(errors.New("another error"))
	f.Setting("x", 1)
}
func (failing) Check(Frame) error { return nil }
func (failing) Width() int        { return 4 }

// pieces writes its coordinates row by row.
type pieces struct {
	rows int
	bad  bool
	y    *mat.Dense
	old  int // a setting that earlier files lack
}

func (p *pieces) Fields(f *Fields) {
	if f.Writing() {
		f.Pieces("coordinates", p.rows, 2, func(body func([]float64) error) error {
			for i := range p.rows {
				v := float64(i)
				if p.bad && i == 3 {
					v = math.Inf(1)
				}
				if err := body([]float64{v, -v}); err != nil {
					return err
				}
			}
			return nil
		})
		return
	}
	f.Dense("coordinates", &p.y)
	if p.old = 7; f.Has("old") {
		f.Setting("old", &p.old)
	}
	if !f.Has("coordinates") || f.Has("none") {
		f.Fail(errors.New("Has is wrong"))
	}
}
func (p *pieces) Check(Frame) error { return nil }
func (p *pieces) Width() int        { return 2 }

// An array that comes in pieces is read as a whole, and a value that is not finite is found in any.
func TestPieces(t *testing.T) {
	m := &Model{Method: "pieces", Documents: 5000, Rows: Rows{Columns: 1}, Part: &pieces{rows: 5000}}
	path := filepath.Join(t.TempDir(), "m.npz")
	must.Do(t, Write(path, m))
	back := must.Get(Read(background, path, func(string) Part { return new(pieces) }))(t)
	p := back.Part.(*pieces)
	for i := range 5000 {
		if p.y.At(i, 0) != float64(i) || p.y.At(i, 1) != -float64(i) {
			t.Fatalf("row %d is %v", i, p.y.RawRowView(i))
		}
	}
	if p.old != 7 {
		t.Errorf("a setting that the file lacks is %d", p.old)
	}
	m.Part = &pieces{rows: 9, bad: true}
	if err := m.Encode(new(bytes.Buffer)); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "value 7") {
		t.Error(err)
	}
}

// A frame refuses what is not of its documents, columns and clusters.
func TestFrame(t *testing.T) {
	of := made(t, false).Frame()
	if of != (Frame{Documents: 24, Columns: 75, Sparse: true, Clusters: 3}) {
		t.Fatalf("%+v", of)
	}
	of.Documents, of.Columns = 4, 2
	sp := &sparse.CSR{NumRows: 4, NumCols: 2, RowPtr: make([]int, 5)}
	for says, err := range map[string]error{
		"labels of 3 documents":   of.CheckLabels("labels", []int{0, 1, 2}, 0, 3),
		"name cluster 3 of 3":     of.CheckLabels("labels", []int{0, 1, 2, 3}, 0, 3),
		"name cluster -1 of 3":    of.CheckLabels("labels", []int{0, 1, 2, -1}, 0, 3),
		"no ascending list":       of.CheckList("documents", []int{1, 1}),
		"list of old documents":   of.CheckList("old documents", []int{4}),
		"list of new documents":   of.CheckList("new documents", []int{-1}),
		"lacks its training rows": of.CheckTraining(nil),
		"3 × 2 training rows":     of.CheckTraining(mat.NewDense(3, 2, nil)),
		"not stored as it says":   of.CheckTraining(mat.NewDense(4, 2, nil)),
		"lacks the coordinates":   of.CheckCoordinates(nil, 2),
		"4 × 3 coordinates":       of.CheckCoordinates(mat.NewDense(4, 3, nil), 2),
		"5 × 2 coordinates":       of.CheckCoordinates(mat.NewDense(5, 2, nil), -1),
		"lacks its components":    of.CheckComponents(nil, 1),
		"1 × 3 components":        of.CheckComponents(mat.NewDense(1, 3, nil), 1),
		"2 × 2 components of 1":   of.CheckComponents(mat.NewDense(2, 2, nil), 1),
	} {
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	for _, err := range []error{of.CheckLabels("labels", []int{0, -1, 2, 1}, -1, 3), of.CheckList("documents", []int{0, 3}), of.CheckList("documents", nil),
		of.CheckTraining(sp), of.CheckCoordinates(mat.NewDense(4, 3, nil), -1), of.CheckComponents(mat.NewDense(3, 2, nil), 3)} {
		if err != nil {
			t.Error(err)
		}
	}
}

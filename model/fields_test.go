package model

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// pairOfParts has two parts of one kind, whose fields have the same names.
type pairOfParts struct{ a, b numbersPart }

type numbersPart struct {
	list []float64
	rows mat.Matrix
	size int
}

func (p *numbersPart) Fields(f *Fields) {
	f.OfDocuments("list")
	f.Floats("list", &p.list)
	f.Rows("rows", &p.rows)
	f.Setting("size", &p.size)
}

func (p *pairOfParts) Fields(f *Fields) {
	f.In("a", &p.a)
	f.In("b", &p.b)
}

// Parts within a part keep fields of the same names apart, sparse rows among them.
func TestPartsOfAPart(t *testing.T) {
	sparseRows := must.Get(sparse.NewCSR(2, 3, []int{0, 1, 2}, []int32{2, 0}, []float64{5, 6}))(t)
	p := &pairOfParts{numbersPart{[]float64{1, 2}, sparseRows, 3}, numbersPart{[]float64{4}, mat.NewDense(1, 2, []float64{7, 8}), 9}}
	f := &Fields{write: true, settings: map[string]json.RawMessage{}}
	if p.Fields(f); f.err != nil {
		t.Fatal(f.err)
	}
	var names []string
	for _, a := range f.arrays {
		names = append(names, a.Name)
	}
	if want := []string{"a.list", "a.rows.indptr", "a.rows.indices", "a.rows.data", "b.list", "b.rows"}; !slices.Equal(names, want) {
		t.Errorf("arrays %v", names)
	}
	if want := []string{"a.list", "b.list"}; !slices.Equal(f.divided, want) {
		t.Errorf("arrays of documents %v", f.divided)
	}
	for _, name := range []string{"a.size", "a.rows.shape", "b.size"} {
		if f.settings[name] == nil {
			t.Errorf("there is no setting %s: %v", name, f.settings)
		}
	}
	var sizes [2]int
	g := &Fields{settings: f.settings, from: &archive{}}
	for i, name := range []string{"a", "b"} {
		g.In(name, settingOf{&sizes[i]})
	}
	if g.err != nil || sizes != [2]int{3, 9} || g.Has("size") || !g.Has("b.size") {
		t.Errorf("%v: settings %v", g.err, sizes)
	}
}

// settingOf reads the setting of a numbersPart.
type settingOf struct{ size *int }

func (s settingOf) Fields(f *Fields) { f.Setting("size", s.size) }

package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A copy is what the file of a model is read as, to the bit, and shares no memory with the model.
func TestCopy(t *testing.T) {
	for _, dense := range []bool{false, true} {
		m := made(t, dense)
		var file, again bytes.Buffer
		must.Do(t, m.Encode(&file))
		want := must.Get(Decode(background, file.Bytes(), blank))(t)
		got := must.Get(m.Copy(background, blank))(t)
		if err := got.Encode(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Errorf("dense %v: the file of the copy differs (%v)", dense, err)
		}
		if !reflect.DeepEqual(got.Part, want.Part) || !reflect.DeepEqual(got.Rows, want.Rows) || !reflect.DeepEqual(got.Clusters, want.Clusters) {
			t.Errorf("dense %v: the copy differs from the model that was read", dense)
		}
		p := m.Part.(*fake)
		p.Coordinates.Set(0, 0, p.Coordinates.At(0, 0)+1)
		p.Values[0]++
		if !reflect.DeepEqual(got.Part, want.Part) {
			t.Errorf("dense %v: the copy shares memory with the model", dense)
		}
	}
}

// A copy refuses what a file refuses, and ends with its context.
func TestCopyRefuses(t *testing.T) {
	m := made(t, false)
	m.Part.(*fake).Values[0] = math.NaN()
	if _, err := m.Copy(background, blank); err == nil {
		t.Error("a model with NaN was copied")
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := made(t, false).Copy(ctx, blank); !errors.Is(err, context.Canceled) {
		t.Errorf("the context had ended: %v", err)
	}
}

// A copy takes the memory of the arrays once.
func TestCopyMemory(t *testing.T) {
	const dims = 1 << 17
	m := made(t, true)
	n := m.Documents
	p := m.Part.(*fake)
	p.Coordinates, p.Values = mat.NewDense(n, dims, nil), make([]float64, dims)
	bytes := int64(8 * n * dims)
	took, _ := memory.PeakHeap(func() {
		if _, err := m.Copy(background, blank); err != nil {
			t.Fatal(err)
		}
	})
	if took > bytes+bytes/4 {
		t.Errorf("%d MB for arrays of %d", took>>20, bytes>>20)
	}
}

// A copy has all that the file of a model has, whatever kind of model it is: columns beside the
// texts, stems of several languages, novelty, a map, a curve of confidences.
func TestCopyOfAll(t *testing.T) {
	for name, change := range map[string]func(m *Model){
		"terms, novelty, a map and a curve": func(m *Model) {
			m.Novelty = &Novelty{Means: &sparse.CSR{NumRows: 3, NumCols: 75, RowPtr: []int{0, 1, 1, 2}, Col: []int32{4, 70}, Val: []float64{1, 2}},
				Distances: []float64{0, 0.5}, Unlike: []float64{0, 1}, Own: []float64{0, 2}, OwnShare: 0.125, Columns: 70}
			m.Map = &Map{Places: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Coordinates: mat.NewDense(2, 4, slices.Repeat([]float64{7}, 8)), IDs: []string{"a", "b"}}
			m.Calibration = &Calibration{Scores: []float64{0.1, 0.9}, Shares: []float64{0.25, 1}}
			m.Reject = 0.375
		},
		"several languages": func(m *Model) {
			m.Rows.Stems = slices.Clone(m.Rows.Terms)
			m.Rows.Strip, m.Rows.StripRule = []string{"headers"}, AutoRule
			m.Rows.Text = &corpus.TextOptions{Language: "german,english", StopWords: "none", Stop: []string{"und"}, Markup: "keep"}
		},
		"columns beside texts": func(m *Model) {
			m.Part, m.Why, m.Clusters.Terms = nil, "the test says so", nil
			m.Rows.View = []ColumnView{{Name: "price", Kind: KindNumber, Quantiles: []float64{1, 2, 3}, Mean: []float64{0.5, 0.25}, Agreement: 0.25, Weight: 1},
				{Name: "shop", Kind: KindCategory, Values: []string{"x", "y"}, Mean: []float64{0.5, 0.5}, Weight: 0.5}}
			m.Rows.Missing = MissingNumbers
			m.Rows.Directions = mat.NewDense(2, m.Rows.Columns, slices.Repeat([]float64{0.5}, 2*m.Rows.Columns))
		},
		"vectors": func(m *Model) {
			m.Rows.Vectors, m.Rows.VectorModel = true, &corpus.VectorModel{Name: "n", Hash: strings.Repeat("0", 64), Width: 75}
		},
		"no summary":       func(m *Model) { m.Summary = nil },
		"an empty summary": func(m *Model) { m.Summary = []byte{} },
		"single precision": func(m *Model) {
			s := must.Get(sparse.ToSingle(m.Part.(*fake).Training))(t)
			m.Part.(*fake).Training = s
		},
	} {
		m := made(t, false)
		change(m)
		var file bytes.Buffer
		if err := m.Encode(&file); err != nil {
			t.Fatal(name, err)
		}
		want, err := Decode(background, file.Bytes(), blank)
		if err != nil {
			t.Fatal(name, err)
		}
		got, err := m.Copy(background, blank)
		if err != nil {
			t.Fatal(name, err)
		}
		got.Summary, want.Summary = withoutSpaces(t, got.Summary), withoutSpaces(t, want.Summary)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the copy is\n%+v\nand the model that was read\n%+v", name, got, want)
		}
		var again bytes.Buffer
		if err := got.Encode(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Errorf("%s: the file of the copy differs (%v)", name, err)
		}
	}
}

// withoutSpaces is a JSON text without what does not count; nil of nil.
func withoutSpaces(t *testing.T, text []byte) []byte {
	t.Helper()
	if text == nil {
		return nil
	}
	var b bytes.Buffer
	must.Do(t, json.Compact(&b, text))
	return b.Bytes()
}

// A copy refuses a summary that no file can hold.
func TestCopyRefusesSummary(t *testing.T) {
	m := made(t, false)
	m.Summary = []byte(`{"who":`)
	if err := m.Encode(io.Discard); err == nil {
		t.Error("a summary that is no JSON was written")
	}
	if _, err := m.Copy(background, blank); err == nil {
		t.Error("a summary that is no JSON was copied")
	}
}

// endingPart ends a context when it is visited to be read.
type endingPart struct {
	*fake
	end func()
}

func (p endingPart) Fields(f *Fields) {
	if !f.Writing() {
		p.end()
	}
	p.fake.Fields(f)
}

// A copy ends with its context between arrays too.
func TestCopyEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	_, err := made(t, false).Copy(ctx, func(string) Part { return endingPart{new(fake), cancel} })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended during the copy: %v", err)
	}
}

// Models are written and copied by several goroutines at once: nobody writes to them.
func TestCopiesAtOnce(t *testing.T) {
	m := made(t, false)
	m.Novelty = &Novelty{Means: &sparse.CSR{NumRows: 3, NumCols: 75, RowPtr: []int{0, 1, 1, 2}, Col: []int32{4, 70}, Val: []float64{1, 2}}, Distances: []float64{0, 0.5}}
	var group sync.WaitGroup
	for range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := m.Copy(background, blank); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
}

package model

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/mat"
)

// A copy is what the file of a model is read as, to the bit, and shares no memory with the model.
func TestCopy(t *testing.T) {
	for _, dense := range []bool{false, true} {
		m := made(t, dense)
		var file, again bytes.Buffer
		if err := m.Encode(&file); err != nil {
			t.Fatal(err)
		}
		want, err := Decode(background, file.Bytes(), blank)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Copy(background, blank)
		if err != nil {
			t.Fatal(err)
		}
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
	took := int64(math.MaxInt64)
	for try := 0; try < 3 && took > bytes; try++ { // where other programs hold the machine, garbage stays longer
		took = min(took, memory.PeakHeap(func() {
			if _, err := m.Copy(background, blank); err != nil {
				t.Fatal(err)
			}
		}))
	}
	if took > bytes+bytes/4 {
		t.Errorf("%d MB for arrays of %d", took>>20, bytes>>20)
	}
}

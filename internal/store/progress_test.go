package store

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

type parts struct {
	head   []int
	floats []float64
	marks  []int32
}

func (v parts) write(e *Encoder) {
	e.Value(v.head)
	e.Floats(v.floats)
	e.Indices(v.marks)
}

func (v *parts) read(d *Decoder) {
	d.Value(&v.head)
	d.Floats(v.floats)
	d.Indices(v.marks)
}

func someParts() parts {
	v := parts{head: []int{3, 4}, floats: make([]float64, 10000), marks: make([]int32, 5000)}
	for k := range v.floats {
		v.floats[k] = math.Sqrt(float64(k))
	}
	v.floats[7], v.floats[8], v.marks[2] = math.Inf(-1), math.Copysign(0, -1), -1
	return v
}

// Numbers come back by their bits; a piece of another shape, or a damaged one, is refused with a
// note and not an error.
func TestWriteAndRead(t *testing.T) {
	s := opened(t, t.TempDir(), header)
	var notes []string
	s.Note = func(text string) { notes = append(notes, text) }
	v := someParts()
	must.Do(t, s.Write("run", key("a"), v.write))
	got := parts{floats: make([]float64, 10000), marks: make([]int32, 5000)}
	if found, err := s.Read("run", key("a"), got.read); !found || err != nil {
		t.Fatalf("%v, %v", found, err)
	}
	if !slices.Equal(got.head, v.head) || !slices.Equal(got.marks, v.marks) || !slices.EqualFunc(got.floats, v.floats, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Error("the parts came back changed")
	}
	if found, err := s.Read("run", key("b"), got.read); found || err != nil || len(notes) > 0 {
		t.Errorf("no piece: %v, %v, %q", found, err, notes)
	}
	for _, wrong := range []func(d *Decoder){
		func(d *Decoder) { d.Value(&got.head) },
		func(d *Decoder) { d.Value(&got.floats) },
		func(d *Decoder) { d.Value(&got.head); d.Floats(got.floats[1:]) },
		func(d *Decoder) { got.read(d); d.Floats(nil) },
		func(d *Decoder) { d.Floats(got.floats) },
	} {
		if found, err := s.Read("run", key("a"), wrong); found || err != nil || len(notes) != 1 || !strings.Contains(notes[0], s.path("run", key("a"))) {
			t.Errorf("another shape: %v, %v, %q", found, err, notes)
		}
		notes = nil
	}
	whole := must.Get(os.ReadFile(s.path("run", key("a"))))(t)
	for at := 0; at < len(whole); at += 997 {
		changed := bytes.Clone(whole)
		changed[at] ^= 4
		for _, text := range [][]byte{changed, whole[:at]} {
			notes = nil
			must.Do(t, os.WriteFile(s.path("run", key("a")), text, 0o666))
			if found, err := s.Read("run", key("a"), got.read); found || err != nil || len(notes) != 1 {
				t.Errorf("damage at %d: %v, %v, %q", at, found, err, notes)
			}
		}
	}
}

// The state of unfinished work is the last one that was saved. It is neither merged nor mistaken
// for a finished piece, and gone when the work is over.
func TestProgress(t *testing.T) {
	var none *Store
	if p := none.Progress("run", key("a")); p != nil || p.Due() || p.Save(nil) != nil {
		t.Error("there is no store, and something was saved")
	} else if found, err := p.Resume(nil); found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	s := opened(t, t.TempDir(), header)
	s.Always = true
	p := s.Progress("run", key("a"))
	for k := range 3 {
		must.Do(t, p.Save(func(e *Encoder) { e.Value(k) }))
	}
	var last int
	if found, err := s.Progress("run", key("a")).Resume(func(d *Decoder) { d.Value(&last) }); !found || err != nil || last != 2 {
		t.Errorf("%v, %v, %d", found, err, last)
	}
	if found, err := s.Progress("run", key("b")).Resume(func(d *Decoder) { d.Value(&last) }); found || err != nil {
		t.Errorf("another key: %v, %v", found, err)
	}
	if found, err := s.Read("run", key("a"), func(d *Decoder) { d.Value(&last) }); found || err != nil {
		t.Errorf("as a piece: %v, %v", found, err)
	}
	if n, err := opened(t, t.TempDir(), header).Merge(s.Dir); n != 0 || err != nil {
		t.Errorf("%d pieces were merged, %v", n, err)
	}
	p.End()
	if found, err := p.Resume(nil); found || err != nil {
		t.Errorf("after the end: %v, %v", found, err)
	}
	s.Always = false
	p = s.Progress("run", key("a"))
	p.next = time.Now().Add(time.Hour)
	if p.Due() {
		t.Error("a state was wanted an hour too soon")
	}
}

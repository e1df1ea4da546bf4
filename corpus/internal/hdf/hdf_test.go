package hdf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// testFile is a file that testdata/make.py wrote with h5py.
func testFile(t testing.TB, name string) []byte {
	return corpustest.Gunzipped(t, path.Join("testdata", name+".gz"))
}

// opened opens a file of HDF5 in memory.
func opened(t testing.TB, data []byte) (*File, error) {
	in, err := input.New(t.Context(), "test.h5", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: 256 << 20})
	if err != nil {
		return nil, err
	}
	return Open(in)
}

// all are the sets of data of a file by their paths.
func all(t testing.TB, f *File) map[string]*Data {
	t.Helper()
	sets := map[string]*Data{}
	must.Do(t, f.Walk(func(o *Object, path, away string) (bool, error) {
		if o != nil && o.IsData() {
			sets[path] = must.Get(o.Data())(t)
		}
		return o != nil, nil
	}))
	return sets
}

// numbers are the entries of a set of data.
func numbers(t testing.TB, d *Data) (list []float64) {
	t.Helper()
	number, why := d.Type.Number()
	if why != "" {
		t.Fatalf("%s is %s", d.Path, why)
	}
	must.Do(t, d.each(func(b []byte) error {
		v := float64(number.Int(b))
		if o := number.Order; number.Class == Float {
			switch number.Size {
			case 2:
				h := o.Uint16(b)
				v = math.Ldexp(float64(1024+h&1023), int(h>>10&31)-25)
				if h == 0 {
					v = 0
				}
			case 4:
				v = float64(math.Float32frombits(o.Uint32(b)))
			case 8:
				v = math.Float64frombits(o.Uint64(b))
			}
		}
		list = append(list, v)
		return nil
	}))
	return list
}

// wantMatrix checks entries by the formula of testdata/make.py.
func wantMatrix(t *testing.T, d *Data) {
	t.Helper()
	list := numbers(t, d)
	cols := d.Dims[1]
	if int64(len(list)) != d.Dims[0]*cols {
		t.Fatalf("%s: %d entries of %v", d.Path, len(list), d.Dims)
	}
	for k, v := range list {
		i, j := int64(k)/cols, int64(k)%cols
		if v != float64((7*i+3*j)%100) {
			t.Fatalf("%s: row %d, column %d is %v", d.Path, i, j, v)
		}
	}
}

// Every type of numbers, layout, index of chunks and filter gives the numbers that h5py wrote, in
// the oldest and in the newest forms.
func TestNumbers(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		f := must.Get(opened(t, testFile(t, name)))(t)
		sets, count := all(t, f), 0
		for at, d := range sets {
			if strings.HasPrefix(at, "m/") || strings.HasPrefix(at, "types/") || at == "of a named type" {
				wantMatrix(t, d)
				count++
			}
		}
		if count != 15+21+1 {
			t.Errorf("%s: %d matrices", name, count)
		}
		holes := numbers(t, sets["holes"])
		for k, v := range holes {
			if want := map[bool]float64{true: 9, false: 5}[k >= 16 && k < 24]; v != want {
				t.Errorf("%s: entry %d of the set with holes is %v", name, k, v)
			}
		}
	}
}

// Texts, truth values, fields of records, references and attributes.
func TestTexts(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		f := must.Get(opened(t, testFile(t, name)))(t)
		sets := all(t, f)
		if got := must.Get(sets["texts/variable"].Texts())(t); !slices.Equal(got, []string{"one", "", "drei wörter"}) {
			t.Errorf("%s: %q", name, got)
		}
		if got := must.Get(sets["texts/fixed"].Texts())(t); !slices.Equal(got, []string{"one", "", "four"}) {
			t.Errorf("%s: %q", name, got)
		}
		if d := sets["texts/truth"]; !slices.Equal(numbers(t, d), []float64{1, 0, 1}) || !slices.Equal(d.Type.Names, []string{"FALSE", "TRUE"}) {
			t.Errorf("%s: %v of %q", name, numbers(t, d), d.Type.Names)
		}
		records := sets["records"]
		if got := numbers(t, records.Field(0)); !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("%s: %v", name, got)
		}
		if got := must.Get(records.Field(2).Texts())(t); !slices.Equal(got, []string{"p", "qq"}) {
			t.Errorf("%s: %q", name, got)
		}
		if d := records.Field(3); !slices.Equal(d.Dims, []int64{2, 2}) || !slices.Equal(numbers(t, d), []float64{7, 8, 9, 10}) {
			t.Errorf("%s: %v", name, d.Dims)
		}
		if _, why := sets["complex"].Type.Number(); why != "complex" {
			t.Errorf("%s: %q", name, why)
		}
		references := must.Get(sets["references"].References())(t)
		o := must.Get(f.At(references[0], "x"))(t)
		if got := must.Get(must.Get(o.Data())(t).Texts())(t); len(got) != 3 || got[2] != "four" {
			t.Errorf("%s: %q", name, got)
		}
		holes := must.Get(f.Root.Child("holes"))(t)
		for k := range 20 {
			a := must.Get(holes.Attr(fmt.Sprintf("attribute %d", k)))(t)
			if got := must.Get(a.Ints(1))(t); len(got) != 1 || got[0] != int64(k) {
				t.Errorf("%s: attribute %d is %v", name, k, got)
			}
		}
		if a := must.Get(holes.Attr("text"))(t); a.Text() != "wörds" {
			t.Errorf("%s: %q", name, a.Text())
		}
		large := must.Get(holes.Attr("large"))(t)
		if name == "latest.h5" && must.Get(large.Ints(20000))(t)[19999] != 7 {
			t.Error("an attribute that lies outside of the blocks of its heap")
		}
		if a := must.Get(holes.Attr("no such"))(t); a != nil || a.Text() != "" {
			t.Errorf("%s: an attribute that is not there", name)
		}
	}
}

// Links to other files are told, and those to names of the same file are not followed.
func TestLinks(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		f := must.Get(opened(t, testFile(t, name)))(t)
		var away []string
		must.Do(t, f.Walk(func(o *Object, path, elsewhere string) (bool, error) {
			if path == "soft" {
				t.Error("a soft link is followed")
			}
			if o == nil {
				away = append(away, path+" "+elsewhere)
			}
			return true, nil
		}))
		if !slices.Equal(away, []string{"away in another file"}) {
			t.Errorf("%s: %q", name, away)
		}
	}
}

// A file that is cut off or damaged anywhere ends in an error that says where, or gives numbers.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5", "matlab.mat", "cells.h5ad"} {
		whole := testFile(t, name)
		for _, n := range []int{0, 8, 40, 90, 600, len(whole) / 2, len(whole) - 1} {
			if n == 0 {
				continue
			}
			_, err := opened(t, whole[:n])
			corpustest.WantFault(t, err, "cut off")
		}
		step := 97
		if testing.Short() {
			step = 1999
		}
		for at := 0; at < len(whole); at += step {
			data := bytes.Clone(whole)
			data[at] ^= 0xff
			readAll(t, data)
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n int64
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	c.n += int64(n)
	return n, err
}

// A header whose parts return to an earlier one is refused before they are read again and again.
func TestHeaderReturns(t *testing.T) {
	const size = 1 << 20
	part := binary.LittleEndian.AppendUint64([]byte{msgContinued, 0, 16, 0, 0, 0, 0, 0}, 0)
	part = binary.LittleEndian.AppendUint64(part, size)
	for len(part)+8 < size {
		n := min(65528, size-len(part)-8)
		part = append(part, 0, 0, byte(n), byte(n>>8), 0, 0, 0, 0)
		part = append(part, make([]byte, n)...)
	}
	in := must.Get(input.New(t.Context(), "test.h5", bytes.NewReader(part), int64(len(part)), input.Limits{MaxBytes: 64 << 20}))(t)
	at := &counted{ReaderAt: bytes.NewReader(part)}
	f := &File{in: in, at: at, size: int64(len(part)), offset: 8, length: 8}
	err := (&Object{f: f}).pieces([]block{{0, int64(len(part))}}, func(c *cursor) (kind, size, flags int) {
		kind, size, flags = int(c.uint(2)), int(c.uint(2)), int(c.uint(1))
		c.skip(3)
		return kind, size, flags
	}, false)
	corpustest.WantFault(t, err, "has no end")
	if at.n > 2*size {
		t.Errorf("%d bytes are read of a file of %d", at.n, size)
	}
}

// readAll reads all that is in a file; errors must be faults of the file.
func readAll(t *testing.T, data []byte) {
	t.Helper()
	f, err := opened(t, data)
	if err != nil {
		corpustest.CheckFault(t, err)
		return
	}
	var sets []*Data
	err = f.Walk(func(o *Object, path, away string) (bool, error) {
		if o == nil || !o.IsData() {
			return o != nil, nil
		}
		d, err := o.Data()
		if err == nil {
			sets = append(sets, d)
		}
		return false, err
	})
	if err != nil {
		corpustest.CheckFault(t, err)
	}
	for _, d := range sets {
		if d.Count > 1<<20 {
			continue
		}
		if d.Type.IsText() {
			_, err = d.Texts()
		} else if r, _, open := d.Open(); open != nil {
			err = open
		} else {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			corpustest.CheckFault(t, err)
		}
	}
}

// FuzzHDF reads all that is in arbitrary bytes.
func FuzzHDF(f *testing.F) {
	for _, name := range []string{"earliest.h5", "latest.h5", "matlab.mat", "cells.h5ad", "arrays.h5"} {
		f.Add(testFile(f, name))
	}
	f.Fuzz(readAll)
}

// What filters refuse.
func TestFilters(t *testing.T) {
	var s scratch
	sum := binary.LittleEndian.AppendUint32([]byte{1, 2, 3, 4}, 0)
	for _, c := range []struct {
		kind uint64
		b    []byte
	}{{filterFletcher, sum}, {filterFletcher, sum[:2]}, {filterLZF, []byte{5, 1}}, {filterLZF, []byte{0x20, 9}}, {filterDeflate, sum}, {filterZstd, sum}, {filterShuffle, sum[:3]}} {
		if _, err := unfilter(c.b, []filter{{kind: c.kind, size: 2}}, 0, 4, &s); err == nil {
			t.Errorf("filter %d takes %v", c.kind, c.b)
		}
	}
	b, err := unlzf([]byte{1, 'a', 'b', 0x40, 1}, make([]byte, 6))
	if err != nil || string(b) != "ababab" {
		t.Errorf("%q, %v", b, err)
	}
}

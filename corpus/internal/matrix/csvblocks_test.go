package matrix

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Rows written to their place are not copied, and become the matrix; rows that follow others than
// was thought, since lines before them were empty, move to where they belong.
func TestRowStorePlaces(t *testing.T) {
	const cols, before, rows = 3, 2, 5
	for _, missing := range []int{0, 1, rows - 1, rows} { // rows of the first block that are none
		s := rowStore{mem: input.NewBudget(1 << 20), cols: cols, expected: cols * (before + 2*rows)}
		var want []float64
		fill := func(cells []float64) {
			for i := range cells {
				cells[i] = float64(len(want) + 1)
				want = append(want, cells[i])
			}
		}
		if s.place(before, rows) != nil {
			t.Error("a place without room")
		}
		first := make([]float64, before*cols)
		fill(first)
		must.Do(t, s.add(first))
		s.makeRoom(cols * rows)
		one, two := s.place(before, rows)[:cols*(rows-missing)], s.place(before+rows, rows)
		if s.place(before+rows, rows+1) != nil {
			t.Error("a place beyond the room")
		}
		fill(one)
		fill(two)
		for _, cells := range [][]float64{one, two} {
			must.Do(t, s.addCounted(cells, len(cells)))
		}
		place := s.place(0, 1)
		x := must.Get(s.matrix(false))(t)
		if got := x.(*mat.Dense).RawMatrix().Data; !slices.Equal(got, want) || missing == 0 && &got[0] != &place[0] {
			t.Errorf("%d rows missing: %v, want %v", missing, got, want)
		}
	}
	s := rowStore{mem: input.NewBudget(1 << 20), cols: cols, expected: cols * 10}
	s.makeRoom(cols)
	if place := s.place(0, 5); place == nil || s.add(place) != nil || s.place(5, 5) != nil {
		t.Error("rows that are all zero have left a place for those behind them")
	}
}

// A table of many blocks has the same bits at any number of threads, and those that were written:
// dense rows, lines that are empty, a stretch of zeros, which is stored sparse, lines longer than a
// block mostly has, names, and a row in quotes, behind which rows are read one by one. All of it
// also where the size of the content is not known.
func TestCSVSameAtAnyThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	const cols = 40
	for _, c := range []struct {
		name              string
		rows, pad         int
		empty, zeros, ids bool
		quote             int
	}{
		{name: "dense", rows: 3500},
		{name: "with empty lines", rows: 3500, empty: true},
		{name: "with a stretch of zeros", rows: 3500, zeros: true},
		{name: "with names", rows: 3000, ids: true, empty: true},
		{name: "long lines", rows: 1020, pad: 5000},
		{name: "a quote", rows: 3500, quote: 2222, empty: true},
	}[race.Beyond(2):] {
		rnd := rand.New(rand.NewPCG(36, 7))
		var text []byte
		var want []float64
		for i := range c.rows {
			if c.ids {
				text = fmt.Appendf(text, "name%d,", i)
			}
			for j := range cols {
				v := rnd.NormFloat64()
				if c.zeros && i > 1500 && i < 2800 && j != i%cols {
					v = 0
				}
				if j > 0 {
					text = append(text, ',')
				}
				if c.quote > 0 && i == c.quote && j == 5 {
					text = fmt.Appendf(text, "\"%v\"", v)
				} else {
					text = strconv.AppendFloat(text, v, 'g', -1, 64)
				}
				if i > 1000 {
					text = append(text, bytes.Repeat([]byte{' '}, c.pad)...)
				}
				want = append(want, v)
			}
			text = append(text, '\n')
			if c.empty && rnd.IntN(20) == 0 {
				text = append(text, "\n\n"...)
			}
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		w.Close()
		for _, threads := range race.Threads(1, 3) {
			native.SetThreads(threads)
			for _, data := range [][]byte{text, packed.Bytes()} {
				got, err := readBytes(data, "csv", Options{})
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				same := mat.DenseCopyOf(got.X)
				if r, _ := same.Dims(); r != c.rows || !slices.Equal(same.RawMatrix().Data, want) {
					t.Errorf("%s, %d threads: other numbers", c.name, threads)
				}
				if c.ids && (len(got.IDs) != c.rows || got.IDs[c.rows-1] != fmt.Sprintf("name%d", c.rows-1)) {
					t.Errorf("%s, %d threads: other names", c.name, threads)
				}
			}
		}
	}
}

// A canceled context ends the reading of a table in blocks with its error, at any number of
// threads.
func TestCSVCanceled(t *testing.T) {
	defer native.SetThreads(native.Threads())
	text := strings.Repeat(strings.Repeat("1.5,", 40)+"2\n", 20000)
	for _, threads := range race.Threads(1, 3) {
		native.SetThreads(threads)
		for looks := int64(1); looks < 25; looks += 3 {
			ctx := countdown.New(context.Background(), looks)
			in, err := input.New(ctx, "test.csv", strings.NewReader(text), int64(len(text)), input.Limits{MaxBytes: 1 << 30})
			if err == nil {
				_, err = Read(in, "csv", Options{})
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%d threads, %d looks: %v", threads, looks, err)
			}
		}
	}
}

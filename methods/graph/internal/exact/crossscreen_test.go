package exact

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"pgregory.net/rapid"
)

// crossingOf makes the rows from split on new ones.
func crossingOf(t interface{ Fatal(...any) }, x *sparse.CSR, split int) *Crossing {
	rows := make([]int, x.NumRows)
	for i := range rows {
		rows[i] = i
	}
	c := must.Get(NewCrossing(x.SelectRows(rows[split:]), x.SelectRows(rows[:split])))(t)
	if !c.s.unit {
		t.Fatal("rows of length 1 are not seen as such")
	}
	return c
}

// metPass has no limit of edges.
var metPass = Pass{Dot: true, Most: math.MaxInt64}

// metBy is all that a crossing finds, by the screen or without it.
func metBy(t interface{ Fatal(...any) }, c *Crossing, screen bool, k int, reach []float64) (found [3]any) {
	meet := c.plain
	if screen {
		meet = c.screened
	}
	m := must.Get(meet(background, k, reach, metPass))(t)
	lists := must.Get(m.Lists(background))(t)
	return [3]any{lists, m.Edges(), m.SameRows()}
}

// New rows find among others what the search in float64 finds, with the same bits: rows of any
// shape and signs, copies and near copies, training rows of any reach. It is the same at any number
// of threads, and of a new row alone.
func TestMetByScreenIsPlain(t *testing.T) {
	defer native.SetThreads(0)
	property.Check(t, func(t *rapid.T) {
		x, rng := drawNearDocuments(t)
		split := rapid.IntRange(1, x.NumRows-1).Draw(t, "split")
		k := rapid.IntRange(1, split).Draw(t, "k")
		c := crossingOf(t, x, split)
		reach := make([]float64, split)
		for j := range reach { // that of a distance that occurs, more than any, or any
			switch r := rng.Float64(); {
			case r < .4:
				i := split + rng.IntN(c.Fresh)
				reach[j] = c.s.Dist2(i, j, c.s.dot(i, j))
			case r < .6:
				reach[j] = 4
			case r < .7:
				reach[j] = math.Inf(1)
			default:
				reach[j] = 2.2 * rng.Float64()
			}
		}
		native.SetThreads(1 + rng.IntN(3))
		want := metBy(t, c, false, k, reach)
		if got := metBy(t, c, true, k, reach); !reflect.DeepEqual(got, want) {
			t.Fatalf("%d of %d × %d are new, k = %d: got %v\nwant %v", c.Fresh, x.NumRows, x.NumCols, k, got, want)
		}
		row := split + rng.IntN(c.Fresh)
		one := make([]int, 0, split+1)
		for i := range split {
			one = append(one, i)
		}
		got := metBy(t, crossingOf(t, x.SelectRows(append(one, row)), split), true, k, reach)
		index, dist2, dot := want[0].(*Lists).Row(row - split)
		cols, vals := want[1].(*sparse.CSR).Row(row - split)
		lone, edges := got[0].(*Lists), got[1].(*sparse.CSR)
		if !reflect.DeepEqual([]any{lone.Index, lone.Dist2, lone.Dot}, []any{index, dist2, dot}) ||
			!sameRow(edges, cols, vals) || got[2].([]int)[0] != want[2].([]int)[row-split] {
			t.Fatalf("row %d alone: got %v, want %v", row-split, got, want)
		}
	})
}

// sameRow is whether a matrix of one row has these entries.
func sameRow(a *sparse.CSR, cols []int32, vals []float64) bool {
	c, v := a.Row(0)
	if len(c) != len(cols) {
		return false
	}
	for p := range c {
		if c[p] != cols[p] || v[p] != vals[p] {
			return false
		}
	}
	return true
}

// The same with more new rows than a span has and several groups of training rows, terms of every
// class and columns that nearly all rows have; the screen is what the search takes then.
func TestMetSpansArePlain(t *testing.T) {
	if testing.Short() {
		t.Skip("9,000 rows are not for -short")
	}
	const split, n, terms, full, k = 2*groupRows + Lanes + 5, spanRows + 1200, 30_000, 40, 10
	rng := rand.New(rand.NewPCG(7, 3))
	b := sparse.NewBuilder(n, terms+full)
	for i := range n {
		row := map[int]float64{}
		for range 15 {
			u := rng.Float64()
			row[int(terms*u*u*u*u)] = 3
		}
		for c := range full {
			if i%20 > 0 {
				row[terms+c] = rng.NormFloat64()
			}
		}
		for c, v := range row {
			b.Add(i, c, v)
		}
	}
	x := must.Get(b.Build())(t)
	c := crossingOf(t, x.NormalizeRows(), split)
	if s := newSparseScreen(c.s.rows, c.s.loop); !c.s.screenable(k) || s.dense.Cols != full {
		t.Fatalf("screened: %v, with %d full columns", c.s.screenable(k), s.dense.Cols)
	}
	reach := make([]float64, split)
	for j := range reach {
		reach[j] = 1.5 + .2*rng.Float64()
	}
	want := metBy(t, c, false, k, reach)
	if got := metBy(t, c, true, k, reach); !reflect.DeepEqual(got, want) {
		t.Error("not what the search in float64 finds")
	}
	if want[1].(*sparse.CSR).NNZ() < n {
		t.Errorf("only %d edges", want[1].(*sparse.CSR).NNZ())
	}
}

// A graph with more edges than there is room for is refused with their number.
func TestMetByScreenCountsEdges(t *testing.T) {
	c := crossingOf(t, graphtest.Rows(700, 300, 20, true, false, 8), 500)
	reach := make([]float64, 500)
	for j := range reach {
		reach[j] = 1.5
	}
	full := &invalidEdges{}
	_, err := c.screened(background, 15, reach, Pass{Most: 100, TooMany: full.tooMany})
	if err != error(full) || full.edges <= 100 {
		t.Errorf("%v, after %d edges", err, full.edges)
	}
}

// invalidEdges is the error of too many edges.
type invalidEdges struct{ edges int64 }

func (e *invalidEdges) Error() string { return "too many edges" }

func (e *invalidEdges) tooMany(edges int64) error {
	e.edges = edges
	return e
}

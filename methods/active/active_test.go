package active

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// blobs are points around 0, 100, 200, ... on a line in the plane, as many as sizes say.
func blobs(sizes ...int) (x *mat.Dense, blob []int) {
	r := rand.New(rand.NewPCG(3, 4))
	var data []float64
	for b, n := range sizes {
		for range n {
			data = append(data, 100*float64(b)+r.NormFloat64(), r.NormFloat64())
			blob = append(blob, b)
		}
	}
	return mat.NewDense(len(blob), 2, data), blob
}

func blobsOf(picks []Pick, blob []int) []int {
	var list []int
	for _, p := range picks {
		list = append(list, blob[p.Row])
	}
	return list
}

// Largest cells come first, cells with a label last, and none twice before all had a turn.
func TestSelectCoversTheCells(t *testing.T) {
	x, blob := blobs(30, 60, 40, 50)
	state := make([]State, len(blob))
	picks := must.Get(Select(context.Background(), x, state, nil, nil, 4, nil))(t)
	if got := blobsOf(picks, blob); !slices.Equal(got, []int{1, 3, 2, 0}) {
		t.Errorf("the picks are in the blobs %v", got)
	}
	if picks[0].Covers != 60 || picks[0].Labels != 0 || picks[0].Uncertainty != 1 {
		t.Errorf("the first pick is %+v", picks[0])
	}
	state[picks[0].Row] = Known
	again := must.Get(Select(context.Background(), x, state, nil, nil, 3, nil))(t)
	if got := blobsOf(again, blob); !slices.Equal(got, []int{3, 2, 0}) {
		t.Errorf("with a label in blob 1 the picks are in the blobs %v", got)
	}
}

// The pick of a cell is the point that a literal computation finds, and no outlier.
func TestSelectTakesTheTypical(t *testing.T) {
	x, blob := blobs(50)
	x.SetRow(7, []float64{9, 9})
	state := make([]State, len(blob))
	picks := must.Get(Select(context.Background(), x, state, nil, nil, 1, nil))(t)
	best, least := -1, math.Inf(1)
	for i := range blob {
		var d []float64
		for j := range blob {
			if i != j {
				d = append(d, math.Hypot(x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1)))
			}
		}
		slices.Sort(d)
		sum := 0.0
		for _, v := range d[:neighbours] {
			sum += v
		}
		if sum < least {
			best, least = i, sum
		}
	}
	if picks[0].Row != best {
		t.Errorf("the pick is %d, the most typical point %d", picks[0].Row, best)
	}
}

// A typicality that is given decides in each cell, the lower row on a tie.
func TestSelectGoesByTypicality(t *testing.T) {
	x, blob := blobs(30, 40)
	typicality := make([]float64, len(blob))
	typicality[12], typicality[20], typicality[33], typicality[55] = 3, 3, 1, 2
	picks, err := Select(context.Background(), x, make([]State, len(blob)), nil, typicality, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if picks[0].Row != 55 || picks[1].Row != 12 {
		t.Errorf("the picks are %+v", picks)
	}
	// Once a row is known, uncertainty counts with it.
	state, unsure := make([]State, len(blob)), slices.Repeat([]float64{.5}, len(blob))
	state[0], unsure[55], unsure[33] = Known, .1, .9
	picks, err = Select(context.Background(), x, state, unsure, typicality, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if picks[0].Row != 33 {
		t.Errorf("with a label the picks are %+v", picks)
	}
}

// Of two cells of one size the less certain one comes first.
func TestSelectGoesByUncertainty(t *testing.T) {
	x, blob := blobs(40, 40)
	state := make([]State, len(blob))
	for less := range 2 {
		u := make([]float64, len(blob))
		for i := range u {
			if u[i] = .2; blob[i] == less {
				u[i] = .8
			}
		}
		picks := must.Get(Select(context.Background(), x, state, u, nil, 2, nil))(t)
		if got := blobsOf(picks, blob); got[0] != less || math.Abs(picks[0].Uncertainty-.8) > 1e-12 {
			t.Errorf("blob %d is uncertain: %v, %+v", less, got, picks[0])
		}
	}
}

// All open rows are chosen at last, each once, and no others.
func TestSelectTakesOpenRowsAlone(t *testing.T) {
	x, blob := blobs(6, 5, 9)
	state := make([]State, len(blob))
	for i := range state {
		state[i] = State(i % 3)
	}
	picks := must.Get(Select(context.Background(), x, state, nil, nil, 100, nil))(t)
	var rows []int
	for _, p := range picks {
		rows = append(rows, p.Row)
	}
	slices.Sort(rows)
	if !slices.Equal(rows, []int{0, 3, 6, 9, 12, 15, 18}) {
		t.Errorf("the rows are %v", rows)
	}
}

func TestSelectRefuses(t *testing.T) {
	x, blob := blobs(4)
	for name, err := range map[string]error{
		"lengths": second(Select(context.Background(), x, nil, nil, nil, 1, nil)),
		"n":       second(Select(context.Background(), x, make([]State, len(blob)), nil, nil, 0, nil)),
		"none":    second(Select(context.Background(), x, []State{Known, Known, Out, Out}, nil, nil, 1, nil)),
	} {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ []Pick, err error) error { return err }

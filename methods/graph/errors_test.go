package graph

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestValidateListsEverything(t *testing.T) {
	err := Options{Neighbors: -1, Epsilon: math.NaN(), Weight: "cosine", HeatWidth: -2, PolyDegree: -1,
		PolyOffset: math.Inf(1), Symmetry: "both"}.Validate()
	if !errors.Is(err, fs.ErrInvalid) {
		t.Fatalf("%v", err)
	}
	for _, name := range []string{"neighbors", "epsilon", "cosine", "heat-width", "poly-degree", "poly-offset", "both"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is missing in\n%v", name, err)
		}
	}
	if err := (Options{}).Validate(); err != nil {
		t.Errorf("zero value: %v", err)
	}
}

func TestWrongRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := graphtest.Documents(10, 20, rng)
	nan := x.Clone()
	nan.Val[3] = math.NaN()
	huge := mat.NewDense(3, 2, []float64{1, 2, 1e200, 1, 3, 4})
	denseNaN := mat.NewDense(3, 2, []float64{1, 2, 3, math.Inf(-1), 5, 6})
	empty := &sparse.CSR{NumCols: 3, RowPtr: []int{0}}
	broken := &sparse.CSR{NumRows: 2, NumCols: 2, RowPtr: []int{0, 1, 2}, Col: []int32{0, 7}, Val: []float64{1, 1}}
	one := x.SelectRows([]int{0})
	for name, c := range map[string]struct {
		x    mat.Matrix
		k    int
		want string
	}{
		"k = n":         {x, 10, "10 documents"},
		"k > n":         {x.ToDense(), 11, "at most 9"},
		"k = 0":         {x, 0, "at least 1"},
		"k < 0":         {x, -3, "at least 1"},
		"one document":  {one, 1, "only one document"},
		"no documents":  {empty, 1, "no documents"},
		"empty dense":   {&mat.Dense{}, 1, "no documents"},
		"sparse NaN":    {nan, 2, "NaN"},
		"dense Inf":     {denseNaN, 1, "(1, 1)"},
		"overflow":      {huge, 1, "row 1"},
		"overflow, CSR": {graphtest.CSR(t, huge), 1, "row 1"},
		"broken CSR":    {broken, 1, "(1, 7)"},
	} {
		if _, err := Nearest(background, c.x, c.k, nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Nearest, %s: %v", name, err)
		}
		if c.k <= 0 {
			continue
		}
		if _, err := Build(background, c.x, Options{Neighbors: c.k}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Build, %s: %v", name, err)
		}
	}
	var nf *sparse.NotFiniteError
	if _, err := Nearest(background, denseNaN, 1, nil); !errors.As(err, &nf) || nf.Row != 1 || nf.Col != 1 {
		t.Errorf("place of the entry: %v", err)
	}
	if _, err := Build(background, x, Options{Weight: "cosine"}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("options are not validated: %v", err)
	}
	big := mat.NewDense(3, 1, []float64{1e150, 1e150, 1e150})
	if _, err := Build(background, big, Options{Weight: Poly, PolyDegree: 9}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("overflowing weight: %v", err)
	}
}

// Too large requests fail before memory is allocated.
func TestBudget(t *testing.T) {
	n := 60000
	b := sparse.NewBuilder(n, 1)
	for i := range n {
		b.Add(i, 0, 1)
	}
	x, _ := b.Build()
	if _, err := Nearest(background, x, n-1, nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "GiB") {
		t.Errorf("n·k lists: %v", err)
	}
	if _, err := Build(memory.Bound(background, 1<<20), x, Options{Neighbors: 1000}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("lists within a budget: %v", err)
	}
	for _, x := range []mat.Matrix{x, x.ToDense()} {
		if _, err := Build(memory.Bound(background, 1<<20), x, Options{Epsilon: 1}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "epsilon") {
			t.Errorf("%T: ε-graph of all pairs: %v", x, err)
		}
	}
}

func TestCancellation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	n := 4000
	if race.On {
		n = 1500
	}
	points := mat.NewDense(n, 64, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() }, points)
	for name, x := range map[string]mat.Matrix{"sparse": graphtest.Documents(n, 20, rng), "dense": points} {
		for _, opt := range []Options{{Epsilon: 1e-3}, {}}[race.Beyond(1):] {
			whole := countdown.New(background, countdown.Forever)
			if _, err := Build(whole, x, opt); err != nil {
				t.Fatal(err)
			}
			for _, looks := range []int64{0, whole.Looks() / 4, whole.Looks() / 2} {
				ctx := countdown.New(background, looks)
				if _, err := Build(ctx, x, opt); !errors.Is(err, context.Canceled) {
					t.Errorf("%s, ε = %v: ended after %d of %d looks: %v", name, opt.Epsilon, looks, whole.Looks(), err)
				}
				if late := ctx.Late(); late > int64(4*native.Threads()) {
					t.Errorf("%s, ε = %v: ended after %d looks, it looked %d times more", name, opt.Epsilon, looks, late)
				}
			}
		}
	}
}

func TestProgress(t *testing.T) {
	x := graphtest.Documents(500, 50, rand.New(rand.NewPCG(1, 1)))
	for _, m := range []mat.Matrix{x, x.ToDense()} {
		last := int64(-1)
		_, err := Nearest(background, m, 3, func(e progress.Event) {
			if e.Stage != "neighbours" || e.Total != 500 || e.Unit != "rows" || e.Done < last {
				t.Errorf("event %+v after %d", e, last)
			}
			last = e.Done
		})
		if err != nil || last != 500 {
			t.Errorf("%T: last report %d (%v)", m, last, err)
		}
	}
}

func TestFromAffinity(t *testing.T) {
	w := graphtest.CSR(t, mat.NewDense(4, 4, []float64{
		7, 2, 0, 0,
		2 + 1e-13, 0, 0, 0,
		0, 0, 0, 1,
		0, 0, 1, 3,
	}))
	g := must.Get(FromAffinity(w))(t)
	checkInvariants(t, g)
	if g.Components != 2 || g.W.NNZ() != 4 || math.Abs(g.W.At(0, 1)-2) > 1e-13 || len(g.Isolated) != 0 {
		t.Errorf("%+v", g)
	}
	for name, c := range map[string]struct {
		w    *sparse.CSR
		want string
	}{
		"not square": {&sparse.CSR{NumRows: 1, NumCols: 2, RowPtr: []int{0, 0}}, "1 × 2"},
		"empty":      {&sparse.CSR{RowPtr: []int{0}}, "empty"},
		"negative":   {graphtest.CSR(t, mat.NewDense(2, 2, []float64{0, -1, -1, 0})), "(0, 1)"},
		"asymmetric": {graphtest.CSR(t, mat.NewDense(2, 2, []float64{0, 1, 1.001, 0})), "1.001"},
		"one way":    {graphtest.CSR(t, mat.NewDense(2, 2, []float64{0, 1, 0, 0})), "not symmetric"},
		"NaN":        {&sparse.CSR{NumRows: 1, NumCols: 1, RowPtr: []int{0, 1}, Col: []int32{0}, Val: []float64{math.NaN()}}, "NaN"},
		"broken":     {&sparse.CSR{NumRows: 1, NumCols: 1, RowPtr: []int{0, 1}, Col: []int32{4}, Val: []float64{1}}, "outside"},
		"too large":  {graphtest.CSR(t, mat.NewDense(3, 3, []float64{0, 1.7e308, 1.7e308, 1.7e308, 0, 0, 1.7e308, 0, 0})), "infinity"},
	} {
		for _, make := range []func(*sparse.CSR) (*Graph, error){FromAffinity, TakeAffinity} {
			if _, err := make(c.w); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A graph takes a matrix that is one already as it is, and makes its own of any other.
func TestTakeAffinity(t *testing.T) {
	ready := graphtest.CSR(t, mat.NewDense(3, 3, []float64{0, 2, 1, 2, 0, 0, 1, 0, 0}))
	for name, c := range map[string]struct {
		w    *sparse.CSR
		same bool
	}{
		"ready":    {ready, true},
		"diagonal": {graphtest.CSR(t, mat.NewDense(3, 3, []float64{4, 2, 1, 2, 0, 0, 1, 0, 0})), false},
		"rounded":  {graphtest.CSR(t, mat.NewDense(3, 3, []float64{0, 2 + 1e-15, 1, 2, 0, 0, 1, 0, 0})), false},
		"zero":     {&sparse.CSR{NumRows: 3, NumCols: 3, RowPtr: []int{0, 3, 5, 6}, Col: []int32{0, 1, 2, 0, 2, 0}, Val: []float64{0, 2, 1, 2, 0, 1}}, false},
	} {
		copied, err := FromAffinity(c.w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		taken, err := TakeAffinity(c.w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkInvariants(t, taken)
		if !slices.Equal(taken.W.Val, copied.W.Val) || !slices.Equal(taken.W.Col, copied.W.Col) {
			t.Errorf("%s: %v and %v", name, taken.W, copied.W)
		}
		if same := &taken.W.Val[0] == &c.w.Val[0]; same != c.same || &copied.W.Val[0] == &c.w.Val[0] {
			t.Errorf("%s: taken as it is: %v", name, same)
		}
	}
}

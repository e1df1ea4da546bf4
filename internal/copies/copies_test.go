package copies

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// rows are 0 and 3, and 1 and 5, equal; 2 and 4 are zeros, and 6 differs from 0 in its place alone.
var rows = []float64{
	1, 0, 2,
	3, 0, 0,
	0, 0, 0,
	1, 0, 2,
	0, 0, 0,
	3, 0, 0,
	0, 1, 2,
}

// storages are the matrices that a row may be stored in.
func storages(t *testing.T) map[string]mat.Matrix {
	t.Helper()
	dense := mat.NewDense(7, 3, rows)
	csr := must.Get(sparse.FromMatrix(dense))(t)
	single := must.Get(sparse.NewSingle(csr))(t)
	denseSingle := must.Get(sparse.NewSingleDense(dense))(t)
	zeros := *csr // entries of 0, and of -0, are none
	zeros.RowPtr, zeros.Col, zeros.Val = []int{0, 3}, []int32{0, 1, 2}, []float64{1, 0, 2}
	for i := 1; i < 7; i++ {
		cols, vals := csr.Row(i)
		zeros.Col, zeros.Val = append(zeros.Col, cols...), append(zeros.Val, vals...)
		zeros.RowPtr = append(zeros.RowPtr, len(zeros.Col))
	}
	return map[string]mat.Matrix{"dense": dense, "sparse": csr, "single": single, "dense single": denseSingle, "with zeros": &zeros}
}

// Equal rows are found in every storage; rows that say nothing have no copies.
func TestFind(t *testing.T) {
	for name, x := range storages(t) {
		g := must.Get(Find(context.Background(), x, nil, []int{2, 4}, nil))(t)
		if want := (&Groups{First: []int{0, 1, 2, 4, 6}, Of: []int32{0, 1, 2, 0, 3, 1, 4}}); !reflect.DeepEqual(g, want) {
			t.Errorf("%s: %v, not %v", name, g, want)
		}
		if g.Copies() != 2 || g.Len() != 7 || !g.IsCopy(3) || g.IsCopy(0) || !reflect.DeepEqual(g.Largest(5), []int{0, 1}) || !reflect.DeepEqual(g.Sets(), [][]int32{{0, 3}, {1, 5}}) {
			t.Errorf("%s: %d copies, largest %v, sets %v", name, g.Copies(), g.Largest(5), g.Sets())
		}
		if some, err := Find(context.Background(), x, nil, []int{2, 3, 4, 5}, nil); err != nil || some != nil {
			t.Errorf("%s: copies %v where none may be", name, some)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, mat.NewDense(7, 3, rows), nil, nil, nil); err == nil {
		t.Error("a search went on after it was stopped")
	}
}

// Ranks find what one process finds, and give their rows what another rank's first row has.
func TestFindOnRanks(t *testing.T) {
	x := mat.NewDense(7, 3, rows)
	want := must.Get(Find(context.Background(), x, nil, []int{2, 4}, nil))(t)
	found := mat.NewDense(len(want.First), 2, []float64{0, 1, 10, 11, 20, 21, 30, 31, 40, 41})
	all := want.Rows(found, nil, nil)
	for _, size := range []int{2, 3} {
		ranks.Together(size, func(team ranks.Team) {
			share := ranks.Evenly(team, 7)
			lo, hi := share.First(), share.First()+share.Own()
			var alone []int
			for _, i := range []int{2, 4} {
				if i >= lo && i < hi {
					alone = append(alone, i-lo)
				}
			}
			g, err := Find(context.Background(), x.Slice(lo, hi, 0, 3), nil, alone, share)
			if err != nil || !reflect.DeepEqual(g, want) {
				t.Errorf("rank %d of %d: %v, %v, not %v", team.Rank(), size, g, err, want)
				return
			}
			here := g.Here(share)
			distinct := ranks.NewShare(team, len(here))
			own := found.Slice(distinct.First(), distinct.First()+len(here), 0, 2).(*mat.Dense)
			if got := g.Rows(own, distinct, share); !mat.Equal(got, all.Slice(lo, hi, 0, 2)) {
				t.Errorf("rank %d of %d: rows\n%v", team.Rank(), size, mat.Formatted(got))
			}
		})
	}
	if got := Each(want, []string{"a", "b", "c", "d", "e"}); !reflect.DeepEqual(got, []string{"a", "b", "c", "a", "d", "b", "e"}) {
		t.Errorf("each: %v", got)
	}
	if got := want.Members([]int{1, 3}); !reflect.DeepEqual(got, []int{1, 4, 5}) {
		t.Errorf("members: %v", got)
	}
	if Each[int](want, nil) != nil || want.Members(nil) != nil || want.Rows(nil, nil, nil) != nil {
		t.Error("something was made of nothing")
	}
}

// Rows that are equal are copies only if their directions beside agree, but for rounding.
func TestFindBeside(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 5, 6})
	beside := mat.NewDense(6, 3, []float64{
		1, .3, 0,
		2 * (1 + 1e-9), 2 * .3, 2e-9, // the same direction
		0, .3, 1, // another one
		.5, .5, 0,
		.5, .5, 0,
		.5, .5, 0, // of a row that is no copy
	})
	g := must.Get(Find(context.Background(), x, beside, nil, nil))(t)
	if want := []int32{0, 0, 1, 2, 2, 3}; !slices.Equal(g.Of, want) {
		t.Errorf("groups %v, want %v", g.Of, want)
	}
	sparseX := must.Get(sparse.FromMatrix(x))(t)
	again, err := Find(context.Background(), sparseX, beside, nil, nil)
	if err != nil || !slices.Equal(again.Of, g.Of) {
		t.Errorf("of sparse rows: %v, %v", again, err)
	}
}

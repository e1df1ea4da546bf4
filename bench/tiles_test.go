package bench

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// twins is a corpus in which every row has a copy, so that products tie, and one row has a term
// of its own.
func twins(t *testing.T) *sparse.CSR {
	counts, _ := Documents{Docs: 300, Terms: 900, Topics: 5, Stories: 3, Length: 30, Seed: 1}.Counts()
	var rows []int
	for i := range counts.NumRows {
		rows = append(rows, i, i)
	}
	x := counts.SelectRows(rows).NormalizeRows()
	last := x.RowPtr[x.NumRows]
	x.RowPtr = append(x.RowPtr, last+1)
	x.NumRows++
	x.NumCols++
	x.Col, x.Val = append(x.Col[:last:last], int32(x.NumCols-1)), append(x.Val[:last:last], 1)
	return x
}

func TestTilesFindWhatOursFinds(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("there is no g++")
	}
	program := must.Get(compileTiles(context.Background(), t.TempDir()))(t)
	x := twins(t)
	file := filepath.Join(t.TempDir(), "rows.bin")
	must.Do(t, writeRows(file, x))
	ours := must.Get(graph.Nearest(context.Background(), x, neighbors, nil))(t)
	for _, threads := range []int{1, 2, 5} {
		_, found, err := program.search(context.Background(), file, x.NumRows, neighbors, threads)
		if err != nil {
			t.Fatal(err)
		}
		if said := agreement(ours, found); !strings.HasPrefix(said, "all ") {
			t.Errorf("%d threads: %s", threads, said)
		}
	}
}

func TestAgreementSeesAnotherNeighbourAndAnotherProduct(t *testing.T) {
	x := twins(t)
	ours := must.Get(graph.Nearest(context.Background(), x, neighbors, nil))(t)
	same := func() *neighborsOf {
		return &neighborsOf{append([]int32(nil), ours.Index...), append([]float64(nil), ours.Dot...)}
	}
	if said := agreement(ours, same()); !strings.HasPrefix(said, "all ") {
		t.Errorf("the same neighbours: %s", said)
	}
	other := same()
	other.index[0] = int32(x.NumRows - 1) // the copy of row 0 is its nearest
	if said := agreement(ours, other); !strings.HasPrefix(said, "DIFFERS") {
		t.Errorf("another neighbour: %s", said)
	}
	other = same()
	other.products[neighbors-1] -= 1e-9
	if said := agreement(ours, other); !strings.HasPrefix(said, "DIFFERS") {
		t.Errorf("another product: %s", said)
	}
}

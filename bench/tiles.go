package bench

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

//go:embed cpp/tiles.cpp
var tilesSource string

// tiles is the compiled search in C++, cpp/tiles.cpp.
type tiles struct{ program string }

// tilesProgram compiles the search into the folder of the run, once. The error is one sentence:
// what is missing.
func (s *session) tilesProgram(ctx context.Context) (*tiles, error) {
	if s.tiles != nil || s.noTiles != nil {
		return s.tiles, s.noTiles
	}
	s.tiles, s.noTiles = compileTiles(ctx, s.OutDir)
	return s.tiles, s.noTiles
}

func compileTiles(ctx context.Context, dir string) (*tiles, error) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		return nil, errors.New("the search in C++ is left out: there is no g++")
	}
	source, program := filepath.Join(dir, "tiles.cpp"), filepath.Join(dir, "tiles")
	if err := os.WriteFile(source, []byte(tilesSource), 0o644); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, compiler, "-O3", "-march=native", "-pthread", "-o", program, source).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the search in C++ is left out: g++: %w\n%s", err, out)
	}
	return &tiles{program}, nil
}

// neighborsOf are the neighbours that the search in C++ found: indices, -1 for none, and products.
type neighborsOf struct {
	index    []int32
	products []float64
}

// search runs the program on the rows in file, which writeRows wrote. Its time leaves out reading
// and writing.
func (t *tiles) search(ctx context.Context, file string, rows, k, threads int) (Outcome, *neighborsOf, error) {
	result := file + ".neighbours"
	defer os.Remove(result)
	out, err := exec.CommandContext(ctx, t.program, file, fmt.Sprint(k), fmt.Sprint(threads), result).Output()
	if err != nil {
		return Outcome{}, nil, err
	}
	var o Outcome
	var again int
	if _, err := fmt.Sscan(string(out), &o.Seconds, &o.CPU, &o.PeakMB, &again); err != nil {
		return Outcome{}, nil, fmt.Errorf("the search in C++ printed %q: %w", out, err)
	}
	if again > 0 {
		o.Note = fmt.Sprintf("%d rows searched again in double", again)
	}
	raw, err := os.ReadFile(result)
	if err != nil {
		return Outcome{}, nil, err
	}
	found := &neighborsOf{make([]int32, rows*k), make([]float64, rows*k)}
	r := bytes.NewReader(raw)
	if err := errors.Join(binary.Read(r, binary.LittleEndian, found.index), binary.Read(r, binary.LittleEndian, found.products)); err != nil {
		return Outcome{}, nil, err
	}
	return o, found, nil
}

// writeRows writes a matrix for the search in C++; cpp/tiles.cpp has the format.
func writeRows(name string, x *sparse.CSR) error {
	if x.NNZ() > math.MaxInt32 {
		return fmt.Errorf("the search in C++ takes at most %d entries, not %d", math.MaxInt32, x.NNZ())
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	ptr := make([]int32, len(x.RowPtr))
	for i, p := range x.RowPtr {
		ptr[i] = int32(p)
	}
	for _, part := range []any{[]int64{int64(x.NumRows), int64(x.NumCols), int64(x.NNZ())}, ptr, x.Col, x.Val} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// tilesContestant is the search in C++ on x with as many threads as ours; found is what its last
// run found. Without a compiler there is a contestant that fails and says so.
func (s *session) tilesContestant(ctx context.Context, x *sparse.CSR, found **neighborsOf) Contestant {
	c := Contestant{Name: "tiles in C++", Side: Peer}
	t, err := s.tilesProgram(ctx)
	file := filepath.Join(s.matrix, "rows.bin")
	if err == nil {
		err = writeRows(file, x)
	}
	c.Run = func(ctx context.Context) (o Outcome, _ error) {
		if err != nil {
			return o, err
		}
		var failed error
		o, *found, failed = t.search(ctx, file, x.NumRows, neighbors, native.Threads())
		return o, failed
	}
	return c
}

// agreement compares the neighbours of both searches: their products, and the neighbours
// themselves where no product ties with another.
func agreement(ours *graph.KNN, theirs *neighborsOf) string {
	const tie = 1e-12
	var worst float64
	others := 0
	for i := range ours.N {
		index, _, dots := ours.Row(i)
		theirIndex, theirDots := theirs.index[i*ours.K:][:ours.K], theirs.products[i*ours.K:][:ours.K]
		last := slices.Min(dots)
		for j := range index {
			worst = max(worst, math.Abs(dots[j]-theirDots[j]))
			if dots[j] > last+tie && !slices.Contains(theirIndex, index[j]) {
				others++
			}
		}
	}
	if others > 0 || worst > tie {
		return fmt.Sprintf("DIFFERS from the search in C++: products by up to %.0e, %d neighbours", worst, others)
	}
	return fmt.Sprintf("all %d neighbours of ours and of the search in C++ agree up to ties, products to %.0e", len(ours.Index), worst)
}

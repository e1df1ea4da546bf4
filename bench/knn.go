package bench

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const neighbors = 15

// knnSection measures the search for the exact 15 nearest neighbours of every document, in time and
// in memory.
func knnSection(ctx context.Context, s *session) ([]Group, error) {
	c, rows, err := s.documents(ctx)
	if err != nil {
		return nil, err
	}
	x := rows.(*sparse.CSR)
	g, err := s.againstScikit(ctx, c.Name, x)
	if err != nil {
		return nil, err
	}
	tiled, err := s.againstTiles(ctx, c.Name, x)
	if err != nil {
		return nil, err
	}
	growth, err := s.knnGrowth(ctx)
	if err != nil {
		return nil, err
	}
	groups := append([]Group{g, tiled}, growth...)
	large := Documents{Docs: 100_000, Terms: 60_000, Topics: 30, Stories: 12, Length: 122, Seed: s.Seed}
	if s.Quick {
		large.Docs = 3_000
	}
	counts, _ := large.Counts()
	tiled, err = s.againstTiles(ctx, "made-up documents", counts.NormalizeRows())
	if err != nil {
		return nil, err
	}
	dense, err := s.imagesGroup(ctx)
	return append(groups, tiled, dense), err
}

// exact is the contestant of the exact search; found is what its last run found.
func exact(x mat.Matrix, found **graph.KNN) Contestant {
	return Contestant{"exact", Native, func(ctx context.Context) (Outcome, error) {
		clock := startStopwatch()
		var err error
		*found, err = graph.Nearest(ctx, x, neighbors, nil)
		return clock.outcome(1, ""), err
	}}
}

// againstScikit measures the exact search beside scikit-learn's, in time and in memory.
func (s *session) againstScikit(ctx context.Context, name string, x *sparse.CSR) (Group, error) {
	file, err := s.export("documents", x)
	if err != nil {
		return Group{}, err
	}
	var ours *graph.KNN
	all := []Contestant{exact(x, &ours)}
	task := peerTask{Task: "knn", Files: []string{file}, K: neighbors}
	if s.peer != nil {
		all = append(all, Contestant{"scikit-learn brute cosine", Peer, func(ctx context.Context) (Outcome, error) {
			a, err := s.peer.ask(ctx, task)
			return Outcome{Seconds: a.Seconds, CPU: a.CPU}, err
		}})
	}
	g, err := s.compare(ctx, fmt.Sprintf("%d nearest neighbours, %s %d×%d", neighbors, name, x.NumRows, x.NumCols), all)
	if err != nil {
		return g, err
	}
	if s.peer != nil && ours != nil {
		note, err := s.sameNeighbors(ctx, task, ours)
		if err != nil {
			return g, err
		}
		g.Notes = append(g.Notes, note)
	}
	memory, err := s.memory(ctx, task)
	g.Notes = append(g.Notes, memory...)
	return g, err
}

// againstTiles measures the exact search beside the one in C++ on as many threads, and compares the
// neighbours.
func (s *session) againstTiles(ctx context.Context, name string, x *sparse.CSR) (Group, error) {
	var ours *graph.KNN
	var theirs *neighborsOf
	title := fmt.Sprintf("%d nearest neighbours beside C++, %s %d×%d, %.0f entries in a row, %d threads",
		neighbors, name, x.NumRows, x.NumCols, float64(x.NNZ())/float64(x.NumRows), native.Threads())
	g, err := s.compare(ctx, title, []Contestant{exact(x, &ours), s.tilesContestant(ctx, x, &theirs)})
	if err != nil || ours == nil || theirs == nil {
		return g, err
	}
	g.Notes = append(g.Notes, agreement(ours, theirs))
	return g, nil
}

// knnGrowth measures the exact and the approximate search on made-up corpora of three sizes, each
// twice the one before.
func (s *session) knnGrowth(ctx context.Context) ([]Group, error) {
	largest := 50_000
	if s.Quick {
		largest = 4_000
	}
	var groups []Group
	var sizes, exact, approximate []float64
	for docs := largest / 4; docs <= largest; docs *= 2 {
		d := TDT2Size(s.Seed)
		d.Docs, d.Stories = docs, max(d.Stories, docs/600)
		counts, _ := d.Counts()
		x := counts.NormalizeRows()
		g, err := s.compare(ctx, fmt.Sprintf("%d nearest neighbours, made-up documents %d×%d", neighbors, docs, d.Terms), []Contestant{
			{"approximate", Native, func(ctx context.Context) (Outcome, error) {
				_, recall, err := graph.Approximate(ctx, x, neighbors, s.Seed, nil)
				return Outcome{Note: fmt.Sprintf("recall %.3f", recall)}, err
			}},
			{"exact", Native, func(ctx context.Context) (Outcome, error) {
				_, err := graph.Nearest(ctx, x, neighbors, nil)
				return Outcome{}, err
			}},
		})
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, float64(docs))
		approximate, exact = append(approximate, g.Rows[0].Median), append(exact, g.Rows[1].Median)
		if n := len(sizes); n > 1 {
			grown := func(t []float64) float64 { return math.Log(t[n-1]/t[n-2]) / math.Log(sizes[n-1]/sizes[n-2]) }
			g.Notes = append(g.Notes, fmt.Sprintf("from %.0f documents: exact n^%.2f, approximate n^%.2f", sizes[n-2], grown(exact), grown(approximate)))
		}
		g.Notes = append(g.Notes, fmt.Sprintf("approximate is %.2f times as fast as exact", exact[len(exact)-1]/approximate[len(approximate)-1]))
		groups = append(groups, g)
	}
	return groups, nil
}

// sameNeighbors compares the dot products with every row's neighbours, nearest first. Indices may
// differ if distances tie; the dot products of an exact search may not.
func (s *session) sameNeighbors(ctx context.Context, task peerTask, ours *graph.KNN) (string, error) {
	task.Out = filepath.Join(s.matrix, "neighbours.f64")
	defer os.Remove(task.Out)
	if _, err := s.peer.ask(ctx, task); err != nil {
		return "", err
	}
	raw, err := os.ReadFile(task.Out)
	if err != nil {
		return "", err
	}
	theirs := make([]float64, len(raw)/8)
	for i := range theirs {
		theirs[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	var worst float64
	for i := range len(theirs) / neighbors {
		_, _, dots := ours.Row(i)
		dots = slices.Clone(dots)
		slices.SortFunc(dots, func(a, b float64) int { return cmp.Compare(b, a) })
		for j, d := range dots {
			worst = max(worst, math.Abs(d-theirs[i*neighbors+j]))
		}
	}
	return fmt.Sprintf("all %d dot products agree with scikit-learn's to %.0e", len(theirs), worst), nil
}

// ChildFlag is the argument with which a program that calls [Run] starts itself to have its memory
// measured; it must then call [Child] with the argument that follows, and end.
const ChildFlag = "--measure-knn-memory"

// Child reads the matrix in file, finds the neighbours, and writes time and peak memory as one line
// of JSON.
func Child(ctx context.Context, w io.Writer, file string) error {
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		return err
	}
	start := time.Now()
	if _, err := graph.Nearest(ctx, c.X, neighbors, nil); err != nil {
		return err
	}
	answer := peerAnswer{Seconds: time.Since(start).Seconds()}
	var kB float64
	if _, err := fmt.Sscan(firstField("/proc/self/status", "VmHWM"), &kB); err != nil {
		return fmt.Errorf("peak memory is not told on this system: %w", err)
	}
	answer.PeakMB = kB / 1024
	return json.NewEncoder(w).Encode(answer)
}

// memory has fresh processes read the matrix and find the neighbours once.
func (s *session) memory(ctx context.Context, task peerTask) ([]string, error) {
	var notes []string
	if s.Program != "" {
		out, err := exec.CommandContext(ctx, s.Program, ChildFlag, task.Files[0]).Output()
		if err != nil {
			return nil, err
		}
		a, err := parseAnswer(out)
		if err != nil {
			return nil, err
		}
		notes = append(notes, fmt.Sprintf("peak memory of a process that reads the matrix and finds the neighbours: %.0f MB", a.PeakMB))
	}
	if s.peer != nil {
		a, err := askOnce(ctx, s.Python, task)
		if err != nil {
			return nil, err
		}
		notes = append(notes, fmt.Sprintf("the same with scikit-learn: %.0f MB", a.PeakMB))
	}
	return notes, nil
}

package bench

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/sparse"
)

//go:embed python/geometric.py
var blobsScript string

// geometrySection measures eigenpairs of graphs with a geometry: by a factorisation where its fill
// is small, and of the large graph of 20 blobs, whose eigenvalues are crowded.
func geometrySection(ctx context.Context, s *session) ([]Group, error) {
	points, side, sheet := 100_000, 300, 50_000
	if s.Quick {
		points, side, sheet = 5_000, 40, 2_000
	}
	var groups []Group
	for _, one := range []struct {
		name string
		w    *sparse.CSR
	}{
		{fmt.Sprintf("path of %d points", points), pathGraph(points)},
		{fmt.Sprintf("grid of %d×%d", side, side), gridGraph(side)},
		{fmt.Sprintf("sheet of %d points, 15 neighbours", sheet), sheetGraph(sheet, 15, s.Seed)},
	} {
		g, err := s.factored(ctx, one.name, one.w)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	sizes := []int{100_000}
	if s.Long {
		sizes = append(sizes, 1_000_000)
	}
	if s.Quick {
		sizes = []int{3_000}
	}
	for _, n := range sizes {
		g, err := s.blobsGroup(ctx, n)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	if !s.Long {
		groups[len(groups)-1].Notes = append(groups[len(groups)-1].Notes, "1,000,000 points: left out, --long measures them")
	}
	return groups, nil
}

// solved is a contestant of our eigenproblem on w; values gets the eigenvalues.
func (s *session) solved(w *sparse.CSR, k int, solver eigen.Solver, values map[string][]float64) Contestant {
	return Contestant{string(solver), Native, func(ctx context.Context) (Outcome, error) {
		clock := startStopwatch()
		pencil, err := eigen.NewPencil(w, nil)
		if err != nil {
			return Outcome{}, err
		}
		r, err := pencil.Solve(ctx, eigen.Options{K: k, Tol: eigenTol, Solver: solver, Seed: s.Seed})
		o := clock.outcome(1, "")
		if err != nil {
			return o, err
		}
		residual := pencilResidual(w, r.Values, r.Vectors)
		if !(residual <= eigenTol) {
			return o, fmt.Errorf("residual %.1e is above the tolerance", residual)
		}
		values[string(solver)] = r.Values
		o.Note = fmt.Sprintf("%s, %d products, residual %.0e", r.Stats.Solver, r.Stats.Products, residual)
		return o, nil
	}}
}

// peersOf are SciPy's solvers, named as in peers.py, on the normalised affinity of w.
func (s *session) peersOf(w *sparse.CSR, k int, values map[string][]float64, solvers ...string) ([]Contestant, error) {
	if s.peer == nil {
		return nil, nil
	}
	file, err := s.export(fmt.Sprintf("graph-%d-%d", w.NumRows, w.NNZ()), normalised(w))
	if err != nil {
		return nil, err
	}
	var all []Contestant
	for _, what := range solvers {
		label := "SciPy " + what
		if what == "PRIMME" {
			label = what
		}
		all = append(all, Contestant{label, Peer, func(ctx context.Context) (Outcome, error) {
			a, err := s.peer.ask(ctx, peerTask{Task: "eigen", What: what, Files: []string{file}, K: k, Tol: eigenTol, Seed: s.Seed})
			if err != nil {
				return Outcome{}, err
			}
			lambda := make([]float64, len(a.Values))
			for i, mu := range a.Values {
				lambda[i] = 1 - mu
			}
			values[label] = lambda
			return Outcome{Seconds: a.Seconds, CPU: a.CPU, Note: a.Note}, nil
		}})
	}
	return all, nil
}

// normalised is D^-1/2 W D^-1/2.
func normalised(w *sparse.CSR) *sparse.CSR {
	scale := w.RowSums()
	for i, d := range scale {
		if d > 0 {
			scale[i] = 1 / math.Sqrt(d)
		}
	}
	return w.Scale(scale, scale)
}

// solvers compares contestants that find the same eigenvalues.
func (s *session) solvers(ctx context.Context, title string, all []Contestant, values map[string][]float64) (Group, error) {
	g, err := s.compare(ctx, title, all)
	if err != nil {
		return g, err
	}
	reference := all[0].Name
	for _, c := range all[1:] {
		if v := values[c.Name]; v != nil && values[reference] != nil {
			g.Notes = append(g.Notes, disagreement(c.Name, v, reference, values[reference]))
		}
	}
	return g, nil
}

// factored measures 10 eigenpairs by shift-invert.
func (s *session) factored(ctx context.Context, name string, w *sparse.CSR) (Group, error) {
	const k = 10
	values := map[string][]float64{}
	all := []Contestant{s.solved(w, k, eigen.Auto, values), s.solved(w, k, eigen.ShiftInvert, values)}
	peers, err := s.peersOf(w, k, values, "shift-invert by CHOLMOD", "shift-invert by SuperLU")
	if err != nil {
		return Group{}, err
	}
	return s.solvers(ctx, fmt.Sprintf("smallest %d of L y = λ D y, tol %.0e: %s", k, eigenTol, name), append(all, peers...), values)
}

// blobsGroup measures 30 eigenpairs of the graph that geometric.py makes.
func (s *session) blobsGroup(ctx context.Context, n int) (Group, error) {
	const k = 30
	title := fmt.Sprintf("smallest %d of L y = λ D y, tol %.0e: %d points in 20 blobs, 15-NN graph", k, eigenTol, n)
	if s.peer == nil {
		return Group{Title: title, Notes: []string{"left out: scikit-learn makes the graph (make bench-peers installs it)"}}, nil
	}
	file := filepath.Join(s.matrix, "blobs.npz")
	defer os.Remove(file)
	if out, err := exec.CommandContext(ctx, s.Python, "-c", blobsScript, fmt.Sprint(n), file).CombinedOutput(); err != nil {
		return Group{Title: title, Notes: []string{"left out: " + strings.TrimSpace(string(out)) + ": " + err.Error()}}, ctx.Err()
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		return Group{}, err
	}
	w, err := sparse.FromMatrix(c.X)
	if err != nil {
		return Group{}, err
	}
	values := map[string][]float64{}
	all := []Contestant{s.solved(w, k, eigen.Lanczos, values)}
	what := []string{"eigsh with 80 vectors"}
	if n >= 1_000_000 {
		what = nil
		if s.ARPACK {
			what = []string{"eigsh with 150 vectors"}
		}
	}
	peers, err := s.peersOf(w, k, values, what...)
	if err != nil {
		return Group{}, err
	}
	g, err := s.solvers(ctx, title, append(all, peers...), values)
	if err != nil {
		return g, err
	}
	if n >= 1_000_000 && !s.ARPACK {
		g.Notes = append(g.Notes, "ARPACK with 150 vectors: left out, minutes; --arpack measures it")
	}
	x, y := randomGeneral(n, 4, s.Seed), randomGeneral(n, 4, s.Seed)
	clock := startStopwatch()
	const repeats = 10
	for range repeats {
		w.MulBlock(y, x)
	}
	one := clock.outcome(4*repeats, "")
	var products float64
	if _, err := fmt.Sscanf(g.Rows[0].Note, "lanczos, %f products", &products); err == nil {
		g.Notes = append(g.Notes, fmt.Sprintf("bound: its products alone, in blocks of 4, take %s (%s of processor time)", seconds(products*one.Seconds), seconds(products*one.CPU)))
	}
	return g, nil
}

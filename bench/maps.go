package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/native"
)

// mapsSection measures the cost of labels as constraints: all maps of the Constrained Laplacian
// Eigenmap against one solution of Laplacian Eigenmaps for as many pairs, and against the paper's
// own pencils, made explicit and solved one by one with SciPy.
func mapsSection(ctx context.Context, s *session) ([]Group, error) {
	c, x, err := s.documents(ctx)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, x, graph.Options{Neighbors: neighbors})
	if err != nil {
		return nil, err
	}
	var groups []Group
	for _, share := range []float64{0.05, 0.5} {
		group, err := s.mapsGroup(ctx, c.Name, g, c.Labels, share)
		if err != nil {
			return nil, err
		}
		groups = append(groups, group)
	}
	return groups, nil
}

func (s *session) mapsGroup(ctx context.Context, name string, g *graph.Graph, truth []int, share float64) (Group, error) {
	classes := slices.Max(truth) + 1
	known, err := labels.Draw(truth, share, s.Seed)
	if err != nil {
		return Group{}, err
	}
	opt := eigen.Options{Tol: eigenTol, Seed: s.Seed}
	var all []Contestant
	values := map[string][]float64{}
	add := func(engine, what string, run func(ctx context.Context) ([]float64, eigen.Stats, error)) {
		label := what + ", " + engine
		all = append(all, Contestant{label, side(engine), func(ctx context.Context) (Outcome, error) {
			if err := native.Use(engine); err != nil {
				return Outcome{}, err
			}
			clock := startStopwatch()
			v, stats, err := run(ctx)
			values[label] = v
			return clock.outcome(1, fmt.Sprintf("%d products", stats.Products)), err
		}})
	}
	maps, single := fmt.Sprintf("cle, %d maps", classes), fmt.Sprintf("le, %d pairs", classes)
	for _, e := range native.Engines() {
		add(e.Name(), maps, func(ctx context.Context) ([]float64, eigen.Stats, error) {
			m, err := cle.FitGraph(ctx, g, known, classes, cle.Options{Problem: nystrom.Problem{Eigen: opt}})
			if err != nil {
				return nil, eigen.Stats{}, err
			}
			return m.Values, m.Stats, nil
		})
		add(e.Name(), single, func(ctx context.Context) ([]float64, eigen.Stats, error) {
			m, err := le.FitGraph(ctx, g, le.Options{Dims: classes, Problem: nystrom.Problem{Eigen: opt}})
			if err != nil {
				return nil, eigen.Stats{}, err
			}
			return nil, m.Stats, nil
		})
		add(e.Name(), fmt.Sprintf("semi-le, %d pairs", classes), func(ctx context.Context) ([]float64, eigen.Stats, error) {
			m, err := semile.FitGraph(ctx, g, known, classes, le.Options{Dims: classes, Problem: nystrom.Problem{Eigen: opt}})
			if err != nil {
				return nil, eigen.Stats{}, err
			}
			return nil, m.Stats, nil
		})
	}
	reference := all[0].Name
	peer, err := s.mapsPeer(g, known, classes, share, values)
	if err != nil {
		return Group{}, err
	}
	all = append(all, peer...)
	group, err := s.compare(ctx, fmt.Sprintf("labels as constraints, tol %.0e: %s, %d-NN graph, %d nodes, %g %% labelled, %d classes",
		eigenTol, name, neighbors, g.W.NumRows, 100*share, classes), all)
	native.Use(s.backend)
	if err != nil {
		return group, err
	}
	median := map[string]float64{}
	for _, r := range group.Rows {
		median[r.Name] = r.Median
	}
	engine := native.Engines()[0].Name()
	if one := median[single+", "+engine]; one > 0 {
		group.Notes = append(group.Notes, fmt.Sprintf("%d maps take %.2f times one solution of Laplacian Eigenmaps (medians)", classes, median[reference]/one))
	}
	for _, c := range peer {
		if v := values[c.Name]; v != nil {
			worst := 0.0
			for k := range v {
				worst = max(worst, math.Abs(v[k]-values[reference][k]))
			}
			group.Notes = append(group.Notes, fmt.Sprintf("eigenvalues of %s and %s agree to %.0e", c.Name, reference, worst))
		}
	}
	return group, nil
}

// mapsPeer is SciPy on the explicit P_kᵀL_kP_k and P_kᵀD_kP_k, which the interpreter makes from the
// graph by the paper's formulas before its clock starts.
func (s *session) mapsPeer(g *graph.Graph, known []int, classes int, share float64, values map[string][]float64) ([]Contestant, error) {
	if s.peer == nil {
		return nil, nil
	}
	file, err := s.export(fmt.Sprintf("weights-%d", g.W.NumRows), g.W)
	if err != nil {
		return nil, err
	}
	given := filepath.Join(s.matrix, fmt.Sprintf("given-%d-%g.txt", g.W.NumRows, share))
	text := []byte{}
	for _, k := range known {
		text = fmt.Appendf(text, "%d\n", k)
	}
	if err := os.WriteFile(given, text, 0o644); err != nil {
		return nil, err
	}
	label := fmt.Sprintf("SciPy eigsh, %d explicit pencils", classes)
	return []Contestant{{label, Peer, func(ctx context.Context) (Outcome, error) {
		a, err := s.peer.ask(ctx, peerTask{Task: "maps", Files: []string{file, given}, K: classes, Tol: eigenTol, Seed: s.Seed})
		if err != nil {
			return Outcome{}, err
		}
		values[label] = a.Values
		return Outcome{Seconds: a.Seconds, CPU: a.CPU, Note: a.Note}, nil
	}}}, nil
}

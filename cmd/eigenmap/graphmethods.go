package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/semile"
	"gonum.org/v1/gonum/mat"
)

func embedLE(ctx context.Context, j *job) (*outcome, error) {
	return embedGraph(ctx, j, func(g *graph.Graph, out *outcome) error {
		if err := j.checkDims(g); err != nil {
			return err
		}
		m, err := le.FitGraph(ctx, g, j.opt.leOptions(j.ui.observe))
		return out.takeLE(m, err)
	})
}

func embedSemiLE(ctx context.Context, j *job) (*outcome, error) {
	return embedGraph(ctx, j, func(g *graph.Graph, out *outcome) error {
		m, err := semile.FitGraph(ctx, g, j.given.labels, len(j.given.names), j.opt.leOptions(j.ui.observe))
		return out.takeLE(m, err)
	})
}

// cleDims: labels make one map a class, constraints as many as are asked for.
func cleDims(j *job) (int, string) { return len(j.given.names), "one map a class of the labels given" }

func embedCLE(ctx context.Context, j *job) (*outcome, error) {
	return embedGraph(ctx, j, func(g *graph.Graph, out *outcome) error {
		opt := j.opt.cleOptions(j.ui.observe)
		var m *cle.Model
		var err error
		if j.given.labels != nil {
			m, err = cle.FitGraph(ctx, g, j.given.labels, len(j.given.names), opt)
		} else {
			m, err = cle.FitLinks(ctx, g, j.given.groups, j.opt.dims, opt)
		}
		if m != nil {
			out.model = m
			out.takeEigen(m.Embedding, m.Values, m.Residuals, &m.Stats)
			out.spectrum.classes = j.given.names
		}
		return err
	})
}

// embedGraph makes the affinity graph and embeds it by fit, which puts into the outcome also what was found of eigenvectors that did
// not all converge.
func embedGraph(ctx context.Context, j *job, fit func(*graph.Graph, *outcome) error) (*outcome, error) {
	out := new(outcome)
	var err error
	if out.graph, err = j.affinity(ctx); err != nil {
		return out, err
	}
	return out, j.embedOn(out, fit)
}

// embedOn embeds the graph of the outcome.
func (j *job) embedOn(out *outcome, fit func(*graph.Graph, *outcome) error) error {
	defer j.stage("eigen")()
	err := fit(out.graph, out)
	if worst := out.spectrum.worst(); err == nil && worst > j.opt.tol {
		j.ui.note(fmt.Sprintf("The largest residual, %.1e, is what rounding allows; --tol %g cannot be met on this graph.", worst, j.opt.tol))
	}
	if _, ok := out.model.(*le.Model); ok && err == nil {
		j.noteZeros(out)
	}
	return inFile(j.file, err)
}

// noteZeros tells where the coordinates are nothing but indicators of the graph's parts.
func (j *job) noteZeros(out *outcome) {
	if s := out.spectrum; s.stats.Deflated > 1 && !slices.ContainsFunc(s.values, func(v float64) bool { return v != 0 }) {
		j.ui.note(fmt.Sprintf("All eigenvalues are 0, so the coordinates (%d) only tell which of the graph's %s parts a document is in: --drop-zeros leaves such coordinates out.",
			len(s.values), report.Thousands(s.stats.Deflated)))
	}
}

// checkDims refuses more dimensions than the graph's eigenvectors besides those to be left out.
func (j *job) checkDims(g *graph.Graph) error {
	joined := g.W.NumRows - len(g.Isolated)
	most := joined
	switch {
	case j.opt.dropZeros:
		most -= g.Components - len(g.Isolated)
	case j.opt.dropFirst:
		most--
	}
	if joined == 0 || j.opt.dims <= most {
		return nil // no neighbours at all are another error
	}
	return j.tooManyDims("the "+plural(joined, "document with neighbours gives", "documents with neighbours give"), most, ", or more neighbours")
}

func (o *outcome) takeLE(m *le.Model, err error) error {
	if m != nil {
		o.model = m
		o.takeEigen(m.Embedding, m.Values, m.Residuals, &m.Stats)
	}
	return err
}

func (o *outcome) takeEigen(y *mat.Dense, values, residuals []float64, stats *eigen.Stats) {
	o.embedding = y
	o.spectrum = &spectrum{kind: "eigenvalue", values: values, residuals: residuals, stats: stats}
}

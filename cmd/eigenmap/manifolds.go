package main

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/sparse"
)

// The methods that landmarks may carry.
const (
	nameIsomap = "isomap"
	nameLLE    = "lle"
)

// exactTol is --tol of isomap and lle unless said otherwise: their eigenvalues lie over many magnitudes.
const exactTol = isomap.DefaultTol

// exactEigen are the options of their eigensolver.
func (j *job) exactEigen() eigen.Options {
	o := j.opt
	if !j.set.Changed("tol") {
		o.tol = exactTol
	}
	return eigen.Options{Tol: o.tol, MaxIter: o.maxIter, Solver: eigen.Solver(o.solver), Observer: j.ui.observe}
}

// usedLandmarks is how many landmarks carry the documents; as many as there are documents where all stand for themselves.
func (j *job) usedLandmarks() int {
	o, n := j.opt, j.corpus.Len()
	if o.method == nameLLE {
		return lle.Options{Dims: o.dims, Landmarks: o.landmarks, Eigen: eigen.Options{Solver: eigen.Solver(o.solver)}}.LandmarksOf(n)
	}
	return isomap.Options{Dims: o.dims, Landmarks: o.landmarks}.LandmarksOf(n)
}

// checkLandmarks refuses landmarks that cannot carry the dimensions, more than there are documents, and a flag that says of landmarks what nobody asks where there are none.
func (j *job) checkLandmarks(flag string) error {
	o, n, used := j.opt, j.corpus.Len(), j.usedLandmarks()
	switch {
	case o.landmarks > n:
		return requestf("%s: --landmarks %d is more than its %s: give fewer, or leave it out", j.file, o.landmarks, counted(n, "document"))
	case o.landmarks > 0 && o.landmarks <= o.dims:
		return requestf("--landmarks %d cannot carry %s: give at least %d, or fewer dimensions with -d", o.landmarks, counted(o.dims, "dimension"), o.dims+1)
	case used >= n && j.set.Changed(flag):
		return requestf("%s: --%s means nothing where no landmarks stand for all %s: leave it out, or give fewer --landmarks", j.file, flag, counted(n, "document"))
	case o.landmarkNeighbors > used:
		return requestf("--landmark-neighbors %d is more than the %s: give at most %d", o.landmarkNeighbors, counted(used, "landmark"), used)
	}
	return nil
}

// noteLandmarks tells where the part of the graph that is embedded has no more documents than landmarks were asked for.
func (j *job) noteLandmarks(embedded int) {
	if embedded < j.corpus.Len() && j.opt.landmarks >= embedded {
		j.ui.note(fmt.Sprintf("The graph's largest part has %s, no more than --landmarks %d: all of them stand for themselves.", counted(embedded, "document"), j.opt.landmarks))
	}
}

func embedIsomap(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if o.parts == string(lle.All) {
		return out, requestf("--parts all belongs to lle, since isomap needs a path between any two documents: give --parts largest or join")
	}
	if err := j.checkLandmarks("landmark-pick"); err != nil {
		return out, err
	}
	var err error
	if out.graph, err = j.affinity(ctx); err != nil {
		return out, err
	}
	end, links := j.stage("paths"), 0
	if out.lengths, err = geodesic.Lengths(ctx, j.x, out.graph.W); err == nil && o.parts == string(isomap.Join) {
		out.lengths, links, err = geodesic.Join(ctx, j.x, out.lengths)
	}
	if err != nil {
		return out, inFile(j.file, err)
	}
	if links > 0 {
		j.ui.note("The graph is not connected, and its parts were joined by " + counted(links, "shortest link") + ".")
	}
	m, err := isomap.FitLengths(ctx, out.lengths, isomap.Options{Dims: o.dims, Landmarks: o.landmarks, Pick: isomap.Pick(o.landmarkPick), Seed: o.seed,
		Eigen: j.exactEigen(), Observer: j.ui.observe})
	end()
	if m == nil {
		return out, inFile(j.file, err)
	}
	out.model = m
	relative := make([]float64, len(m.Residuals)) // eigenvalues are of the size of squared distances
	for a, r := range m.Residuals {
		relative[a] = r / max(m.Values[0], math.SmallestNonzeroFloat64)
	}
	out.takeEigen(j.rowsOf(m.Embedding), m.Values, relative, &m.Stats)
	out.spectrum.own = true
	text := fmt.Sprintf("from %s", counted(len(m.Landmarks), "landmark"))
	if j.corpus.Len() == len(m.Landmarks)+len(m.Outside) {
		text = fmt.Sprintf("between all %s", report.Thousands(len(m.Landmarks)))
	}
	if d := len(m.ResidualVariance); d > 0 {
		text += fmt.Sprintf("; %s %.3g %% of the variance of their lengths", plural(d, "dimension leaves", "dimensions leave"), 100*m.ResidualVariance[d-1])
	}
	out.found = [][]string{{"paths", text}}
	j.noteLandmarks(j.corpus.Len() - len(m.Outside))
	j.noteOutside(len(m.Outside), "--parts join")
	out.details = map[string]any{"landmarks": len(m.Landmarks), "residual_variance": numbers(m.ResidualVariance), "outside": len(m.Outside), "links": links}
	return out, inFile(j.file, err)
}

// noteOutside tells how documents outside of the largest part come in, where they are more than a few.
func (j *job) noteOutside(n int, flag string) {
	if 100*n > j.corpus.Len() {
		j.ui.note(fmt.Sprintf("Documents that are not embedded stand at the origin; %s embeds them too, and a larger --neighbors leaves fewer.", flag))
	}
}

func embedLLE(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if o.parts == string(isomap.Join) {
		return out, requestf("--parts join belongs to isomap, since lle has weights and no paths: give --parts largest or all")
	}
	if err := j.checkLandmarks("landmark-neighbors"); err != nil {
		return out, err
	}
	j.fewNeighbors()
	defer j.stage("pieces")()
	m, err := lle.Fit(ctx, j.x, lle.Options{Dims: o.dims, Neighbors: o.neighbors, Regularization: o.regularization, Parts: lle.Parts(o.parts), Landmarks: o.landmarks,
		LandmarkNeighbors: o.landmarkNeighbors, Seed: o.seed, Eigen: j.exactEigen(), Observer: j.ui.observe})
	if m == nil {
		return out, inFile(j.file, err)
	}
	out.model = m
	out.takeEigen(j.rowsOf(m.Embedding), m.Values, m.Residuals, &m.Stats)
	out.spectrum.own = true
	text := fmt.Sprintf("each from %s", counted(o.neighbors, "neighbour"))
	if l := len(m.Landmarks); l > 0 {
		text += fmt.Sprintf(", carried by %s", counted(l, "landmark"))
	}
	out.found = [][]string{{"pieces", text}}
	j.noteLandmarks(j.corpus.Len() - len(m.Outside))
	outside := len(m.Outside)
	if s, ok := j.x.(*sparse.CSR); ok {
		outside -= len(s.EmptyRows()) // which no rule embeds
	}
	j.noteOutside(outside, "--parts all")
	out.details = map[string]any{"landmarks": len(m.Landmarks), "outside": len(m.Outside)}
	return out, inFile(j.file, err)
}

package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/ggle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/scple"
	"github.com/eigenmap/eigenmap/methods/sle"
)

// fewNeighbors settles the number of neighbours where nothing says it.
func (j *job) fewNeighbors() {
	if o := j.opt; o.neighbors == 0 && o.epsilon == 0 {
		o.neighbors = max(1, min(graph.DefaultNeighbors, j.corpus.Len()-1))
	}
}

func embedGGLE(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if n := j.corpus.Len(); o.reach >= n {
		return out, requestf("%s: --reach %d is more than the %s that each has: give at most %d", j.file, o.reach, plural(n-1, "other document", "other documents"), n-1)
	}
	j.fewNeighbors()
	opt := ggle.Options{Reach: o.reach, Shape: o.exponent, Width: o.heatWidth, LE: o.leOptions(j.ui.observe)}
	end := j.stage("graph")
	g, err := ggle.Graph(ctx, j.x, opt)
	end()
	if err != nil {
		return out, inFile(j.file, err)
	}
	out.graph, o.reach, o.heatWidth = g, opt.ReachOf(j.corpus.Len()), g.HeatWidth
	out.found = [][]string{{"reach", fmt.Sprintf("each joined to its %d nearest along the graph, weights exp(-d^%g/%.4g)", o.reach, o.exponent, o.heatWidth)}}
	out.details = map[string]any{"reach": o.reach, "shape": o.exponent, "heat_width": o.heatWidth}
	if err := j.checkDims(g); err != nil {
		return out, err
	}
	return out, j.embedOn(out, func(g *graph.Graph, out *outcome) error {
		m, err := le.FitGraph(ctx, g, opt.LE)
		return out.takeLE(m, err)
	})
}

func embedSLE(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	j.fewNeighbors()
	if o.minNeighbors > o.neighbors {
		return out, requestf("--min-neighbors %d is more than the %d of --neighbors: give at most as many", o.minNeighbors, o.neighbors)
	}
	if o.edgeWeight != string(graph.Heat) && o.edgeWeight != string(graph.Binary) {
		return out, requestf("the method s-le knows distances only: give --edge-weight heat or binary in place of %s", o.edgeWeight)
	}
	if o.heatRule == string(graph.PairsWidth) && o.heatWidth == 0 {
		o.heatWidth = graph.MeanSquaredDistance(j.x)
	}
	opt := sle.Options{MinNeighbors: o.minNeighbors, Threshold: o.ratio, LE: o.leOptions(j.ui.observe)}
	end := j.stage("graph")
	g, h, err := sle.Graph(ctx, j.x, opt)
	end()
	if err != nil {
		return out, inFile(j.file, err)
	}
	out.graph = g
	if o.edgeWeight == string(graph.Heat) {
		o.heatWidth = g.HeatWidth
	}
	sizes := slices.DeleteFunc(slices.Sorted(slices.Values(h.Sizes)), func(size int) bool { return size == 0 }) // documents without terms have none
	var spread [3]int
	if len(sizes) > 0 {
		spread = [3]int{sizes[0], sizes[len(sizes)/2], sizes[len(sizes)-1]}
	}
	text := fmt.Sprintf("neighbourhoods of %d, %d, %d (smallest, median, largest)", spread[0], spread[1], spread[2])
	if !math.IsInf(h.Threshold, 1) { // else there is no other candidate, or no path to any
		text += fmt.Sprintf(", where paths are at most %.4g times the straight way", h.Threshold)
	}
	out.found = [][]string{{"sizes", text}}
	out.details = map[string]any{"ratio": finiteOrNil(h.Threshold), "neighborhoods_min_median_max": spread}
	if err := j.checkDims(g); err != nil {
		return out, err
	}
	return out, j.embedOn(out, func(g *graph.Graph, out *outcome) error {
		m, err := le.FitGraph(ctx, g, opt.LE)
		return out.takeLE(m, err)
	})
}

// scpleIter is --max-iter of scple unless said otherwise: each part of the graph within classes has an eigenvalue near the wanted end, where they crowd.
const scpleIter = 5000

func embedSCPLE(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	j.fewNeighbors()
	if !j.set.Changed("max-iter") {
		o.maxIter = scpleIter
	}
	opt := scple.Options{Balance: o.gamma, IntraOnly: o.gamma == 0, LE: o.leOptions(j.ui.observe)}
	opt.LE.Skip = le.SkipConstant
	if err := j.checkPairs(); err != nil {
		return out, err
	}
	end := j.stage("graph")
	intra, inter, err := scple.Graphs(ctx, j.x, j.given.labels, len(j.given.names), opt)
	end()
	if err != nil {
		return out, inFile(j.file, err)
	}
	out.graph = intra
	within, between := intra.W.NNZ()/2, inter.W.NNZ()/2
	out.found = [][]string{{"classes", fmt.Sprintf("%s within classes, %s between them at γ %g", counted(within, "edge"), counted(between, "edge"), o.gamma)}}
	out.details = map[string]any{"edges_within": within, "edges_between": between}
	placed := j.corpus.Len() - len(intra.Isolated)
	if o.dims > placed-1 {
		return out, j.tooManyDims("the "+plural(placed, "document with a neighbour of its class gives", "documents with a neighbour of their class give"), placed-1, ", or more labels")
	}
	return out, j.embedOn(out, func(*graph.Graph, *outcome) error {
		m, err := scple.FitGraphs(ctx, intra, inter, opt)
		if m == nil {
			return err
		}
		out.model = m
		out.takeEigen(m.Embedding, m.Values, m.Residuals, &m.Stats)
		out.spectrum.own = true
		out.details["outside"] = len(m.Outside)
		if n := j.corpus.Len(); 2*placed < n {
			j.ui.note(fmt.Sprintf("scple places only documents whose labels were given, here %s of %s; semi-le, cle and le-cas place the others too.", report.Thousands(placed), report.Thousands(n)))
		}
		return err
	})
}

// checkPairs refuses labels none of which has a second one of its class, and notes classes of a single label: scple draws together within classes.
func (j *job) checkPairs() error {
	sizes := make([]int, len(j.given.names))
	for _, k := range j.given.labels {
		if k >= 0 {
			sizes[k]++
		}
	}
	const shown = 12
	var single []string
	for k, size := range sizes {
		if size == 1 {
			single = append(single, report.Clip(j.given.names[k], 24))
		}
	}
	names := strings.Join(single[:min(shown, len(single))], ", ")
	if len(single) > shown {
		names += fmt.Sprintf(" and %d more", len(single)-shown)
	}
	switch len(single) {
	case 0:
		return nil
	case len(sizes):
		return requestf("%s: every class needs at least two documents with a label given for scple, and %s have one each: give more labels", j.file, names)
	}
	j.ui.note(fmt.Sprintf("Classes of a single document with a label given, which scple puts at the origin: %s; every class needs two.", names))
	return nil
}

// finiteOrNil is a number as JSON can hold it.
func finiteOrNil(v float64) any {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return v
}

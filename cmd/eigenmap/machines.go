package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/progress"
)

// Methods of support vector machines, one class against the others.
const (
	nameTSVM     = "tsvm"
	nameGraphSSL = "graph-ssl"
)

var (
	machineFlags = []string{"c"}
	softFlags    = []string{"c-star"}
	dongleFlags  = []string{"labeled-neighbors", "beta"}
)

// usesMachines tells whether the method trains support vector machines.
func (o *options) usesMachines() bool { return o.method == nameTSVM || o.method == nameGraphSSL }

// machineOptions are those of support vector machines.
func (o *options) machineOptions(obs progress.Observer) svm.Options {
	s := svm.Options{Kernel: svm.Kernel(o.kernel), C: o.cost, Seed: o.seed, MaxMemory: allowed(methodMemory), Observer: obs}
	switch s.Kernel {
	case svm.Gaussian:
		if o.sigma > 0 {
			s.Gamma = 1 / o.sigma
		}
	case svm.Polynomial:
		s.Gamma, s.Degree, s.Offset = 1, o.polyDegree, &o.polyOffset
	}
	return s
}

// machineText is the machines in words, once their kernel is known.
func (o *options) machineText() string {
	k := kernelkmeans.Options{Kernel: kernelkmeans.Kernel(o.kernel), Degree: o.polyDegree, Offset: &o.polyOffset}
	return fmt.Sprintf("%s, C %g", kernelText(k, o.sigma), o.cost)
}

func clusterTSVM(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("tsvm")()
	o, out := j.opt, new(outcome)
	if o.costStar == 0 {
		o.costStar = o.cost
	}
	m, err := tsvm.Fit(ctx, j.x, j.given.labels, len(j.given.names), tsvm.Options{SVM: o.machineOptions(nil), CStar: o.costStar, Observer: j.ui.observe})
	if m == nil {
		return out, inFile(j.file, err)
	}
	o.takeSigma(m.Options.SVM)
	switches := 0
	for _, s := range m.Switches {
		switches += s
	}
	out.model = m
	out.partition = &partition{labels: m.Labels, sizes: sizesOf(m.Labels, o.clusters), by: "tsvm", classes: j.given.names,
		how: fmt.Sprintf("%s against the others, %s, C* %g, %s changed places", plural(o.clusters, "class", "classes"), o.machineText(), o.costStar, counted(switches, "pair"))}
	support := make([]int, len(m.Machines))
	for c, one := range m.Machines {
		support[c] = len(one.Support)
	}
	out.details = map[string]any{"switches": m.Switches, "positive": m.Positive, "support_vectors": support}
	return out, inFile(j.file, err)
}

// takeSigma takes the width that the data gave the Gaussian kernel.
func (o *options) takeSigma(s svm.Options) {
	if s.Kernel == svm.Gaussian {
		o.sigma = 1 / s.Gamma
	}
}

func clusterGraphSSL(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if o.edgeWeight == string(graph.Poly) || o.symmetry == string(graph.Mutual) {
		return out, requestf("the method graph-ssl knows neither --edge-weight poly nor --symmetry mutual: give another one, or leave it out")
	}
	end := j.stage("svm")
	start, err := svm.OneVsRest(ctx, j.x, j.given.labels, len(j.given.names), o.machineOptions(j.ui.observe))
	end()
	if err != nil {
		return out, inFile(j.file, err)
	}
	if len(start.Machines) > 0 {
		o.takeSigma(start.Machines[0].Options)
	}
	if !j.set.Changed("lambda") {
		o.lambda = graphssl.DefaultAlpha
	}
	opt := graphssl.Options{LabeledNeighbors: o.labeledNeighbors, UnlabeledNeighbors: o.neighbors, Alpha: o.lambda, Beta: o.beta, NoUnlabeled: o.beta == 0,
		Weight: graph.Weight(o.edgeWeight), HeatWidth: o.heatWidth, Symmetry: graph.Symmetry(o.symmetry), MaxMemory: allowed(methodMemory), Observer: j.ui.observe}
	defer j.stage("graph")()
	m, err := graphssl.Fit(ctx, j.x, j.given.labels, len(j.given.names), start.Scores, opt)
	if m == nil {
		return out, inFile(j.file, err)
	}
	o.labeledNeighbors, o.neighbors, o.edgeWeight, o.heatWidth = m.Options.LabeledNeighbors, m.Options.UnlabeledNeighbors, string(m.Options.Weight), m.HeatWidth
	differ := 0
	for i, k := range start.Labels {
		if j.given.labels[i] < 0 && m.Labels[i] != k {
			differ++
		}
	}
	text := counted(m.W.NNZ()/2, "edge") + fmt.Sprintf(" to %s with a label and %d without", counted(o.labeledNeighbors, "document"), o.neighbors)
	if k := len(m.Lonely); k > 0 {
		text += fmt.Sprintf("; %s without neighbours", report.Thousands(k))
	}
	out.found = [][]string{{"svm", o.machineText()}, {"graph", text}}
	out.details = map[string]any{"edges": m.W.NNZ() / 2, "lonely": len(m.Lonely), "changed": differ, "residual": m.Residual, "products": m.Iterations}
	out.partition = &partition{labels: m.Labels, sizes: sizesOf(m.Labels, o.clusters), by: "labels", classes: j.given.names,
		how: fmt.Sprintf("scores smoothed over the graph, λ %g, β %g, which changed %s, residual %.1e after %s", o.lambda, o.beta, counted(differ, "document"), m.Residual, counted(m.Iterations, "product"))}
	return out, inFile(j.file, err)
}

package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Methods whose clusters are the classes of the labels given.
const (
	nameSemiLDC          = "semi-ldc"
	nameLabelPropagation = "label-propagation"
)

// classNames names k clusters, the first of which are the classes given; the others have no name.
func (j *job) classNames(k int) []string {
	names := slices.Clone(j.given.names)
	return append(names, make([]string, k-len(names))...)
}

func clusterConstrained(ctx context.Context, j *job) (*outcome, error) {
	return labelledKMeans(ctx, j, ckmeans.Constrained)
}

func clusterSeeded(ctx context.Context, j *job) (*outcome, error) {
	return labelledKMeans(ctx, j, ckmeans.Seeded)
}

func labelledKMeans(ctx context.Context, j *job, rule ckmeans.Rule) (*outcome, error) {
	defer j.stage("kmeans")()
	o, free := j.opt, j.opt.clusters-len(j.given.names)
	if free == 0 {
		o.restarts = 1
	}
	m, err := ckmeans.Fit(ctx, j.x, j.given.labels, o.clusters, ckmeans.Options{Rule: rule, MaxIter: o.kmeansIters, Restarts: o.restarts, Seed: o.seed, Observer: j.ui.observe})
	out := new(outcome)
	if m != nil {
		out.partition = j.labelledPartition(m, rule)
	}
	return out, inFile(j.file, err)
}

// labelledPartition is the clusters of a k-means that labels started.
func (j *job) labelledPartition(m *kmeans.Model, rule ckmeans.Rule) *partition {
	how := fmt.Sprintf("%s started by the labels given, which stay in them, objective %.6g", counted(len(m.Sizes), "cluster"), m.Objective)
	if rule == ckmeans.Seeded {
		how = fmt.Sprintf("%s started by the labels given, objective %.6g", counted(len(m.Sizes), "cluster"), m.Objective)
	}
	return &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Objective, centers: m.Centers, by: "k-means", how: how, classes: j.classNames(len(m.Sizes))}
}

func clusterLabelPropagation(ctx context.Context, j *job) (*outcome, error) {
	out := new(outcome)
	var err error
	if out.graph, err = j.affinity(ctx); err != nil {
		return out, err
	}
	defer j.stage("propagation")()
	opt := j.opt.propagationOptions()
	opt.Observer = j.ui.observe
	m, err := labelprop.FitGraph(ctx, out.graph, j.given.labels, len(j.given.names), opt)
	if m != nil {
		out.model = m
		out.partition = &partition{labels: m.Labels, sizes: sizesOf(m.Labels, j.opt.clusters), posterior: m.Posterior, by: "labels", classes: j.given.names,
			how: fmt.Sprintf("carried over the graph, form %s, residual %.1e after %s", opt.Form, m.Residual, counted(m.Iterations, "product"))}
		out.tellPropagation(m)
		j.noteShares(m)
	}
	return out, inFile(j.file, err)
}

// tellPropagation tells of documents that no label reached, or that are nearer to none of the classes.
func (o *outcome) tellPropagation(m *labelprop.Model) {
	o.details = map[string]any{"unreached": len(m.Unreached), "residual": m.Residual, "products": m.Iterations}
	text := "all documents"
	if k := len(m.Unreached); k > 0 {
		text = fmt.Sprintf("all but %s, which take the most frequent class", counted(k, "document"))
	}
	if m.Novel != nil {
		novel := 0
		for i, v := range m.Novel {
			if v > slices.Max(m.F.RawRowView(i)) {
				novel++
			}
		}
		o.details["novel"] = novel
		if novel > 0 {
			text += fmt.Sprintf("; %s nearer to none of the classes", plural(novel, "is", "are"))
		}
	}
	o.found = append(o.found, []string{"reached", text})
}

// noteShares tells of the class whose share of the documents that labels were carried to is farthest from its share of the labels, where that is far:
// after much spreading a class with many neighbours can take nearly all.
func (j *job) noteShares(m *labelprop.Model) {
	var ways []string
	if !j.opt.classMass {
		ways = append(ways, "--class-mass")
	}
	if m.Options.Form != labelprop.Zhu {
		way := "a smaller --spread"
		if j.opt.spread > 0.5 {
			way += " such as 0.5"
		}
		ways = append(ways, way)
	}
	given, found := make([]float64, len(j.given.names)), make([]float64, len(j.given.names))
	reached := 0
	for i, class := range j.given.labels {
		if class >= 0 {
			given[class]++
		} else if _, lost := slices.BinarySearch(m.Unreached, i); !lost {
			found[m.Labels[i]]++
			reached++
		}
	}
	if reached < 1 || len(ways) == 0 {
		return
	}
	far, most := -1, 0.1
	for class := range given {
		p, q := given[class]/float64(j.given.count), found[class]/float64(reached)
		if d := math.Abs(p - q); d > most && max(p, q) > 1.5*min(p, q) {
			far, most = class, d
		}
	}
	if far >= 0 {
		j.ui.note(fmt.Sprintf("%s has %s of the labels given and takes %s of the documents that they were carried to: if labels are as frequent as classes, %s may come nearer to that",
			report.Clip(j.given.names[far], 24), percent(int(given[far]), j.given.count), percent(int(found[far]), reached), strings.Join(ways, " or ")))
	}
}

// sizesOf counts the documents of each of k clusters.
func sizesOf(labels []int, k int) []int {
	sizes := make([]int, k)
	for _, c := range labels {
		sizes[c]++
	}
	return sizes
}

// checkCounts refuses entries that are no counts. way is the way out.
func (j *job) checkCounts(way string) error {
	i, t, v := negative(j.corpus.X)
	if i < 0 {
		return nil
	}
	return requestf("%s: document %s has %g of %s, and plsa works on term counts, which are not negative: %s", j.file, report.Clip(j.corpus.ID(i), 40), v, j.term(t), way)
}

// negative finds the first negative entry; i is -1 where there is none.
func negative(x mat.Matrix) (i, t int, v float64) {
	s, isSparse := x.(*sparse.CSR)
	n, cols := x.Dims()
	for i := range n {
		if isSparse {
			at, vals := s.Row(i)
			for k, v := range vals {
				if v < 0 {
					return i, int(at[k]), v
				}
			}
			continue
		}
		for t := range cols {
			if v := x.At(i, t); v < 0 {
				return i, t, v
			}
		}
	}
	return -1, 0, 0
}

// fitSemiLDC makes coordinates and clusters at once.
func fitSemiLDC(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if o.usesPLSA() {
		if err := j.checkCounts("give --soft-labels propagation or hard"); err != nil {
			return out, err
		}
	}
	opt := semildc.Options{SoftLabels: semildc.SoftLabels(o.softLabels), KeepLengths: o.keepLengths, PLSA: o.plsaOptions(), Reduction: semildc.Reduction(o.reduction),
		LDA: softlda.Options{Dims: o.dims, Mu: o.mu}, Rule: ckmeans.Rule(o.rule), MaxIter: o.kmeansIters, Seed: o.seed, Observer: j.withoutSteps}
	if err := j.checkRank(o.pca.number, "--pca"); err != nil {
		return out, err
	}
	opt.Components, opt.Share = o.pca.number, o.pca.share
	if o.propagates() {
		opt.Propagation = o.propagationOptions()
		if o.neighbors == 0 && o.epsilon == 0 {
			o.neighbors = max(1, min(graph.DefaultNeighbors, j.corpus.Len()-1))
		}
		if o.edgeWeight == "" {
			o.edgeWeight = weightOf(j.x)
		}
		opt.Propagation.Graph = o.graphOptions(j.ui.observe)
	}
	defer j.stage("fit")()
	m, err := semildc.Fit(ctx, j.corpus.X, j.x, j.given.labels, len(j.given.names), opt)
	if m == nil {
		return out, inFile(j.file, err)
	}
	o.reduction, o.pca = string(m.Options.Reduction), numberOrShare{number: m.Options.Components, share: m.Options.Share}
	out.model, out.embedding, out.soft = m, m.Embedding, m.Soft
	out.spectrum = &spectrum{kind: "λ between over within classes", values: m.Lambda, how: fmt.Sprintf("%s, μ %.3g", counted(len(m.Lambda), "discriminant"), m.Mu)}
	out.details = map[string]any{"soft_labels": o.softLabels, "reduced_to": m.Dims, "explained": m.Explained, "discriminants": numbers(m.Lambda), "mu": m.Mu}
	out.tellStages(m, j)
	out.partition = j.labelledPartition(m.Clusters, opt.Rule)
	return out, inFile(j.file, err)
}

// withoutSteps observes without the notes of semi-ldc that the table and what was found repeat.
func (j *job) withoutSteps(e progress.Event) {
	said := []string{"solver ", "Principal components:", "The scatter matrix", "Soft discriminants:"}
	if j.opt.softLabels == string(semildc.Hard) { // where the other documents have no soft label
		said = append(said, "Soft labels:", "Constrained k-means:", "Seeded k-means:")
	}
	for _, start := range said {
		if strings.HasPrefix(e.Message, start) {
			return
		}
	}
	if j.opt.softLabels == string(semildc.Hard) && strings.Contains(e.Message, "have no weight in any class") {
		return
	}
	j.ui.observe(e)
}

// tellStages tells what soft labels and reduction were.
func (o *outcome) tellStages(m *semildc.Model, j *job) {
	soft := counted(j.given.count, "label") + " given, alone"
	switch {
	case m.Topics != nil:
		soft = "constrained plsa, " + counted(m.Topics.Iterations, "step")
		o.takeTopics(m.Topics, j)
	case m.Propagated != nil:
		soft = fmt.Sprintf("label propagation, form %s", j.opt.form)
		o.graph = m.Propagated.Graph
		j.opt.heatWidth = o.graph.HeatWidth
		o.tellPropagation(m.Propagated)
		j.noteShares(m.Propagated)
	}
	o.found = append(o.found, []string{"soft", soft})
	switch semildc.Reduction(j.opt.reduction) {
	case semildc.PCA:
		o.found = append(o.found, []string{"reduced", fmt.Sprintf("to %s, %.3g %% of the variance", counted(m.Dims, "principal component"), 100*m.Explained)})
	case semildc.ICA:
		o.found = append(o.found, []string{"reduced", "to " + counted(m.Dims, "independent component")})
	}
}

package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/progress"
)

// The methods that a kernel belongs to.
const (
	nameKernelKMeans = "kernel-kmeans"
	nameLECAS        = "le-cas"
)

// usesKernel tells whether the method clusters by kernel k-means.
func (o *options) usesKernel() bool {
	return o.method == nameKernelKMeans && !o.precomputed || o.usesMachines() || o.method == nameLECAS && o.firstClustering == string(lecas.KernelKMeans)
}

// polynomial tells whether anything has a polynomial kernel.
func (o *options) polynomial() bool {
	return o.edgeWeight == "poly" || o.usesKernel() && o.kernel == string(kernelkmeans.Polynomial)
}

// polynomialFlag is what gives the method one.
func (o *options) polynomialFlag() string {
	switch o.method {
	case nameKernelKMeans, nameTSVM, nameGraphSSL:
		return "--kernel polynomial"
	case nameLECAS:
		return "--edge-weight poly or --kernel polynomial"
	}
	return "--edge-weight poly"
}

// uselessForKernel tells whether a flag means nothing beside the kernel or the first clustering that was chosen.
func (o *options) uselessForKernel(flag string) bool {
	if slices.Contains(searchFlags, flag) {
		return o.firstClustering == firstLabels
	}
	switch flag {
	case "kernel":
		return !o.usesKernel()
	case "sigma":
		return (o.method == nameKernelKMeans || o.usesMachines()) && o.kernel != string(kernelkmeans.Gaussian)
	}
	return false
}

// checkKernelFlags settles the first clustering, and refuses flags of kernels and clusterings that contradict each other.
func (j *job) checkKernelFlags() error {
	o := j.opt
	switch o.method {
	case nameKernelKMeans, nameTSVM, nameGraphSSL:
		if o.usesMachines() && !j.set.Changed("kernel") {
			o.kernel = string(svm.Linear)
		}
		if o.sigma > 0 && o.uselessForKernel("sigma") {
			return requestf("--sigma is that of the Gaussian kernel: leave it out with --kernel %s", o.kernel)
		}
		return nil
	case nameLECAS:
	default:
		return nil
	}
	if !j.set.Changed("drop-zeros") && !o.dropFirst {
		o.dropZeros = true // as the paper does
	}
	labelled := o.labelFile != "" || o.labeledShare > 0
	if o.firstClustering == "" {
		o.firstClustering = string(lecas.KernelKMeans)
		if labelled {
			o.firstClustering = firstLabels
		}
	}
	switch {
	case labelled && o.firstClustering != firstLabels:
		return requestf("--first-clustering %s does not look at labels: leave --labels and --labeled-fraction out, or give --first-clustering labels", o.firstClustering)
	case !labelled && o.firstClustering == firstLabels:
		return requestf("--first-clustering labels needs labels: give --labels FILE, or --labeled-fraction 1 for all those of the corpus")
	case o.simplified && o.firstClusters > 0:
		return requestf("--simplified means nothing beside --first-clusters %d, where no silhouettes choose the number: leave one of them out", o.firstClusters)
	case j.set.Changed("kernel") && !o.usesKernel():
		return requestf("--kernel is that of kernel k-means: leave it out with --first-clustering %s", o.firstClustering)
	}
	if o.firstClustering == firstLabels {
		return refuseWith(j.set, "--first-clustering labels, which has a cluster a class", searchFlags)
	}
	return nil
}

// kernelOptions are those of kernel k-means, but for what the callers add.
func (o *options) kernelOptions() kernelkmeans.Options {
	k := kernelkmeans.Options{Kernel: kernelkmeans.Kernel(o.kernel), MaxBytes: allowed(kernelkmeans.DefaultMaxBytes)}
	if k.Kernel == kernelkmeans.Polynomial {
		k.Degree, k.Offset = o.polyDegree, &o.polyOffset
	}
	return k
}

func clusterKernelKMeans(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("kmeans")()
	o, x := j.opt, j.x
	opt := o.kernelOptions()
	if j.graph != nil {
		x, opt.Kernel = j.corpus.X, kernelkmeans.Precomputed
	}
	if opt.Kernel == kernelkmeans.Gaussian {
		opt.Width = o.sigma
	}
	opt.K, opt.Shift, opt.Restarts, opt.MaxIter, opt.Init, opt.Seed, opt.Observer = o.clusters, o.kernelShift, o.restarts, o.kmeansIters, kernelkmeans.Init(o.init), o.seed, j.quieter
	m, err := kernelkmeans.Fit(ctx, x, opt)
	out := &outcome{graph: j.graph, first: opt}
	if m == nil {
		return out, inFile(j.file, err)
	}
	if o.sigma == 0 && opt.Kernel == kernelkmeans.Gaussian {
		o.sigma = m.Width
	}
	out.model, out.first.Width, out.first.Observer = m, m.Width, nil
	out.partition = &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Objective, by: "kernel k-means",
		how: fmt.Sprintf("%s, %s, best of %s, objective %.6g after %s, silhouette in feature space %.3f", counted(o.clusters, "cluster"), kernelText(opt, m.Width),
			counted(o.restarts, "start"), m.Objective, counted(m.Iterations, "move"), m.Silhouette)}
	out.details = map[string]any{"kernel": opt.Kernel, "iterations": m.Iterations, "converged": m.Converged, "silhouette": m.Silhouette,
		"kernel_rows": m.Storage, "kernel_bytes": m.KernelBytes}
	if m.Width > 0 {
		out.details["sigma"] = m.Width
	}
	if !m.Converged && !m.Indefinite {
		j.ui.note(fmt.Sprintf("Documents still changed their clusters after %s: a larger --kmeans-iter goes on.", counted(m.Iterations, "move")))
	}
	return out, inFile(j.file, err)
}

// kernelText is a kernel in words.
func kernelText(k kernelkmeans.Options, width float64) string {
	switch k.Kernel {
	case kernelkmeans.Gaussian:
		return fmt.Sprintf("Gaussian kernel of σ %.4g", width)
	case kernelkmeans.Polynomial:
		return fmt.Sprintf("polynomial kernel (%g + x·y)^%d", *k.Offset, k.Degree)
	case kernelkmeans.Precomputed:
		return "kernel as given"
	}
	return string(k.Kernel) + " kernel"
}

func embedLECAS(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	n := j.corpus.Len()
	if o.firstClusters > n {
		return out, requestf("%s: --first-clusters %d is more than its %s; give at most %d", j.file, o.firstClusters, counted(n, "document"), n)
	}
	opt := lecas.Options{Denominator: lecas.Denominator(o.denominator), LE: o.leOptions(j.ui.observe), Labels: j.given.labels}
	var err error
	if o.sigma == 0 {
		if o.sigma, err = kernelkmeans.MeanSquaredDistance(ctx, j.x); err != nil {
			return out, inFile(j.file, err)
		}
	}
	opt.Sigma = o.sigma
	if o.neighbors == 0 && o.epsilon == 0 {
		o.neighbors = max(1, min(lecas.DefaultNeighbors, n-1))
	}
	if o.edgeWeight == string(graph.Heat) && o.heatWidth == 0 && o.heatRule == "" {
		if o.heatWidth = o.sigma; opt.Denominator == lecas.SigmaSquared {
			if o.heatWidth *= o.sigma; o.heatWidth == 0 || math.IsInf(o.heatWidth, 1) {
				return out, requestf("%s: the square of σ = %.4g is beyond what numbers hold: give another --sigma, or --denominator sigma", j.file, o.sigma)
			}
		}
	}
	if out.graph, err = j.affinity(ctx); err != nil {
		return out, err
	}
	choice, err := j.firstClusters(ctx, out)
	if err != nil {
		return out, inFile(j.file, err)
	}
	if choice != nil {
		opt.Labels = choice.Labels
	}
	if parts := out.graph.Components - len(out.graph.Isolated); o.dropZeros && parts > 1 && !j.set.Changed("drop-zeros") {
		j.ui.note(fmt.Sprintf("The graph has %d parts, and le-cas leaves out the coordinates that only tell these apart: --drop-zeros=false keeps them.", parts))
	}
	if err := j.checkDims(out.graph); err != nil {
		return out, err
	}
	return out, j.embedOn(out, func(g *graph.Graph, out *outcome) error {
		m, err := lecas.FitGraph(ctx, g, j.x, opt)
		if m == nil {
			return err
		}
		m.Choice = choice
		j.tellAdjusted(m, out)
		out.model = m
		out.takeEigen(m.Embedding, m.Values, m.Residuals, &m.Stats)
		return err
	})
}

// quieter observes without the notes that say nothing new: the number of first clusters has a line of its own, and that the kernel matrix fits is as it should be.
func (j *job) quieter(e progress.Event) {
	if e.Message != "" && (e.Stage == "silhouette" || strings.HasPrefix(e.Message, "The kernel matrix") && strings.Contains(e.Message, " is kept")) {
		return
	}
	j.ui.observe(e)
}

// firstClusters finds the first clustering; nil where it is the labels given.
func (j *job) firstClusters(ctx context.Context, out *outcome) (*lecas.Choice, error) {
	o := j.opt
	if o.firstClustering == firstLabels {
		return nil, nil
	}
	defer j.stage("first")()
	search := lecas.Search{Clusters: o.firstClusters, Starts: o.firstStarts, Simplified: o.simplified, Clustering: lecas.Clustering(o.firstClustering), Seed: o.seed, Observer: j.quieter}
	if o.usesKernel() {
		search.Kernel = o.kernelOptions()
		out.first = search.Kernel
	}
	choice, err := lecas.ChooseClusters(ctx, j.x, search)
	if choice != nil && choice.Kernel != nil {
		out.first.K, out.first.Width = choice.Clusters, choice.Kernel.Width
	}
	return choice, err
}

// tellAdjusted tells the first clustering and what it did to the graph.
func (j *job) tellAdjusted(m *lecas.Model, out *outcome) {
	k := 0
	if m.Centroids.Means != nil {
		k, _ = m.Centroids.Means.Dims()
	}
	text := counted(k, "cluster") + " of labels given"
	out.details = map[string]any{"first_clusters": k, "first_clustering": j.opt.firstClustering, "sigma": m.Sigma, "adjusted_edges": m.Between, "lost_edges": m.Lost}
	if c := m.Choice; c != nil {
		text = counted(c.Clusters, "cluster") + " by "
		if c.Kernel == nil {
			text += "k-means"
		} else {
			text += "kernel k-means, " + kernelText(out.first, c.Kernel.Width)
		}
		if len(c.Best) > 0 {
			best := 0
			for q, s := range c.Best {
				if s > c.Best[best] {
					best = q
				}
			}
			if from, to := c.Tried[0], c.Tried[len(c.Tried)-1]; c.Clusters < from {
				text += fmt.Sprintf(", where %d to %d were tried: the documents are too alike for more", from, to)
			} else {
				text += fmt.Sprintf(", silhouette %.3f, the best of %d to %d clusters", c.Best[best], from, to)
			}
			if q := len(c.Best) - 1; best == q && q > 0 {
				j.ui.note(fmt.Sprintf("The silhouette is best at the largest number of first clusters tried, %d; --first-clusters takes another.", c.Tried[q]))
			}
			out.details["silhouette"], out.details["tried"], out.details["silhouettes"] = c.Best[best], c.Tried, numbers(c.Best)
		}
	}
	adjusted := fmt.Sprintf("σ %.4g, %.3g %% of the edges join different clusters", m.Sigma, 100*m.Between)
	if kept, low := kept(m); m.Between > 0 {
		adjusted += fmt.Sprintf(" and keep %.3g of their weight on average, at least %.3g", kept, low)
		out.details["kept_weight"] = kept
	}
	if m.Lost > 0 {
		adjusted += fmt.Sprintf("; %s of them are gone", report.Thousands(m.Lost))
	}
	out.found = [][]string{{"first", text}, {"adjusted", adjusted}}
}

// kept is the mean and the least share of their weight that edges between clusters keep.
func kept(m *lecas.Model) (mean, least float64) {
	c, count := m.Centroids, 0
	least = 1
	for i := range m.Graph.W.NumRows {
		cols, _ := m.Graph.W.Row(i)
		for _, j := range cols {
			if a, b := c.Labels[i], c.Labels[j]; a >= 0 && b >= 0 && a != b {
				s := c.Similarity.At(a, b)
				count++
				mean += (s - mean) / float64(count)
				least = min(least, s)
			}
		}
	}
	return mean, least
}

package main

import (
	"context"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/spf13/pflag"
)

// method is one entry of the table that `cluster` and `embed` choose from.
type method struct {
	name, summary string
	needs         needs
	flags         [][]string // groups that it understands besides input, text and weights
	edgeWeight    string     // of its graph unless said otherwise; "" leaves it to the kind of data
	counts        bool       // it works on term counts, unless weights are asked for
	classes       classes    // how its clusters belong to the labels given
	thenKMeans    bool       // its clusters are found by k-means, whose flags only the command cluster has
	// dims is the number of dimensions where the method leaves no choice, and why; 0 where it does. nil: it always does.
	dims func(j *job) (n int, why string)
	// embed and cluster do the work on j.x, or on the graph that was read. They return what was
	// finished even beside an error. A method without an embedding has a nil embed.
	embed, cluster func(ctx context.Context, j *job) (*outcome, error)
}

// classes says how the clusters of a method belong to the classes of the labels given.
type classes int

const (
	anyClusters  classes = iota // they are numbered by themselves
	classesFirst                // cluster c is class c, and there may be more clusters than classes
	classesOnly                 // every cluster is a class
)

// methods lists what is built. A method joins by one entry.
var methods = []method{
	{
		name:    "le",
		summary: "Laplacian Eigenmaps: smallest eigenvectors of the neighbour graph, then k-means",
		flags:   [][]string{{"precomputed"}, graphFlags, eigenFlags, dimsFlags, skipFlags, rowFlags},
		embed:   embedLE,
		cluster: clusterBy(embedLE), thenKMeans: true,
	},
	{
		name:    "semi-le",
		summary: "le on a graph in which labels given join and part documents",
		needs:   needsLabels,
		flags:   [][]string{{"precomputed"}, labelFlags, graphFlags, eigenFlags, dimsFlags, skipFlags, rowFlags},
		embed:   embedSemiLE,
		cluster: clusterBy(embedSemiLE), thenKMeans: true,
	},
	{
		name:    "cle",
		summary: "Constrained Laplacian Eigenmap: a map a class that keeps labels given, or links, then k-means",
		needs:   needsLabelsOrLinks,
		flags:   [][]string{{"precomputed"}, labelFlags, linkFlags, graphFlags, eigenFlags, dimsFlags, rowFlags},
		dims:    cleDims,
		embed:   embedCLE,
		cluster: clusterBy(embedCLE), thenKMeans: true,
	},
	{
		name:    "lsi",
		summary: "latent semantic indexing: projections on the first singular vectors, then k-means",
		flags:   [][]string{svdFlags, dimsFlags},
		embed:   embedLSI,
		cluster: clusterBy(embedLSI), thenKMeans: true,
	},
	{
		name:    "pca",
		summary: "principal components of the centred weights, then k-means",
		flags:   [][]string{svdFlags, dimsFlags, pcaFlags},
		dims:    pcaDims,
		embed:   embedPCA,
		cluster: clusterBy(embedPCA), thenKMeans: true,
	},
	{
		name:    "nmf",
		summary: "non-negative matrix factorisation: each document to its largest topic",
		flags:   [][]string{dimsFlags, nmfFlags, {"restarts"}},
		dims:    nmfDims,
		embed:   fitNMF,
		cluster: fitNMF,
	},
	{
		name:    "gmm",
		summary: "mixture of Gaussians on the principal components, started by k-means",
		flags:   [][]string{svdFlags, pcaFlags, mixFlags, gmmFlags, {"restarts"}},
		cluster: clusterGMM,
	},
	{
		name:       nameLapGMM,
		summary:    "gmm whose probabilities vary little along the edges of the neighbour graph",
		edgeWeight: "binary",
		flags:      [][]string{svdFlags, pcaFlags, graphFlags, mixFlags, lapFlags, {"restarts"}},
		cluster:    clusterLapGMM,
	},
	{
		name:    "spg",
		summary: "sparse projections over a graph: few terms a direction, told by name, then k-means",
		needs:   mayTakeLabels,
		flags:   [][]string{labelFlags, graphFlags, eigenFlags, dimsFlags, rowFlags, sparseFlags, spgFlags},
		dims:    spgDims,
		embed:   embedSPG,
		cluster: clusterBy(embedSPG), thenKMeans: true,
	},
	{
		name:    "lpp",
		summary: "locality preserving projections: linear coordinates that follow the graph, then k-means",
		flags:   [][]string{graphFlags, svdFlags, dimsFlags, rowFlags, alphaFlags},
		embed:   embedLPP,
		cluster: clusterBy(embedLPP), thenKMeans: true,
	},
	{
		name:    "lda",
		summary: "linear discriminant analysis of the labels given, then k-means",
		needs:   needsLabels,
		flags:   [][]string{labelFlags, dimsFlags, rowFlags, alphaFlags},
		dims:    ldaDims,
		embed:   embedLDA,
		cluster: clusterBy(embedLDA), thenKMeans: true,
	},
	{
		name:    "spca",
		summary: "sparse principal components: few terms each, then k-means",
		flags:   [][]string{dimsFlags, rowFlags, sparseFlags},
		embed:   embedSPCA,
		cluster: clusterBy(embedSPCA), thenKMeans: true,
	},
	{
		name:       "le-cas",
		summary:    "le on a graph whose edges between clusters of a first clustering are weakened, then k-means",
		needs:      mayTakeLabels,
		edgeWeight: "heat",
		flags:      [][]string{labelFlags, graphFlags, eigenFlags, dimsFlags, skipFlags, rowFlags, firstFlags, kernelFlags},
		embed:      embedLECAS,
		cluster:    clusterBy(embedLECAS), thenKMeans: true,
	},
	{
		name:       "ggle",
		summary:    "le on a graph of the nearest along the neighbour graph, with generalised Gaussian weights",
		edgeWeight: "heat",
		flags:      [][]string{edgeFlags, {"heat-width"}, eigenFlags, dimsFlags, skipFlags, rowFlags, reachFlags},
		embed:      embedGGLE,
		cluster:    clusterBy(embedGGLE), thenKMeans: true,
	},
	{
		name:       "s-le",
		summary:    "le on a graph whose neighbourhoods end where the data bend, then k-means",
		edgeWeight: "heat",
		flags:      [][]string{{"neighbors", "edge-weight"}, heatFlags, eigenFlags, dimsFlags, skipFlags, rowFlags, ratioFlags},
		embed:      embedSLE,
		cluster:    clusterBy(embedSLE), thenKMeans: true,
	},
	{
		name:       "scple",
		summary:    "a map that draws neighbours of one class together and parts near ones of others, by labels given",
		needs:      needsLabels,
		edgeWeight: "heat",
		flags:      [][]string{labelFlags, {"neighbors", "heat-width"}, eigenFlags, dimsFlags, rowFlags, gammaFlags},
		embed:      embedSCPLE,
		cluster:    clusterBy(embedSCPLE), thenKMeans: true,
	},
	{
		name:    nameIsomap,
		summary: "coordinates that keep distances along the neighbour graph, then k-means",
		flags:   [][]string{edgeFlags, eigenFlags, dimsFlags, rowFlags, partsFlags, pickFlags},
		embed:   embedIsomap,
		cluster: clusterBy(embedIsomap), thenKMeans: true,
	},
	{
		name:    nameLLE,
		summary: "locally linear embedding: each document as its neighbours make it up, then k-means",
		flags:   [][]string{{"neighbors"}, eigenFlags, dimsFlags, rowFlags, partsFlags, lleFlags},
		embed:   embedLLE,
		cluster: clusterBy(embedLLE), thenKMeans: true,
	},
	{
		name:    namePLSA,
		summary: "topics of term counts, by name; labels given make topics of their classes",
		needs:   mayTakeLabels,
		counts:  true,
		classes: classesFirst,
		flags:   [][]string{labelFlags, dimsFlags, plsaFlags, topicFlags},
		dims:    nmfDims,
		embed:   embedTopics,
		cluster: fitTopics,
	},
	{
		name:    nameSemiLDC,
		summary: "soft labels, soft discriminants and k-means, from labels given: classes of all documents",
		needs:   needsLabels,
		classes: classesOnly,
		flags:   [][]string{labelFlags, stageFlags, pcaFlags, plsaFlags, propagationFlags, graphFlags, dimsFlags, {"kmeans-iter"}},
		dims:    ldaDims,
		embed:   fitSemiLDC,
		cluster: fitSemiLDC,
	},
	{
		name:    "ckmeans",
		summary: "k-means in which documents with a label given stay in its class",
		needs:   needsLabels,
		classes: classesFirst,
		flags:   [][]string{labelFlags, labelledMeans},
		cluster: clusterConstrained,
	},
	{
		name:    "seeded-kmeans",
		summary: "k-means that starts at the means of the labels given",
		needs:   needsLabels,
		classes: classesFirst,
		flags:   [][]string{labelFlags, labelledMeans},
		cluster: clusterSeeded,
	},
	{
		name:    nameLabelPropagation,
		summary: "labels given are carried over the neighbour graph, with probabilities",
		needs:   needsLabels,
		classes: classesOnly,
		flags:   [][]string{{"precomputed"}, labelFlags, graphFlags, propagationFlags},
		cluster: clusterLabelPropagation,
	},
	{
		name:    nameTSVM,
		summary: "transductive support vector machines, each class of the labels given against the others",
		needs:   needsLabels,
		classes: classesOnly,
		flags:   [][]string{labelFlags, kernelFlags, machineFlags, softFlags},
		cluster: clusterTSVM,
	},
	{
		name:    nameGraphSSL,
		summary: "scores of support vector machines that know the labels given, smoothed over a graph",
		needs:   needsLabels,
		classes: classesOnly,
		flags:   [][]string{labelFlags, kernelFlags, machineFlags, dongleFlags, {"lambda", "neighbors", "edge-weight", "heat-width", "symmetry"}},
		cluster: clusterGraphSSL,
	},
	{
		name:    "kernel-kmeans",
		summary: "k-means in the feature space of a kernel, or of an affinity matrix",
		flags:   [][]string{{"precomputed"}, kernelFlags, shiftFlags, kmeansFlags},
		cluster: clusterKernelKMeans,
	},
	{
		name:    "kmeans",
		summary: "k-means on the weighted documents themselves",
		flags:   [][]string{kmeansFlags},
		cluster: clusterKMeans,
	},
}

// clustering is the method as the command cluster has it.
func (m method) clustering() method {
	if m.thenKMeans {
		m.flags = append(slices.Clone(m.flags), kmeansFlags)
	}
	return m
}

// clusterBy is k-means on the rows of what embed makes.
func clusterBy(embed func(context.Context, *job) (*outcome, error)) func(context.Context, *job) (*outcome, error) {
	return func(ctx context.Context, j *job) (*outcome, error) {
		out, err := embed(ctx, j)
		if err != nil {
			return out, err
		}
		defer j.stage("kmeans")()
		opt := j.opt.kmeansOptions(j.ui.observe)
		if j.opt.init == initLabels {
			opt.Init, opt.Start = "", labels.Means(out.embedding, j.given.labels, len(j.given.names))
		}
		m, err := kmeans.Fit(ctx, out.embedding, opt)
		out.partition = kmeansPartition(m, j.opt)
		return out, inFile(j.file, err)
	}
}

func clusterKMeans(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("kmeans")()
	m, err := kmeans.Fit(ctx, j.x, j.opt.kmeansOptions(j.ui.observe))
	return &outcome{partition: kmeansPartition(m, j.opt)}, inFile(j.file, err)
}

func methodNames() string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return strings.Join(names, ", ")
}

// methodTable describes the methods in the help text.
func methodTable() string {
	var b strings.Builder
	for _, m := range methods {
		b.WriteString("  " + m.name + strings.Repeat(" ", 19-len(m.name)) + m.summary + "\n")
	}
	return b.String()
}

// chosenMethod looks the method up.
func (o *options) chosenMethod() (method, error) {
	if o.method == "" {
		return method{}, requestf("no method was chosen: give --method with one of %s", methodNames())
	}
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == o.method })
	if i < 0 {
		return method{}, requestf("there is no method %q%s: the methods are %s", o.method, nearest(o.method, strings.Split(methodNames(), ", ")), methodNames())
	}
	return methods[i], nil
}

// refuse names the first flag given that means nothing to the method: ignoring it would give a
// result that is not what was asked for.
func (m method) refuse(set *pflag.FlagSet) error {
	var err error
	set.Visit(func(f *pflag.Flag) {
		if err == nil && asked(f) && !m.understands(f.Name) {
			err = requestf("the method %s has no use for --%s: leave it out", m.name, f.Name)
		}
	})
	return err
}

func (m method) understands(flag string) bool {
	for _, other := range methods {
		for _, group := range other.flags {
			if slices.Contains(group, flag) {
				return slices.ContainsFunc(m.flags, func(own []string) bool { return slices.Contains(own, flag) })
			}
		}
	}
	return true // a flag of the input, the output or the program
}

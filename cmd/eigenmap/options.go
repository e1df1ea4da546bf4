package main

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/ggle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/methods/scple"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/spf13/pflag"
)

// options is everything that flags or a configuration file can say. A field that was not given and
// has no fixed default stays zero until the run decides it (weighting, clusters, dims, ...); the
// decision is written back here, so that config.yaml records what was used.
type options struct {
	// every command
	json, quiet bool
	threads     int
	backend     string
	config      string

	// input
	inputFormat, variable, labelVar, labelColumn, truth string
	transpose, precomputed                              bool
	classes                                             []string
	randomClasses                                       int
	textOptions

	// what a method is told beforehand
	labelFile, constraints string
	labeledShare           float64
	fewOptions

	// weights
	weighting, normalize string

	// graph
	neighbors             int
	epsilon, heatWidth    float64
	edgeWeight, symmetry  string
	heatRule              string
	localNeighbor         int
	polyDegree            int
	polyOffset            float64
	method                string
	clusters, dims        int
	dropFirst, dropZeros  bool
	normalizeRows         bool
	solver                string
	tol                   float64
	maxIter               int
	pca                   numberOrShare
	nmfWeighting          string
	nmfSolver             string
	nmfIters              int
	nmfTol                float64
	covariance            string
	ridge                 float64
	emIters, emRestarts   int
	emTol                 float64
	lambda                float64
	schedule              string
	starts                int
	responses, penalty    string
	cardinality           numberOrShare
	alpha                 float64
	restarts, kmeansIters int
	init                  string
	kernel                string
	kernelShift, sigma    float64
	firstClustering       string
	firstClusters         int
	firstStarts           int
	simplified            bool
	denominator           string
	reach, minNeighbors   int
	exponent, ratio       float64
	gamma                 float64
	landmarks             int
	landmarkPick, parts   string
	landmarkNeighbors     int
	regularization        float64
	seed                  uint64

	// output
	out, format string
}

// Groups of flags: what a command offers and a method understands.
var (
	inputFlags  = slices.Concat([]string{"input-format", "var", "label-var", "label-column", "transpose", "truth", "classes", "random-classes"}, sourceFlags)
	weightFlags = []string{"weighting", "normalize"}
	graphFlags  = slices.Concat(edgeFlags, []string{"edge-weight", "poly-degree", "poly-offset"}, heatFlags)
	edgeFlags   = []string{"neighbors", "epsilon", "symmetry"} // who is joined
	heatFlags   = []string{"heat-width", "heat-rule", "local-neighbor"}
	eigenFlags  = []string{"solver", "tol", "max-iter"}
	dimsFlags   = []string{"dims"}
	skipFlags   = []string{"drop-first", "drop-zeros"}
	rowFlags    = []string{"normalize-rows"}
	labelFlags  = []string{"labels", "labeled-fraction"}
	linkFlags   = []string{"constraints"}
	svdFlags    = []string{"solver", "tol"}
	pcaFlags    = []string{"pca"}
	nmfFlags    = []string{"nmf-weighting", "nmf-solver", "nmf-iter", "nmf-tol"}
	gmmFlags    = []string{"em-restarts"}
	lapFlags    = []string{"lambda", "schedule", "starts"}
	mixFlags    = []string{"covariance", "ridge", "em-iter", "em-tol"}
	sparseFlags = []string{"cardinality"}
	spgFlags    = []string{"responses", "penalty", "alpha"}
	alphaFlags  = []string{"alpha"}
	kmeansFlags = []string{"restarts", "init", "kmeans-iter"}
	kernelFlags = []string{"kernel", "sigma", "poly-degree", "poly-offset"}
	shiftFlags  = []string{"kernel-shift"}
	firstFlags  = slices.Concat(searchFlags, []string{"first-clustering", "denominator"})
	searchFlags = []string{"first-clusters", "first-starts", "simplified"}
	reachFlags  = []string{"reach", "shape"}
	ratioFlags  = []string{"min-neighbors", "ratio"}
	gammaFlags  = []string{"gamma"}
	partsFlags  = []string{"parts", "landmarks"}
	pickFlags   = []string{"landmark-pick"}
	lleFlags    = []string{"landmark-neighbors", "regularization"}
)

// firstLabels is the --first-clustering that takes the labels given.
const firstLabels = "labels"

// initLabels is the --init that starts k-means from the labels given.
const initLabels = "labels"

// define adds the named flags to set. One flag has one definition, whatever command it is on.
func (o *options) define(set *pflag.FlagSet, groups ...[]string) {
	for _, names := range groups {
		for _, name := range names {
			o.defineOne(set, name)
		}
	}
}

func (o *options) defineOne(set *pflag.FlagSet, name string) {
	choice := func(p *string, def, usage string, allowed ...string) {
		*p = def
		set.Var(choiceValue{p, allowed}, name, usage)
	}
	path := func(p *string, short, usage string) {
		*p = ""
		set.VarP(pathValue{p}, name, short, usage)
	}
	number := func(p *int, short string, min, def int, usage string) {
		*p = def
		set.VarP(intValue{p, min}, name, short, usage)
	}
	positive := func(p *float64, def float64, usage string) {
		*p = def
		set.Var(positiveValue{p}, name, usage)
	}
	switch name {
	case "input-format":
		choice(&o.inputFormat, "", "format of FILE, where its content and name do not tell: "+strings.Join(corpus.Formats(), ", "), corpus.Formats()...)
	case "var":
		set.StringVar(&o.variable, name, "", "variable of a .mat or .npz file that holds the matrix")
	case "label-var":
		set.StringVar(&o.labelVar, name, "", "variable of a .mat or .npz file that holds the labels")
	case "label-column":
		set.StringVar(&o.labelColumn, name, "", "column of a .csv or .tsv file that holds the labels: its name, or its number from 1 (-1 is the last)")
	case "transpose":
		defineSwitch(set, &o.transpose, name, "", "columns of the file are the documents (default: told from the labels' length)")
	case "truth":
		path(&o.truth, "", "file of true labels to compare with: id,label or one label a line")
	case "classes":
		set.Var(listValue{&o.classes, nil}, name, "keep the documents of these classes only, by name or number")
	case "random-classes":
		number(&o.randomClasses, "", 1, 0, "keep the documents of this many classes, drawn by --seed")
	case "weighting":
		choice(&o.weighting, "", "how counts become weights (default: tfidf for raw text, tf otherwise)", "tf", "tfidf", "binary")
	case "normalize":
		choice(&o.normalize, "", "length of a document's row (default: l2 for sparse data, none for dense)", "l2", "none")
	case "labels":
		path(&o.labelFile, "", "file of labels that the method learns from, for a part of the documents: id,label")
	case "labeled-fraction":
		o.labeledShare = 0
		set.Var(shareValue{positiveValue{&o.labeledShare}}, name, "learn from this share of each class's true labels, drawn by --seed")
	case "constraints":
		path(&o.constraints, "", "file of constraints: id,id,must or id,id,cannot")
	case "precomputed":
		defineSwitch(set, &o.precomputed, name, "", "FILE is a symmetric affinity matrix (.mtx, .npz), not a corpus")
	case "neighbors":
		number(&o.neighbors, "", 1, 0, "nearest neighbours of each document in the graph (default 15; of graph-ssl 5 of the documents without a label)")
	case "epsilon":
		positive(&o.epsilon, 0, "join all documents within this distance instead of --neighbors")
	case "edge-weight":
		choice(&o.edgeWeight, "", "weight of an edge (default: dot for sparse data, heat for dense)", "dot", "binary", "heat", "poly")
	case "heat-width":
		positive(&o.heatWidth, 0, "t in the heat kernel exp(-d²/t) (default: the mean squared distance over the edges)")
	case "heat-rule":
		choice(&o.heatRule, "", "how the width of the heat kernel is found: the mean or the median of d² over the edges, the mean over all pairs, or local: a scale for each document (default: mean)", "mean", "median", "pairs", "local")
	case "local-neighbor":
		number(&o.localNeighbor, "", 1, 0, "the neighbour whose distance is a document's scale under --heat-rule local (default 7)")
	case "poly-degree":
		number(&o.polyDegree, "", 1, 2, "degree of the polynomial kernel")
	case "poly-offset":
		positive(&o.polyOffset, 1, "constant of the polynomial kernel")
	case "symmetry":
		choice(&o.symmetry, "union", "an edge where either document is among the other's neighbours, both are, or their sum", "union", "mutual", "sum")
	case "method":
		set.StringVarP(&o.method, name, "m", "", "method: "+methodNames())
	case "clusters":
		number(&o.clusters, "k", 1, 0, "number of clusters (default: the number of classes of the labels given, or of the file)")
	case "dims":
		number(&o.dims, "d", 1, 0, "dimensions of the embedding (default: the number of clusters or classes)")
	case "drop-first":
		defineSwitch(set, &o.dropFirst, name, "", "skip the constant eigenvector")
	case "drop-zeros":
		defineSwitch(set, &o.dropZeros, name, "", "skip every eigenvector of eigenvalue 0 (le-cas does unless --drop-zeros=false)")
	case "normalize-rows":
		defineSwitch(set, &o.normalizeRows, name, "", "scale each document's row of the embedding to length 1")
	case "solver":
		choice(&o.solver, "auto", "eigensolver", "auto", "dense", "arpack", "lanczos")
	case "tol":
		positive(&o.tol, 1e-8, "largest residual of an eigenpair that counts as found (isomap and lle: 1e-10)")
	case "max-iter":
		number(&o.maxIter, "", 1, eigen.DefaultMaxIter, "most restarts of the eigensolver (scple: 5000)")
	case "pca":
		o.pca = numberOrShare{}
		set.Var(numberOrShareValue{&o.pca}, name, "principal components: their number, or the share of the variance that they explain, such as 0.9; gmm reduces to them first")
	case "nmf-weighting":
		choice(&o.nmfWeighting, "ncw", "weights of the documents in nmf: those of the normalised cut, or none", "ncw", "none")
	case "nmf-solver":
		choice(&o.nmfSolver, "projected-gradient", "how nmf lowers its objective: projected-gradient, multiplicative or hals", "projected-gradient", "multiplicative", "hals")
	case "nmf-iter":
		number(&o.nmfIters, "", 1, 200, "most iterations of one start of nmf")
	case "nmf-tol":
		positive(&o.nmfTol, 1e-4, "nmf stops where the projected gradient is this part of the start's")
	case "covariance":
		choice(&o.covariance, "full", "covariances of the mixture: full, tied (one for all clusters), diagonal (or diag) or spherical", "full", "tied", "diagonal", "diag", "spherical")
	case "ridge":
		positive(&o.ridge, 1e-6, "what keeps covariances from being singular, as a part of the mean variance")
	case "em-restarts":
		number(&o.emRestarts, "", 1, 1, "runs of EM, the best is kept")
	case "em-iter":
		number(&o.emIters, "", 1, 200, "most iterations of a run of EM, plsa included")
	case "em-tol":
		positive(&o.emTol, 1e-4, "EM stops where a step raises its objective by less, a document")
	case "lambda":
		positive(&o.lambda, lapgmm.DefaultLambda, "weight of the graph's penalty: in lapgmm against the log-likelihood, in graph-ssl against the classifier's scores (there 1.5)")
	case "schedule":
		choice(&o.schedule, "restart", "how posteriors are smoothed: restart (walks with restart), literal (the paper's table 1) or unsmoothed", "restart", "literal", "unsmoothed")
	case "starts":
		number(&o.starts, "", 1, 5, "starts of lapgmm, ten iterations each; the best goes on")
	case "responses":
		choice(&o.responses, "", "what the sparse projections are fitted to: neighbors (eigenvectors of the graph), semi (of the graph with labels given), classes (labels alone) or pca (default: semi with labels, else neighbors)", "neighbors", "semi", "classes", "pca")
	case "penalty":
		choice(&o.penalty, "lasso", "what keeps directions small: lasso, elastic-net or ridge (ridge uses all terms)", "lasso", "elastic-net", "ridge")
	case "cardinality":
		o.cardinality = numberOrShare{}
		set.Var(numberOrShareValue{&o.cardinality}, name, "terms of a direction: their number, or their share of all terms (default 75)")
	case "alpha":
		o.alpha = 1
		set.Var(notNegativeValue{&o.alpha}, name, "weight of the ridge in a regression on the terms; 0 is none, for lda, lpp and --penalty ridge")
	case "restarts":
		number(&o.restarts, "", 1, 10, "starts of k-means, nmf or plsa, the best is kept (where labels given start every cluster there is one)")
	case "init":
		choice(&o.init, "k-means++", "how k-means starts; labels: at the means of the documents whose labels were given", "k-means++", "random", initLabels)
	case "kmeans-iter":
		number(&o.kmeansIters, "", 1, 300, "most iterations of one start of k-means")
	case "kernel":
		choice(&o.kernel, string(kernelkmeans.Gaussian), "kernel of kernel k-means (default: gaussian), tsvm and graph-ssl (default: linear): gaussian, polynomial or linear", "gaussian", "polynomial", "linear")
	case "kernel-shift":
		positive(&o.kernelShift, 0, "what is added to the diagonal of a kernel that is not positive semidefinite, such as a graph")
	case "sigma":
		positive(&o.sigma, 0, "σ in exp(-d²/σ): of a Gaussian kernel, of le-cas that of edges and centroids (default: the mean of d² over all pairs of documents; of tsvm and graph-ssl the variance of all entries times the terms)")
	case "first-clustering":
		choice(&o.firstClustering, "", "first clustering of le-cas: kernel-k-means, k-means, or labels given (default: labels where they are given, else kernel-k-means)", "kernel-k-means", "k-means", firstLabels)
	case "first-clusters":
		number(&o.firstClusters, "", 0, 0, "clusters of the first clustering; 0: the number from 2 to 10 with the best silhouette (default 0)")
	case "first-starts":
		number(&o.firstStarts, "", 1, 5, "starts of the first clustering of le-cas for each number of clusters")
	case "simplified":
		defineSwitch(set, &o.simplified, name, "", "silhouettes of the first clustering from distances to its means, which takes less time")
	case "denominator":
		choice(&o.denominator, string(lecas.Sigma), "what stands below d² in both heat kernels of le-cas", string(lecas.Sigma), string(lecas.SigmaSquared))
	case "reach":
		number(&o.reach, "", 1, 0, "documents, nearest by paths along the graph, that ggle joins each document to (default: three times --neighbors)")
	case "shape":
		positive(&o.exponent, ggle.DefaultShape, "p in the generalised Gaussian exp(-d^p/t) of ggle")
	case "min-neighbors":
		number(&o.minNeighbors, "", 1, 0, "neighbours that s-le keeps for every document (default: a third of --neighbors)")
	case "ratio":
		o.ratio = 0
		set.Var(ratioValue{positiveValue{&o.ratio}}, name, "largest ratio of path to straight distance within a neighbourhood of s-le, at least 1 (default: the harmonic mean of all)")
	case "gamma":
		o.gamma = scple.DefaultBalance
		set.Var(balanceValue{&o.gamma}, name, "weight of scple's graph between classes against that within them, from 0 to below 1")
	case "landmarks":
		number(&o.landmarks, "", 1, 0, "landmarks that carry the other documents of isomap or lle (default: none up to 11,585 documents, of lle 4,000; else 1000)")
	case "landmark-pick":
		choice(&o.landmarkPick, string(isomap.Random), "how isomap chooses landmarks", string(isomap.Random), string(isomap.MaxMin))
	case "landmark-neighbors":
		number(&o.landmarkNeighbors, "", 1, 0, "landmarks that a document of lle is put together from (default: dimensions + 1)")
	case "parts":
		choice(&o.parts, string(isomap.Largest), "of a graph that is not connected: its largest part, the parts joined by shortest links (isomap), or all as they are (lle)", string(isomap.Largest), string(isomap.Join), string(lle.All))
	case "regularization":
		positive(&o.regularization, lle.DefaultRegularization, "what the diagonal of a local Gram matrix of lle gets, as a share of its trace")
	case "seed":
		o.seed = 0
		set.Var(seedValue{&o.seed}, name, "seed of every random choice")
	case "out":
		path(&o.out, "o", "folder for the results, made where it is missing")
	default:
		if !o.defineText(set, name) && !o.defineFew(set, name) {
			panic("no definition of flag --" + name)
		}
	}
}

func (o *options) graphOptions(obs progress.Observer) graph.Options {
	return graph.Options{
		Neighbors: o.neighbors, Epsilon: o.epsilon, Weight: graph.Weight(o.edgeWeight), HeatWidth: o.heatWidth,
		HeatRule: graph.WidthRule(o.heatRule), LocalNeighbor: o.localNeighbor,
		PolyDegree: o.polyDegree, PolyOffset: o.polyOffset, Symmetry: graph.Symmetry(o.symmetry), MaxBytes: allowed(graph.DefaultMaxBytes), Observer: obs,
	}
}

func (o *options) leOptions(obs progress.Observer) le.Options {
	skip := le.Skip("none")
	switch {
	case o.dropZeros:
		skip = "zeros"
	case o.dropFirst:
		skip = "constant"
	}
	return le.Options{
		Dims: o.dims, Skip: skip, NormalizeRows: o.normalizeRows, Graph: o.graphOptions(obs),
		Eigen: eigen.Options{Tol: o.tol, MaxIter: o.maxIter, Solver: eigen.Solver(o.solver), Seed: o.seed, Observer: obs},
	}
}

func (o *options) cleOptions(obs progress.Observer) cle.Options {
	l := o.leOptions(obs)
	return cle.Options{NormalizeRows: l.NormalizeRows, Graph: l.Graph, Eigen: l.Eigen}
}

func (o *options) kmeansOptions(obs progress.Observer) kmeans.Options {
	return kmeans.Options{K: o.clusters, Restarts: o.restarts, MaxIter: o.kmeansIters, Init: kmeans.Init(o.init), Seed: o.seed, Observer: obs}
}

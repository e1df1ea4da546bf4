package model

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Fitted is what a finished run has to keep from.
type Fitted struct {
	Model any // the method's own: *le.Model, *cle.Model, *lsi.Model, ...; nil where its clusters' centres are all there is
	// X and Graph are, for the methods of the neighbour graph, the rows it was built from and the options it was built with. X is nil where the graph was there before.
	X     mat.Matrix
	Graph graph.Options
	// Reduced are the principal components that Model was fitted on; nil where it was fitted on the rows themselves.
	Reduced *pca.Model
	// NormalizeRows tells that the rows of an embedding that knows nothing of it itself (linear ones, isomap, lle) were scaled to unit length.
	NormalizeRows bool
	// Kernel are the options of kernel k-means with the width it had, where the method or its first clustering is that.
	Kernel kernelkmeans.Options
	// Regularization is that of the local Gram matrices of lle.
	Regularization float64
	// Neighbours is the graph of X, and Lengths its edges as isomap measured along them, links between its parts included.
	Neighbours *graph.Graph
	Lengths    *sparse.CSR
}

// entry is a method whose models take new documents.
type entry struct {
	fresh func() Part         // an empty part, to be read
	keep  func(f Fitted) Part // that of a finished run; nil where the run has not what is needed
}

// methods tells what the models of a method keep for new documents. A method joins by one entry.
var methods = map[string]entry{
	"le":            {func() Part { return new(Neighbours) }, keepLE},
	"semi-le":       {func() Part { return new(Neighbours) }, keepLE},
	"cle":           {func() Part { return new(Neighbours) }, keepCLE},
	"lsi":           {func() Part { return new(LSI) }, keepLSI},
	"pca":           {func() Part { return new(PCA) }, keepPCA},
	"nmf":           {func() Part { return new(NMF) }, keepNMF},
	"gmm":           {func() Part { return new(Mixture) }, keepGMM},
	"lapgmm":        {func() Part { return new(Mixture) }, keepGMM},
	"spg":           {func() Part { return new(Linear) }, keepSPG},
	"lpp":           {func() Part { return new(Linear) }, keepLPP},
	"lda":           {func() Part { return new(Linear) }, keepLDA},
	"spca":          {func() Part { return new(Linear) }, keepSPCA},
	"kmeans":        {func() Part { return new(Direct) }, func(Fitted) Part { return new(Direct) }},
	"le-cas":        {func() Part { return new(Adjusted) }, keepAdjusted},
	"isomap":        {func() Part { return new(Paths) }, keepPaths},
	"lle":           {func() Part { return new(Pieces) }, keepPieces},
	"kernel-kmeans": {func() Part { return new(Kernel) }, keepKernel},

	"plsa":              {func() Part { return new(Topics) }, keepTopics},
	"semi-ldc":          {func() Part { return new(Linear) }, keepSemiLDC},
	"ckmeans":           {func() Part { return new(Direct) }, func(Fitted) Part { return new(Direct) }},
	"seeded-kmeans":     {func() Part { return new(Direct) }, func(Fitted) Part { return new(Direct) }},
	"label-propagation": {func() Part { return new(Propagation) }, keepPropagation},
	"tsvm":              {func() Part { return new(Machines) }, keepTSVM},
}

// closed says of the methods that have no rule for new documents why.
var closed = map[string]string{
	"ggle":      "ggle weighs documents by paths through all others, and has no rule for those that are not on them",
	"s-le":      "s-le lets the documents themselves decide how far a neighbourhood reaches, and has no rule for new ones",
	"graph-ssl": "graph-ssl smooths the scores of its own documents over their graph, and has no rule for new ones",
	"scple":     "scple places a document by its class, and that of a new one is not known",
}

// Keep returns what a method's run keeps for new documents, or nil and why its model takes none: the method has no rule for them, the run had no
// documents, or it ended before the method's own model was there.
func Keep(method string, f Fitted) (part Part, why string) {
	if why, ok := closed[method]; ok {
		return nil, why
	}
	m, ok := methods[method]
	if !ok {
		return nil, fmt.Sprintf("the method %s has no way to place them", method)
	}
	if part = m.keep(f); part == nil {
		if f.X != nil {
			return nil, "the run that made it ended before it had what places them: run it again"
		}
		return nil, "it was made from an affinity matrix, without documents to find neighbours among"
	}
	return part, ""
}

func keepLE(f Fitted) Part {
	m, ok := f.Model.(*le.Model)
	if !ok || f.X == nil {
		return nil
	}
	return newNeighbours(f, m.Graph, m.Coordinates, m.Embedding, m.Values, m.Isolated)
}

func keepCLE(f Fitted) Part {
	m, ok := f.Model.(*cle.Model)
	if !ok || f.X == nil {
		return nil
	}
	alone := m.Apart
	if alone == nil {
		alone = m.Isolated
	}
	return newNeighbours(f, m.Graph, m.Coordinates, m.Embedding, m.Values, alone)
}

func keepLSI(f Fitted) Part {
	m, ok := f.Model.(*lsi.Model)
	if !ok {
		return nil
	}
	return &LSI{*m}
}

func keepPCA(f Fitted) Part {
	m, ok := f.Model.(*pca.Model)
	if !ok {
		return nil
	}
	return &PCA{*m}
}

func keepNMF(f Fitted) Part {
	m, ok := f.Model.(*nmf.Model)
	if !ok {
		return nil
	}
	return &NMF{*m}
}

// Direct is what methods keep whose clusters are found among the rows themselves: nothing but the centres.
type Direct struct{}

func (*Direct) width() int { return 0 }
func (*Direct) place(_ context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	return &placement{isolated: withoutEntries(x)}, nil
}
func (*Direct) fields(*fields)     {}
func (*Direct) check(*Model) error { return nil }

package cocluster

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Spec is co-clustering of documents and terms as a method.
var Spec = method.Spec{
	Name:    "co-clustering",
	Grows:   "entries",
	Summary: "co-clustering: documents and terms in the same clusters, by singular vectors of the document-term graph",
	About: "Documents and terms are the nodes of one graph, joined by the weights of the terms in the documents.\n" +
		"The singular vectors of D₁^-½ A D₂^-½, with the row sums D₁ and the column sums D₂ of the documents A,\n" +
		"give both coordinates, and k-means finds clusters of documents and terms together: each cluster of\n" +
		"documents comes with its terms.",
	Reference: "Dhillon 2001, Co-clustering documents and words using bipartite spectral graph partitioning",
	Cost:      "a few times r products with X and Xᵀ for r dimensions, then k-means on documents and terms",
	Needs:     method.Needs{Positive: true},
	Yields:    method.Yields{Coordinates: true, Clusters: true, Confidence: bySeparation},
	Whole:     "its k-means is of the documents and the terms together",
	Paper:     []method.Setting{{Name: "row-length", Value: "free"}},
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

const bySeparation = "1 - d1/d2: d1 is the distance to the centre of the document's cluster, d2 to the nearest other centre, at least 0"

// Options of the method. The zero value of every field is its default.
type Options struct {
	// Dims is r, the number of singular vectors after the first. 0 is the number of clusters or
	// classes, or as many as the data have.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"singular vectors after the first, which are the dimensions of the embedding; Dhillon takes log2 of the clusters" group:"method"`
	// RowLength is Unit unless set.
	RowLength RowLength `json:"row_length,omitempty" flag:"row-length" choices:"unit|free" default:"unit" help:"scale the coordinates of each document and term to length 1, or leave them as the paper does" group:"method"`
	// Restarts is the number of starts of k-means.
	Restarts int `json:"restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts of k-means on documents and terms, of which the best is kept" group:"method"`
	// Tol bounds the residuals of the singular values.
	Tol float64 `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" help:"largest residual of a singular value that counts as found, as a share of the largest value" group:"eigenproblem"`
}

// RowLength says whether coordinates are scaled.
type RowLength string

const (
	// Unit scales the coordinates of each document and term to length 1, so that small groups far
	// from the origin do not take all clusters.
	Unit RowLength = "unit"
	// Free leaves them as they are (Dhillon 2001).
	Free RowLength = "free"
)

// Validate implements method.Options.
func (o *Options) Validate() error { return option.Check(o) }

// topTerms is how many terms of each cluster are listed.
const topTerms = 30

// Fit implements method.Options. Errors (fs.ErrInvalid): an entry below 0, and fewer documents or
// terms than dimensions.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = o.dims(in); err != nil {
		return nil, err
	}
	n, terms := in.X.Dims()
	need := memory.Sum(memory.Bytes(4*8, terms, used.Dims+2), memory.Bytes(3*8, n, used.Dims+2))
	if err := memory.Need(ctx, need, "give fewer ‹dims›", "%s of %s and %s", words.Counted(used.Dims, "dimension"), words.Counted(n, "document"), words.Counted(terms, "term")); err != nil {
		return nil, err
	}
	settled := used
	option.Default(&settled)
	b, err := newBipartite(in)
	if err != nil {
		return nil, err
	}
	m, err := settled.decompose(ctx, in, b)
	out := &method.Fitted{Used: &used}
	if m == nil {
		return out, err
	}
	v := b.nontrivial(m)
	p := b.placer(v, m.Singular[1:])
	p.NormalizeRows = settled.RowLength == Unit
	y, late := p.transform(ctx, in.X)
	if late != nil {
		return out, late
	}
	out.Embedding, out.Placer, out.Model = y, p, m
	out.Values = &method.Values{Kind: method.SingularValue, Values: m.Singular[1:], Residuals: svd.Worst(m.LeftResiduals, m.RightResiduals)[1:], Stats: &m.Stats, LeftOut: 1}
	if err != nil || in.Clusters == 0 {
		return out, err
	}
	return out, settled.cluster(ctx, in, b, v, out)
}

// dims is the number of dimensions: as many as clusters or classes unless it was asked for, and no
// more than the data have after the first.
func (o *Options) dims(in *method.Input) (int, error) {
	dims, err := in.Dims(o.Dims)
	if err != nil {
		return 0, err
	}
	_, terms := in.X.Dims()
	most := min(in.Len(), terms) - 1
	switch {
	case dims <= most:
		return dims, nil
	case most < 1:
		return 0, invalid.Errorf("%s of %s are too few for co-clustering, which needs two of each: give others, or choose another ‹method›",
			words.Counted(in.Len(), "document"), words.Counted(terms, "term"))
	case o.Dims == 0:
		return most, nil
	}
	return 0, invalid.Errorf("%s of %s have at most %s after the first, not %d: give ‹dims› %d",
		words.Counted(in.Len(), "document"), words.Counted(terms, "term"), words.Counted(most, "singular vector"), dims, most)
}

// decompose finds the first singular vectors of the scaled matrix.
func (o *Options) decompose(ctx context.Context, in *method.Input, b *bipartite) (*lsi.Model, error) {
	defer in.Stage("svd")()
	return lsi.Fit(ctx, b.scaled(in.X), lsi.Options{Dims: o.Dims + 1, Scale: lsi.Left, Tol: o.Tol, Seed: in.Seed, Observer: in.Observer})
}

// cluster finds clusters among the rows of documents and terms, numbered by their documents.
func (o *Options) cluster(ctx context.Context, in *method.Input, b *bipartite, v *mat.Dense, out *method.Fitted) error {
	defer in.Stage("kmeans")()
	documents, d := out.Embedding.Dims()
	y, terms := b.coordinates(v)
	y = rows.MaybeNormalized(y, o.RowLength == Unit)
	both := mat.NewDense(documents+len(terms), d, nil)
	both.Slice(0, documents, 0, d).(*mat.Dense).Copy(out.Embedding)
	both.Slice(documents, documents+len(terms), 0, d).(*mat.Dense).Copy(y)
	k, err := kmeans.Fit(ctx, both, kmeans.Options{K: in.Clusters, Restarts: o.Restarts, Seed: in.Seed, Observer: in.Observer})
	if err != nil {
		return err
	}
	number, sizes := byDocuments(k.Labels[:documents], in.Clusters)
	labels, centers := make([]int, len(k.Labels)), mat.NewDense(in.Clusters, d, nil)
	for i, c := range k.Labels {
		labels[i] = number[c]
	}
	for c, to := range number {
		centers.SetRow(to, k.Centers.RawRowView(c))
	}
	out.Directions, out.Topics = b.topics(in.Terms, terms, labels[documents:], in.Clusters), true
	out.Clusters = &method.Clusters{Labels: labels[:documents], Sizes: sizes, Objective: k.Objective, Centers: centers, By: "co-clustering",
		How: fmt.Sprintf("%s of %s and %s, best of %s, objective %.6g", words.Plural(in.Clusters, "cluster", "clusters"), words.Counted(documents, "document"),
			words.Counted(len(terms), "term"), words.Plural(o.Restarts, "start", "starts"), k.Objective)}
	return nil
}

// byDocuments numbers clusters by falling number of documents, ties by their number before; sizes
// are in the new order.
func byDocuments(labels []int, k int) (number, sizes []int) {
	count := method.SizesOf(labels, k)
	number, sizes = make([]int, k), make([]int, 0, k)
	taken := make([]bool, k)
	for to := range k {
		largest := -1
		for c, n := range count {
			if !taken[c] && (largest < 0 || n > count[largest]) {
				largest = c
			}
		}
		taken[largest] = true
		number[largest] = to
		sizes = append(sizes, count[largest])
	}
	return number, sizes
}

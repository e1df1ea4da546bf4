package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Adjusted is what LE-CAS keeps: the graph as it was before, and the first clustering that lowers affinities. A new document takes the first cluster of the
// nearest mean, in the feature space of the kernel where that clustering is by kernel k-means; where labels were given, it
// belongs to no cluster, as documents without a label did. Its affinities are then lowered as those of the graph were.
type Adjusted struct {
	Neighbours
	First      []int       // first cluster of each training document, -1 for none
	Means      *mat.Dense  // of the first clusters, a row each, where these are by k-means; else nil
	Similarity *mat.Dense  // of the first clusters' means; nil where no document belongs to one
	Kernel     *KernelRule // nil where the first clustering is not by kernel k-means
}

func keepAdjusted(f Fitted) Part {
	m, ok := f.Model.(*lecas.Model)
	if !ok || f.X == nil {
		return nil
	}
	p := &Adjusted{Neighbours: *newNeighbours(f, m.Graph, m.Coordinates, m.Embedding, m.Values, m.Isolated), First: m.Centroids.Labels}
	if m.Centroids.Similarity != nil {
		p.Similarity = mat.DenseCopyOf(m.Centroids.Similarity)
	}
	switch {
	case m.Choice == nil:
	case m.Choice.Kernel == nil:
		p.Means = m.Centroids.Means
	default:
		p.Kernel = newKernelRule(f.Kernel)
	}
	return p
}

// clusters are the first clusters of new rows.
func (p *Adjusted) clusters(ctx context.Context, x mat.Matrix, same []int) ([]int, error) {
	n, _ := x.Dims()
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	var err error
	switch {
	case n == 0:
	case p.Means != nil:
		of, err = (&kmeans.Model{Centers: p.Means}).Predict(ctx, x)
	case p.Kernel != nil:
		of, err = p.Kernel.predict(ctx, p.X, p.First, x)
	}
	if err != nil {
		return nil, err
	}
	for i, j := range same {
		if j >= 0 {
			of[i] = p.First[j]
		}
	}
	return of, nil
}

func (p *Adjusted) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	at, err := p.attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	if p.Similarity == nil {
		return p.extend(at.W, at.Same)
	}
	of, err := p.clusters(ctx, x, at.Same)
	if err != nil {
		return nil, err
	}
	w, err := p.centroids().Scale(at.W, of, p.First)
	if err != nil {
		return nil, err
	}
	return p.extend(w, at.Same)
}

func (p *Adjusted) centroids() *lecas.Centroids {
	k, _ := p.Similarity.Dims()
	s := mat.NewSymDense(k, nil)
	for a := range k {
		for b := range a + 1 {
			s.SetSym(a, b, p.Similarity.At(a, b))
		}
	}
	return &lecas.Centroids{Labels: p.First, Similarity: s}
}

func (p *Adjusted) fields(f *fields) {
	p.Neighbours.fields(f)
	f.ints("first_clusters", &p.First)
	f.dense("first_means", &p.Means)
	f.dense("first_similarity", &p.Similarity)
	byKernel := p.Kernel != nil
	f.setting("first_by_kernel", &byKernel)
	if byKernel {
		if p.Kernel == nil {
			p.Kernel = new(KernelRule)
		}
		f.setting("first_kernel", p.Kernel)
	}
}

func (p *Adjusted) check(m *Model) error {
	if err := p.Neighbours.check(m); err != nil {
		return err
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	k := 0
	if p.Similarity != nil {
		var c int
		if k, c = p.Similarity.Dims(); k != c {
			bad("the model's similarities of first clusters are %d × %d", k, c)
		}
		for _, v := range p.Similarity.RawMatrix().Data {
			if v < 0 || v > 1 {
				bad("the model's first clusters have the similarity %v", v)
				break
			}
		}
	}
	errs = append(errs, checkLabels("first clusters", p.First, m.Documents, -1, k))
	if p.Means != nil {
		if r, c := p.Means.Dims(); r != k || c != m.Rows.Columns {
			bad("the model has %d × %d means of %d first clusters and %d columns", r, c, k, m.Rows.Columns)
		}
	}
	if p.Kernel != nil {
		errs = append(errs, p.Kernel.check(k), checkLabels("first clusters", p.First, m.Documents, 0, k))
	}
	return invalid.Join(errs...)
}

// checkLabels refuses anything but a cluster from low to below k for each document.
func checkLabels(what string, of []int, n, low, k int) error {
	if len(of) != n {
		return invalid.Errorf("the model has %s of %d documents where it was made from %d", what, len(of), n)
	}
	for _, c := range of {
		if c < low || c >= k {
			return invalid.Errorf("the model's %s name cluster %d of %d", what, c, k)
		}
	}
	return nil
}

package lecas

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Extension places new rows in an embedding by LE-CAS: the graph as it was before it was adjusted,
// and the first clustering, which lowers affinities. A new row takes the first cluster of the
// nearest mean, in the kernel's feature space if that clustering is by kernel k-means. If labels
// were given, a new row belongs to no cluster, as rows without a label did. Its affinities are then
// lowered as the graph's weights were.
type Extension struct {
	nystrom.Extension
	First      []int      // first cluster of each training row, -1 for none
	Means      *mat.Dense // of the first clusters, one row each, if these are by k-means; else nil
	Similarity *mat.Dense // of the first clusters' means; nil if no row belongs to one
	// Kernel finds first clusters; nil if the first clustering is not by kernel k-means.
	Kernel *kernelkmeans.Predictor
}

var _ method.Placer = (*Extension)(nil)

// extension returns what places new rows beside the rows of a fit.
func (o Options) extension(in *method.Input, m *Model) *Extension {
	p := &Extension{Extension: *m.Model.Extension(in, o.LE.Graph), First: m.Centroids.Labels}
	if m.Centroids.Similarity != nil {
		p.Similarity = mat.DenseCopyOf(m.Centroids.Similarity)
	}
	switch {
	case m.Choice == nil:
	case m.Choice.Kernel == nil:
		p.Means = m.Centroids.Means
	default:
		p.Kernel = m.Choice.predictor(in.X)
	}
	return p
}

// predictor finds the first clusters of new rows. x are the rows of the clustering. Clusters are
// numbered by falling size: those that stayed empty are the last, and are left out.
func (c *Choice) predictor(x mat.Matrix) *kernelkmeans.Predictor {
	of := c.Kernel.Predictor()
	p := &kernelkmeans.Predictor{Rule: of.Rule, X: x, Labels: c.Labels, MeanLengths: of.MeanLengths[:c.Clusters]}
	p.Rule.K = c.Clusters
	return p
}

// clusters are the first clusters of new rows. same is the training row that each one equals, -1
// for none.
func (p *Extension) clusters(ctx context.Context, x mat.Matrix, same []int, obs progress.Observer) ([]int, error) {
	n, _ := x.Dims()
	of := slices.Repeat([]int{-1}, n)
	var err error
	switch {
	case n == 0:
	case p.Means != nil:
		of, err = (&kmeans.Model{Centers: p.Means}).Predict(ctx, x)
	case p.Kernel != nil:
		of, err = p.Kernel.Predict(ctx, x, obs)
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

// Place implements method.Placer.
func (p *Extension) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	at, err := p.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	if p.Similarity == nil {
		return p.PlaceBy(at)
	}
	of, err := p.clusters(ctx, x, at.Same, obs)
	if err != nil {
		return nil, err
	}
	w, err := p.centroids().Scale(at.W, of, p.First)
	if err != nil {
		return nil, err
	}
	weakened := *at
	weakened.W = w
	return p.PlaceBy(&weakened)
}

// centroids returns the centres of the first clustering, without their means.
func (p *Extension) centroids() *Centroids {
	k, _ := p.Similarity.Dims()
	s := mat.NewSymDense(k, nil)
	for a := range k {
		for b := range a + 1 {
			s.SetSym(a, b, p.Similarity.At(a, b))
		}
	}
	return &Centroids{Labels: p.First, Similarity: s}
}

// Fields implements model.Part.
func (p *Extension) Fields(f *model.Fields) {
	p.Extension.Fields(f)
	f.Ints("first_clusters", &p.First)
	f.Dense("first_means", &p.Means)
	f.Dense("first_similarity", &p.Similarity)
	byKernel := p.Kernel != nil
	f.Setting("first_by_kernel", &byKernel)
	if byKernel {
		if p.Kernel == nil {
			p.Kernel = new(kernelkmeans.Predictor)
		}
		p.Kernel.RuleFields(f, "first_")
		p.Kernel.X, p.Kernel.Labels = p.X, p.First
	}
}

// Check implements model.Part.
func (p *Extension) Check(of model.Frame) error {
	if err := p.Extension.Check(of); err != nil {
		return err
	}
	var errs invalid.Faults
	k := 0
	if p.Similarity != nil {
		var c int
		if k, c = p.Similarity.Dims(); k != c {
			errs.Addf("the model's similarities of first clusters are %d × %d", k, c)
		}
		for _, v := range p.Similarity.RawMatrix().Data {
			if v < 0 || v > 1 {
				errs.Addf("the model's first clusters have the similarity %v", v)
				break
			}
		}
	}
	errs = append(errs, of.CheckLabels("first clusters", p.First, -1, k))
	if p.Means != nil {
		if r, c := p.Means.Dims(); r != k || c != of.Columns {
			errs.Addf("the model has %d × %d means of %d first clusters and %d columns", r, c, k, of.Columns)
		}
	}
	if p.Kernel != nil {
		errs = append(errs, p.Kernel.CheckRule(k), of.CheckLabels("first clusters", p.First, 0, k))
	}
	return invalid.Join(errs...)
}

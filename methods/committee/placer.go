package committee

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Blind is the member that learns from no labels.
var Blind = diffusion.Spec.Name

// Placer is what the members keep for new documents. Parts of members that do not vote are nil.
type Placer struct {
	// Carried is label propagation's part. Its posterior and labels are the committee's, of the
	// training documents.
	Carried labelprop.Placer
	// Groups are the classes that the clusters of diffusion have, for each training document. The
	// vote of a new document is its neighbours', by their affinities.
	Groups        []int
	Discriminants *semildc.Placer
	Centers       *mat.Dense // of the classes among the discriminants
	Machines      *svm.Placer
	Regression    *logistic.Placer
}

var _ method.Placer = (*Placer)(nil)

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	at, err := p.Carried.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	out, err := p.Carried.PlaceAttached(at)
	if err != nil {
		return nil, err
	}
	sum := out.Posterior
	if p.Groups != nil {
		for i := range at.W.NumRows {
			lo, hi := at.W.RowPtr[i], at.W.RowPtr[i+1]
			vote := make([]float64, sum.RawMatrix().Cols)
			for e := lo; e < hi; e++ {
				vote[p.Groups[at.W.Col[e]]] += at.W.Val[e]
			}
			shares(vote)
			row := sum.RawRowView(i)
			for c, v := range vote {
				row[c] += v
			}
		}
	}
	for _, part := range p.parts() {
		placed, err := part.Place(ctx, x, obs)
		if err != nil {
			return nil, err
		}
		labels := placed.Labels
		if placed.Embedding != nil {
			if labels, err = (&kmeans.Model{Centers: p.Centers}).Predict(ctx, placed.Embedding); err != nil {
				return nil, err
			}
		}
		add(sum, labels, placed.Posterior)
	}
	for i := range at.W.NumRows {
		row := sum.RawRowView(i)
		if i < len(at.Same) && at.Same[i] >= 0 {
			copy(row, p.Carried.Posterior.RawRowView(at.Same[i]))
			continue
		}
		shares(row)
	}
	out.Labels = rows.Largest(sum)
	return out, nil
}

// parts are those of the members that have learnt a map of the rows.
func (p *Placer) parts() []method.Placer {
	var list []method.Placer
	if p.Discriminants != nil {
		list = append(list, p.Discriminants)
	}
	if p.Machines != nil {
		list = append(list, p.Machines)
	}
	if p.Regression != nil {
		list = append(list, p.Regression)
	}
	return list
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.OfDocuments("groups")
	f.Ints("groups", &p.Groups)
	has := [3]bool{p.Discriminants != nil, p.Machines != nil, p.Regression != nil}
	f.Setting("members", &has)
	if !f.Writing() {
		if has[0] {
			p.Discriminants = new(semildc.Placer)
		}
		if has[1] {
			p.Machines = new(svm.Placer)
		}
		if has[2] {
			p.Regression = new(logistic.Placer)
		}
	}
	f.In("label-propagation", &p.Carried)
	if has[0] {
		f.In("semi-ldc", p.Discriminants)
		f.Dense("class_centers", &p.Centers)
	}
	if has[1] {
		f.In("tsvm", p.Machines)
	}
	if has[2] {
		f.In("logistic", p.Regression)
	}
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	errs := []error{p.Carried.Check(of)}
	if p.Groups != nil {
		errs = append(errs, of.CheckLabels("classes of diffusion", p.Groups, 0, of.Clusters))
	}
	for _, part := range p.parts() {
		errs = append(errs, part.Check(of))
	}
	if d := p.Discriminants; d != nil {
		if p.Centers == nil || d.Width() == 0 {
			errs = append(errs, invalid.Errorf("the model lacks the centres of its classes"))
		} else if k, width := p.Centers.Dims(); k != of.Clusters || width != d.Width() {
			errs = append(errs, invalid.Errorf("the model has %d × %d centres of %d classes and %d discriminants", k, width, of.Clusters, d.Width()))
		}
	}
	return invalid.Join(errs...)
}

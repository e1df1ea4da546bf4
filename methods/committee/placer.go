package committee

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Blind is the member that learns from no labels.
var Blind = diffusion.Spec.Name

// Placer is what the members keep for new documents. Parts of members that do not vote are nil.
type Placer struct {
	// Weights are how much the votes of each member count, by its name.
	Weights map[string]float64
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
	Kernel        *kernelridge.Placer
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
	n, classes := out.Posterior.Dims()
	if n == 0 {
		return out, nil
	}
	votes := map[string]*mat.Dense{carrier: out.Posterior}
	if p.Groups != nil {
		v := mat.NewDense(n, classes, nil)
		for i := range n {
			row := v.RawRowView(i)
			for e := at.W.RowPtr[i]; e < at.W.RowPtr[i+1]; e++ {
				row[p.Groups[at.W.Col[e]]] += at.W.Val[e]
			}
			scale(row)
		}
		votes[Blind] = v
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
		if votes[part.name] = placed.Posterior; placed.Posterior == nil {
			v := mat.NewDense(n, classes, nil)
			for i, k := range labels {
				v.Set(i, k, 1)
			}
			votes[part.name] = v
		}
	}
	out.Posterior, out.Labels = Count(votes, p.Weights)
	for i, j := range at.Same {
		if j >= 0 {
			copy(out.Posterior.RawRowView(i), p.Carried.Posterior.RawRowView(j))
			out.Labels[i] = p.Carried.Labels[j]
		}
	}
	return out, nil
}

// part is what a member that has learnt a map of the rows places new ones by.
type part struct {
	name string
	method.Placer
}

// parts are those of the members that have learnt a map of the rows, in one order.
func (p *Placer) parts() (list []part) {
	if p.Discriminants != nil {
		list = append(list, part{semildc.Spec.Name, p.Discriminants})
	}
	if p.Machines != nil {
		list = append(list, part{tsvm.Spec.Name, p.Machines})
	}
	if p.Regression != nil {
		list = append(list, part{logistic.Spec.Name, p.Regression})
	}
	if p.Kernel != nil {
		list = append(list, part{kernelridge.Spec.Name, p.Kernel})
	}
	return list
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Setting("weights", &p.Weights)
	f.OfDocuments("groups")
	f.Ints("groups", &p.Groups)
	f.In(carrier, &p.Carried)
	if p.Weights[semildc.Spec.Name] > 0 {
		if p.Discriminants == nil {
			p.Discriminants = new(semildc.Placer)
		}
		f.In(semildc.Spec.Name, p.Discriminants)
		f.Dense("class_centers", &p.Centers)
	}
	if p.Weights[tsvm.Spec.Name] > 0 {
		if p.Machines == nil {
			p.Machines = new(svm.Placer)
		}
		f.In(tsvm.Spec.Name, p.Machines)
	}
	if p.Weights[logistic.Spec.Name] > 0 {
		if p.Regression == nil {
			p.Regression = new(logistic.Placer)
		}
		f.In(logistic.Spec.Name, p.Regression)
	}
	if p.Weights[kernelridge.Spec.Name] > 0 {
		if p.Kernel == nil {
			p.Kernel = new(kernelridge.Placer)
		}
		f.In(kernelridge.Spec.Name, p.Kernel)
	}
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	errs := []error{p.Carried.Check(of)}
	for _, name := range slices.Sorted(maps.Keys(p.Weights)) {
		if w := p.Weights[name]; !(w > 0) || math.IsInf(w, 1) || !slices.Contains(Names(), name) {
			errs = append(errs, invalid.Errorf("the model has votes of the weight %v of %q", w, words.Clip(name, 60)))
		}
	}
	if p.Weights[carrier] == 0 || (p.Groups != nil) != (p.Weights[Blind] > 0) {
		errs = append(errs, invalid.Errorf("the model lacks what its members vote by"))
	}
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

package model

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// KernelRule is a kernel and the number of clusters found with it. The clusters' means lie in the kernel's feature space, so that
// the training rows and their clusters stand for them.
type KernelRule struct {
	K      int                 `json:"k"`
	Kernel kernelkmeans.Kernel `json:"kernel"`
	Width  float64             `json:"width,omitempty"`
	Degree int                 `json:"degree,omitempty"`
	Offset *float64            `json:"offset,omitempty"`
	Shift  float64             `json:"shift,omitempty"`
}

func newKernelRule(o kernelkmeans.Options) *KernelRule {
	return &KernelRule{o.K, o.Kernel, o.Width, o.Degree, o.Offset, o.Shift}
}

func (r *KernelRule) options() kernelkmeans.Options {
	return kernelkmeans.Options{K: r.K, Kernel: r.Kernel, Width: r.Width, Degree: r.Degree, Offset: r.Offset, Shift: r.Shift}
}

// predict returns the cluster of the nearest mean in feature space of every row of x. The lengths of the means come from the kernel among the training rows, which is
// computed again: n²·d flops.
func (r *KernelRule) predict(ctx context.Context, training mat.Matrix, of []int, x mat.Matrix) ([]int, error) {
	opt := r.options()
	opt.StartLabels, opt.MaxIter = of, 1
	m, err := kernelkmeans.Fit(ctx, training, opt)
	if err != nil {
		return nil, err
	}
	found, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	// The fit numbers its clusters anew; equal sizes, or a run that had been stopped, may give them another order.
	now := make([]int, r.K)
	for i := len(of) - 1; i >= 0; i-- {
		now[m.Labels[i]] = of[i]
	}
	for i, c := range found {
		found[i] = now[c]
	}
	return found, nil
}

func (r *KernelRule) check(k int) error {
	opt := r.options()
	opt.K = max(opt.K, 1)
	errs := []error{opt.Validate()}
	if r.K != k {
		errs = append(errs, invalid.Errorf("the model has a kernel of %d clusters where it has %d", r.K, k))
	}
	if r.Kernel == kernelkmeans.Precomputed {
		errs = append(errs, invalid.Errorf("the model's kernel is none of its rows"))
	}
	return invalid.Join(errs...)
}

// Kernel is what kernel k-means keeps: the training rows, their clusters and the kernel. A new document goes to the nearest mean in feature space, one that equals
// a training document to that one's cluster.
type Kernel struct {
	X    mat.Matrix
	Of   []int // cluster of each training row
	Rule KernelRule
}

func keepKernel(f Fitted) Part {
	m, ok := f.Model.(*kernelkmeans.Model)
	if !ok || f.X == nil {
		return nil
	}
	return &Kernel{f.X, m.Labels, *newKernelRule(f.Kernel)}
}

func (*Kernel) width() int { return 0 }

func (p *Kernel) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	if n, _ := x.Dims(); n == 0 {
		return new(placement), nil
	}
	found, err := p.Rule.predict(ctx, p.X, p.Of, x)
	if err != nil {
		return nil, err
	}
	same, err := equals(ctx, x, p.X, obs)
	if err != nil {
		return nil, err
	}
	out := &placement{labels: found, isolated: withoutEntries(x)}
	for i, j := range same {
		if j < 0 {
			continue
		}
		found[i] = p.Of[j]
		if _, none := slices.BinarySearch(out.isolated, i); !none {
			out.known++
		}
	}
	return out, nil
}

// equals returns for each row of x the lowest row of training that equals it, -1 for none.
func equals(ctx context.Context, x, training mat.Matrix, obs progress.Observer) ([]int, error) {
	near, err := graph.NearestAmong(ctx, x, training, 1, obs)
	if err != nil {
		return nil, err
	}
	same := slices.Repeat([]int{-1}, near.N)
	for i := range same {
		if index, dist2, _ := near.Row(i); dist2[0] == 0 {
			same[i] = int(index[0])
		}
	}
	return same, nil
}

func (p *Kernel) fields(f *fields) {
	f.rows("training", &p.X)
	f.ints("clusters", &p.Of)
	f.setting("kernel", &p.Rule)
}

func (p *Kernel) check(m *Model) error {
	if m.Clusters == nil {
		return invalid.Errorf("the model lacks its clusters")
	}
	k := len(m.Clusters.Sizes)
	return invalid.Join(checkTraining(p.X, m), checkLabels("clusters", p.Of, m.Documents, 0, k), p.Rule.check(k))
}

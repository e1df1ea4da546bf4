package lecas

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// firstKernel is the kernel of a first clustering and the number of its clusters. The clusters' means
// lie in the kernel's feature space, so the training rows and their clusters define them.
type firstKernel struct {
	K      int                 `json:"k"`
	Kernel kernelkmeans.Kernel `json:"kernel"`
	Width  float64             `json:"width,omitempty"`
	Degree int                 `json:"degree,omitempty"`
	Offset *float64            `json:"offset,omitempty"`
	Shift  float64             `json:"shift,omitempty"`
}

func newFirstKernel(s Search, c *Choice) *firstKernel {
	k := s.kernelOptions()
	return &firstKernel{K: c.Clusters, Kernel: k.Kernel, Width: c.Kernel.Width, Degree: k.Degree, Offset: k.Offset, Shift: k.Shift}
}

// Fields names what is kept.
func (r *firstKernel) Fields(f *model.Fields) { f.Setting("first_kernel", r) }

func (r *firstKernel) options() kernelkmeans.Options {
	return kernelkmeans.Options{K: r.K, Kernel: r.Kernel, Width: r.Width, Degree: r.Degree, Offset: r.Offset, Shift: r.Shift}
}

// predict returns the cluster of the nearest mean in feature space of every row of x. of are the
// clusters of the training rows.
func (r *firstKernel) predict(ctx context.Context, training mat.Matrix, of []int, x mat.Matrix) ([]int, error) {
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
	// The fit numbers its clusters anew; equal sizes may give them another order.
	now := make([]int, r.K)
	for i := len(of) - 1; i >= 0; i-- {
		now[m.Labels[i]] = of[i]
	}
	for i, c := range found {
		found[i] = now[c]
	}
	return found, nil
}

func (r *firstKernel) check(k int) error {
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

package kernelkmeans

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Spec is kernel k-means as a method.
var Spec = method.Spec{
	Name:    "kernel-kmeans",
	Grows:   "n²",
	Summary: "k-means in the feature space of a kernel, or of an affinity matrix",
	About: "Minimises Σ_i ‖φ(x_i) − mean of its cluster‖² for the feature map φ of a kernel κ(x, y) = φ(x)·φ(y),\n" +
		"by Lloyd's iteration: the distances to the means are sums of the kernel and never need φ. The\n" +
		"Gaussian kernel is exp(-d²/σ), the polynomial one (offset + x·y)^degree. An affinity matrix that is\n" +
		"given is the kernel itself, and may have negative entries.",
	Reference: "Dhillon, Guan and Kulis 2004, KDD; Schölkopf, Smola and Müller 1998, Neural Computation 10",
	Cost: "n²·(entries per document) for the kernel, kept in 8·n² bytes up to 1 GiB and computed again above;\n" +
		"then n² per move of the means",
	Needs:  method.Needs{Affinity: true, Kernel: true},
	Yields: method.Yields{Clusters: true, Confidence: "1 - d1/d2: d1 is the distance in feature space to the mean of the document's cluster, d2 to the nearest other mean, at least 0"},
	Whole:  "it looks at the kernel of every two documents in every move of the means",
	New:    func() method.Options { return new(Options) },
	Placer: func() method.Placer { return new(Predictor) },
}

// Fit implements method.Options. The kernel of a given affinity graph is Input.Counts if there
// are no rows, since a graph has no diagonal; without Counts it is the graph's matrix.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	if err := used.checkGiven(in); err != nil {
		return nil, err
	}
	defer in.Stage("kmeans")()
	opt, x := used.withDefaults(), in.X
	if in.Graph != nil {
		x, opt.Kernel = affinity(in), Precomputed
	}
	opt.Seed, opt.Observer = in.Seed, in.Observer
	out := &method.Fitted{Graph: in.Graph, Used: &used}
	m, err := Fit(ctx, x, opt)
	if m == nil {
		return out, err
	}
	out.Model = m
	rule := m.Predictor().Rule
	if rule.Kernel == Gaussian {
		used.Width = m.Width
	}
	if rule.Kernel != Precomputed {
		out.Placer = m.Predictor()
	}
	out.Clusters = &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Certainty: m.sure, By: "kernel k-means",
		How: fmt.Sprintf("%s, %s, best of %s, objective %.6g after %s, silhouette in feature space %.3f", words.Counted(len(m.Sizes), "cluster"), rule,
			words.Counted(opt.Restarts, "start"), m.Objective, words.Counted(m.Iterations, "move"), m.Silhouette)}
	out.Facts = []method.Fact{
		method.Found("kernel", string(rule.Kernel)), method.Found("iterations", m.Iterations), method.Found("converged", m.Converged),
		method.Found("silhouette", m.Silhouette), method.Found("kernel_rows", string(m.Storage)), method.Found("kernel_bytes", m.KernelBytes),
	}
	if m.Width > 0 {
		out.Facts = append(out.Facts, method.Found("sigma", m.Width))
	}
	if !m.Converged && !m.Indefinite {
		in.Observer.Advisef(progress.Convergence, "", "kmeans-iter=*4", "Documents still changed their clusters after %s: a larger ‹kmeans-iter› goes on.", words.Counted(m.Iterations, "move"))
	}
	return out, err
}

// checkGiven refuses parameters of a kernel beside a given affinity, which is the kernel, and a
// matrix whose diagonal shows that it is none.
func (o *Options) checkGiven(in *method.Input) error {
	if in.Graph == nil {
		return nil
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"kernel", o.Kernel != "" && o.Kernel != Gaussian && o.Kernel != Precomputed},
		{"sigma", o.Width > 0}, {"poly-degree", o.Degree > 0}, {"poly-offset", o.Offset != nil},
	} {
		if f.set {
			return invalid.Errorf("%s has no effect beside a given affinity matrix, which is the kernel: leave it out", words.Option(f.name))
		}
	}
	k := affinity(in)
	rounding := 0.0
	for i := range in.Len() {
		rounding = max(rounding, 1e-12*math.Abs(k.At(i, i)))
	}
	for i := range in.Len() {
		if v := k.At(i, i); v+o.Shift < -rounding {
			return invalid.At(i, -1, "the kernel of {} with itself is %g, so the matrix is not positive semidefinite and no kernel: correct it, or give a ‹kernel-shift› of at least %g", v, -v)
		}
	}
	return nil
}

// affinity is the kernel matrix that was given, with its diagonal if that is known.
func affinity(in *method.Input) mat.Matrix {
	if in.X == nil && in.Counts != nil {
		return in.Counts
	}
	return in.Graph.W
}

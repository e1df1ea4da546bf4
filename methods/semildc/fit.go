package semildc

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Fit clusters n documents into the classes of their labels: known is the class of each, 0 to
// classes−1, or labels.Unknown; every class occurs.
//
// counts, n×p, are term counts, finite and not negative; x, n×d, are the rows that are reduced and
// clustered: the same documents in any weighting or any other features. If x is nil, they are the
// counts scaled to unit length. counts may be nil if the soft labels are not PLSA. Sparse matrices
// stay sparse; neither is written.
//
// See the package comment for the cost. The stages take their memory one after the other; the
// principal components, 8·k·(n + d) bytes twice and 16·q·(q + k) for LAPACK, are freed after they
// are multiplied with the discriminants.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, labels as in labels.Check,
// shapes that do not match, and errors of the stages, which name the stage; the context's; a stage
// that did not converge.
func Fit(ctx context.Context, counts, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	return fit(ctx, new(method.Input), counts, x, known, classes, opt)
}

// fit is Fit. Fits of the same rows that share an input reduce them once.
func fit(ctx context.Context, in *method.Input, counts, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	n, err := documents(counts, x, opt)
	if err != nil {
		return nil, err
	}
	of, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit); err != nil {
		return nil, err
	}
	if opt.Discriminant == Kernel { // before soft labels take their time
		if err := needKernel(ctx, n); err != nil {
			return nil, err
		}
	}
	if opt.Priors != nil && len(opt.Priors) != classes {
		return nil, invalid.Errorf("there are priors of %d classes, but %d classes: give one for each, or none", len(opt.Priors), classes)
	}
	given := opt
	opt = opt.withDefaults()
	m := &Model{}
	if x == nil {
		m.UnitRows = true
		if x, err = unitRows(counts); err != nil {
			return nil, err
		}
	}
	_, d := x.Dims()
	if why := given.unreduced(n, d); why != "" {
		opt.Reduction, opt.Components = Raw, method.Amount{}
		opt.Observer.Notef(Stage, "The documents are not reduced first: %s, and the discriminants hardly change. Give a share of variance or a number of components to reduce them.", why)
	}
	m.Options = opt
	if err := m.soften(ctx, counts, x, known, of); err != nil {
		return nil, fmt.Errorf("soft labels: %w", err)
	}
	if opt.Discriminant == Kernel {
		err = m.kernelDiscriminate(ctx, x)
	} else {
		err = m.reduceAndDiscriminate(ctx, in, x)
	}
	if err != nil {
		return nil, err
	}
	if err := m.cluster(ctx, known, classes); err != nil {
		return nil, fmt.Errorf("clusters: %w", err)
	}
	return m, nil
}

// documents returns their number, and refuses missing matrices and matrices of different documents.
func documents(counts, x mat.Matrix, opt Options) (int, error) {
	switch {
	case counts == nil && x == nil:
		return 0, invalid.Errorf("there is no matrix to cluster")
	case counts == nil && (opt.SoftLabels == "" || opt.SoftLabels == PLSA):
		return 0, invalid.Errorf("constrained PLSA needs the term counts: give them, or choose the soft labels %q or %q", string(Propagation), string(Hard))
	case counts == nil:
		n, _ := x.Dims()
		return n, nil
	}
	n, _ := counts.Dims()
	if x != nil {
		if rows, _ := x.Dims(); rows != n {
			return 0, invalid.Errorf("there are term counts of %d documents, but %d rows to cluster", n, rows)
		}
	}
	return n, nil
}

// unitRows scales the rows of counts to unit length. Empty documents keep a row of zeros.
func unitRows(counts mat.Matrix) (*sparse.CSR, error) {
	if a, ok := counts.(*sparse.CSR); ok {
		return a.NormalizeRows(), nil
	}
	a, err := sparse.FromMatrix(counts)
	if err != nil {
		return nil, err
	}
	return a.NormalizeRows(), nil
}

// soften finds the soft labels (line 2 of algorithm 2).
func (m *Model) soften(ctx context.Context, counts, x mat.Matrix, known []int, of [][]int32) error {
	n, k := len(known), len(of)
	opt := m.Options
	var by string
	switch opt.SoftLabels {
	case Hard:
		m.Soft = mat.NewDense(n, k, nil)
		labelled := 0
		for i, c := range known {
			if c != labels.Unknown {
				m.Soft.Set(i, c, 1)
				labelled++
			}
		}
		opt.Observer.Detailf(Stage, "Soft labels: the %d labelled documents of %d alone.", labelled, n)
		return nil
	case Propagation:
		p, err := labelprop.Fit(ctx, x, known, k, opt.Propagation)
		if err != nil {
			return err
		}
		m.Soft, m.Propagated = p.Posterior, p
		by = fmt.Sprintf("label propagation, %d products", p.Iterations)
	default:
		if !opt.KeepLengths {
			var err error
			if counts, err = BoundLengths(counts, LengthBound); err != nil {
				return err
			}
		}
		p, err := plsa.Fit(ctx, counts, opt.plsa(k, known))
		if err != nil {
			return err
		}
		m.Soft, m.Topics = p.Posterior, p
		by = fmt.Sprintf("constrained PLSA, %d steps", p.Iterations)
	}
	if opt.Priors != nil {
		m.Soft = balanced(m.Soft, known, opt.Priors)
	}
	sure, free := 0, 0
	for i, c := range known {
		if c == labels.Unknown {
			free++
			if best, share := top(m.Soft.RawRowView(i)); best >= 0 && share > 0.9 {
				sure++
			}
		}
	}
	opt.Observer.Notef(Stage, "Soft labels by %s: %d of %d unlabelled documents %s a class with more than 0.9.", by, sure, free, words.Verb(sure, "has", "have"))
	return nil
}

// top returns the class with the largest weight, the lower class on a tie, and its weight.
func top(q []float64) (class int, weight float64) {
	class = -1
	for c, v := range q {
		if class < 0 || v > weight {
			class, weight = c, v
		}
	}
	return class, weight
}

// reduceAndDiscriminate finds linear directions and projects all documents (lines 3 to 9).
func (m *Model) reduceAndDiscriminate(ctx context.Context, in *method.Input, x mat.Matrix) error {
	o := m.Options
	key := []any{o.Reduction, o.Components, o.Seed}
	r, err := method.Common(in, "reduced rows", x, key, func() (*reduced, error) { return reduce(ctx, x, o) })
	if err != nil {
		return fmt.Errorf("reduction: %w", err)
	}
	m.Dims, m.Explained = r.dims, r.explained
	a, err := softlda.Fit(ctx, r.rows, m.Soft, m.Options.LDA)
	if err != nil {
		return fmt.Errorf("discriminants: %w", err)
	}
	m.Lambda, m.Mu = a.Values, a.Mu
	m.Projection, m.Mean, m.Offset = r.compose(a)
	// Not a.Embedding: the placer projects training documents as it does new ones, so that the
	// coordinates agree bit for bit.
	if m.Embedding, err = m.Placer().Project(ctx, x); err != nil {
		return fmt.Errorf("discriminants: %w", err)
	}
	m.noteDirections()
	return nil
}

// needKernel asks for the memory of the kernel form of n documents.
func needKernel(ctx context.Context, n int) error {
	return memory.Need(ctx, kernelBytes(n), "give ‹discriminant› linear, or fewer documents", "‹discriminant› kernel with the kernel of %s", words.Counted(n, "document"))
}

// kernelDiscriminate finds directions in the feature space of the kernel (eq. 15 to 18).
func (m *Model) kernelDiscriminate(ctx context.Context, x mat.Matrix) error {
	n, d := x.Dims()
	if err := needKernel(ctx, n); err != nil { // beside the soft labels
		return err
	}
	k, sigma, err := kernelMatrix(ctx, x, m.Options.Sigma)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	a, err := softlda.FitKernel(ctx, k, m.Soft, m.Options.LDA)
	if err != nil {
		return fmt.Errorf("discriminants: %w", err)
	}
	m.Options.Sigma, m.Dims, m.Explained = sigma, d, 1
	m.Lambda, m.Mu, m.Embedding = a.Values, a.Mu, a.Embedding
	m.Projection, m.Offset, m.Training = a.Coefficients, a.Offset, x
	m.noteDirections()
	return nil
}

func (m *Model) noteDirections() {
	values := make([]string, len(m.Lambda))
	for j, v := range m.Lambda {
		values[j] = fmt.Sprintf("%.3g", v)
	}
	m.Options.Observer.Detailf(Stage, "Soft discriminants: %d directions of %d dimensions, λ = %s.", len(values), m.Dims, strings.Join(values, ", "))
}

// cluster is line 10.
func (m *Model) cluster(ctx context.Context, known []int, classes int) error {
	c, err := ckmeans.Fit(ctx, m.Embedding, known, classes, m.Options.clusters())
	if err != nil {
		return err
	}
	m.Clusters, m.Labels = c, c.Labels
	if m.Options.Priors != nil {
		if err := m.prefer(ctx, known, m.Options.Priors); err != nil {
			return err
		}
	}
	rule := strings.ToUpper(string(m.Options.Rule[:1])) + string(m.Options.Rule[1:])
	if m.Options.SoftLabels == Hard {
		m.Options.Observer.Detailf(Stage, "%s k-means: %s.", rule, words.Counted(c.Iterations, "move"))
		return nil
	}
	agree, free := 0, 0
	for i, k := range m.Labels {
		if known[i] == labels.Unknown {
			free++
			if best, weight := top(m.Soft.RawRowView(i)); best == k && weight > 0 {
				agree++
			}
		}
	}
	m.Options.Observer.Notef(Stage, "%s k-means: %s; %d of %d unlabelled documents %s in the class of %s soft label.", rule, words.Counted(c.Iterations, "move"), agree, free, words.Verb(agree, "is", "are"), words.Verb(agree, "its", "their"))
	return nil
}

package labelprop

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
	"gonum.org/v1/gonum/mat"
)

// Model are scores, posteriors and labels of all documents of a graph.
type Model struct {
	// F is n×classes, the solution of the form's equation without the novel class; 0 in components
	// without a label. Its error is at most Residual/(1−α), so zeros may be slightly negative.
	F *mat.Dense
	// Posterior is n×classes, not negative, rows sum to 1: the rows of F as shares (after
	// Options.ClassMass), Prior for unreached documents.
	Posterior *mat.Dense
	// Labels are the classes of the largest posterior, the lower one on a tie; a given label may
	// change in Zhou's form and if AlphaLabeled > 0.
	Labels []int
	// Novel is the score of the novel class by document, in [0, 1]: Nie's form only, else nil. A
	// document for which it exceeds the row of F is nearer to none of the classes.
	Novel []float64
	// Unreached documents, ascending: in components without a label, or with a row of F of sum below
	// 100·Tol/(1−α), whose shares are not known.
	Unreached []int
	// Prior shares of the classes, of sum 1.
	Prior []float64
	// ClassMasses are the sums of F over reached documents without a label, nil without
	// Options.ClassMass. With Options.Counted they are drawn by two thirds to the masses by which as
	// many of these documents are in each class as Prior says.
	ClassMasses []float64
	// Residual is the largest entry of F − I_α P F − I_β Y (Zhou: F − αSF − (1−α)Y), computed with the
	// graph's weights from the final F.
	Residual float64
	// Iterations are products with the graph.
	Iterations int
	// Graph is the graph of the documents. If ranks share it, the rows above are of this rank's
	// documents, and the numbers count all ranks' documents.
	Graph   *graph.Graph
	Options Options // with defaults filled in
}

// priorOf returns the shares of the classes: as given, or their shares of the labels.
func priorOf(given []float64, of [][]int32) []float64 {
	prior := make([]float64, len(of))
	for k := range prior {
		prior[k] = float64(len(of[k]))
		if given != nil {
			prior[k] = given[k]
		}
	}
	sum := 0.0
	for _, v := range prior {
		sum += v
	}
	for k := range prior {
		prior[k] /= sum
	}
	return prior
}

// finish sets what follows from F: posteriors, labels, the novel class, the unreached.
func (m *Model) finish(known []int, reached []bool) {
	n, k := m.F.Dims()
	opt := m.Options
	// The error of F is at most Residual times the largest row sum of the inverse, 1/(1−α): rows of a
	// hundred times that have shares with an error of at most a hundredth.
	floor := 100 * max(opt.Tol, m.Residual)
	if opt.alpha(false) < 1 {
		floor /= 1 - max(opt.Alpha, opt.AlphaLabeled)
	}
	m.Posterior = mat.NewDense(n, k, nil)
	if opt.Form == Nie {
		m.Novel = make([]float64, n)
	}
	if opt.ClassMass {
		m.ClassMasses = make([]float64, k)
	}
	for i := range n {
		f, p := m.F.RawRowView(i), m.Posterior.RawRowView(i)
		sum := 0.0
		for j, v := range f {
			p[j] = max(0, v)
			sum += p[j]
		}
		if m.Novel != nil {
			m.Novel[i] = min(1, max(0, 1-sum))
		}
		if known[i] != labels.Unknown && opt.alpha(true) == 0 { // exactly the label
			continue
		}
		if !reached[i] || !(sum > floor) {
			m.Unreached = append(m.Unreached, i)
			copy(p, m.Prior)
			continue
		}
		for j := range m.ClassMasses {
			if known[i] == labels.Unknown {
				m.ClassMasses[j] += p[j]
			}
		}
		share(p)
	}
	m.Graph.Share.Sum(m.ClassMasses)
	m.countClasses(known)
	unreached := m.Unreached
	for i := range n {
		p := m.Posterior.RawRowView(i)
		switch {
		case len(unreached) > 0 && unreached[0] == i:
			unreached = unreached[1:]
		case known[i] == labels.Unknown:
			scaleMasses(p, m.ClassMasses, m.Prior)
		}
	}
	m.Labels = rows.Largest(m.Posterior)
}

// numbers is the weight of the numbers of documents under Options.Counted, beside the masses.
const numbers = 2.0 / 3

// countClasses sets the masses of Options.Counted. The factor of a class, prior / mass, is then the
// weighted geometric mean of that of the masses and of the one by which the classes have as many
// documents without a label as their priors say.
func (m *Model) countClasses(known []int) {
	if m.ClassMasses == nil || !m.Options.Counted {
		return
	}
	var open []float64
	unreached := m.Unreached
	for i, k := range known {
		if len(unreached) > 0 && unreached[0] == i {
			unreached = unreached[1:]
		} else if k == labels.Unknown {
			open = append(open, m.Posterior.RawRowView(i)...)
		}
	}
	for c, factor := range shares.Match(ranks.GatherFloats(m.Graph.Share, open), m.Prior) {
		if mass := m.ClassMasses[c]; mass > 0 && m.Prior[c] > 0 {
			m.ClassMasses[c] = m.Prior[c] / (math.Pow(factor, numbers) * math.Pow(m.Prior[c]/mass, 1-numbers))
		}
	}
}

// scaleMasses makes shares p proportional to p_c·prior_c / masses_c (Zhu et al. 2003, eq. 9);
// without masses it does nothing. Shares in classes of prior 0 only stay as they are.
func scaleMasses(p, masses, prior []float64) {
	scaled := func(j int) float64 {
		if masses[j] > 0 {
			return p[j] / masses[j] * prior[j]
		}
		return 0
	}
	sum := 0.0
	for j := range masses {
		sum += scaled(j)
	}
	if !(sum > 0) {
		return
	}
	for j := range masses {
		p[j] = scaled(j) / sum
	}
}

// share divides by the sum.
func share(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for j := range p {
		p[j] /= sum
	}
}

package comparing

import (
	"cmp"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// summarize takes means, compares the runs with each other and aligns their clusters.
func (c *Comparison) summarize(methods []string, configs map[string]map[string]any) error {
	n := len(c.Runs)
	pairs := make([][]*Agreement, n)
	for i := range pairs {
		pairs[i] = make([]*Agreement, n)
	}
	for i, a := range c.Runs {
		for j, b := range c.Runs[:i] {
			if a.Labels == nil || b.Labels == nil {
				continue
			}
			agreed, err := agreement(a.Labels, b.Labels)
			if err != nil {
				return err
			}
			pairs[i][j], pairs[j][i] = agreed, agreed
		}
	}
	if err := c.scoreUnlabeled(); err != nil {
		return err
	}
	for _, name := range methods {
		c.Methods = append(c.Methods, c.meanOf(name, configs[name]))
	}
	if c.HasUnlabeled() {
		slices.SortStableFunc(c.Methods, func(a, b Method) int {
			return cmp.Or(cmp.Compare(rankOf(b), rankOf(a)), cmp.Compare(b.Unlabeled["nmi"].Mean, a.Unlabeled["nmi"].Mean))
		})
		methods = namesOf(c.Methods)
	}
	if c.heldOut != nil {
		place := func(m Method) int { // without a verdict last
			at := slices.Index(c.ranked, m.Method)
			return cmp.Or(at+1, len(c.Methods)+1)
		}
		slices.SortStableFunc(c.Methods, func(a, b Method) int { return cmp.Compare(place(a), place(b)) })
		methods = namesOf(c.Methods)
	}
	c.Between = make([][]*Agreement, len(methods))
	for a := range methods {
		c.Between[a] = make([]*Agreement, len(methods))
		for b := range methods {
			c.Between[a][b] = c.meanAgreement(pairs, methods[a], methods[b])
		}
		c.Methods[a].Seeds = c.Between[a][a]
	}
	return c.align(pairs)
}

// namesOf are the names of the methods, in their order.
func namesOf(list []Method) []string {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.Method
	}
	return names
}

// rankOf is what the methods are ranked by: the accuracy over the documents without a known label.
func rankOf(m Method) float64 {
	if v, ok := m.Unlabeled["accuracy"]; ok {
		return v.Mean
	}
	return -1
}

// scoreUnlabeled scores every run over the documents that had no known label in any run of its
// seed.
func (c *Comparison) scoreUnlabeled() error {
	for _, seed := range c.Seeds {
		known := make([]bool, c.Documents)
		some := false
		for _, r := range c.Runs {
			if r.Seed != seed || len(r.known) != c.Documents {
				continue
			}
			some = true
			for i, k := range r.known {
				known[i] = known[i] || k >= 0
			}
		}
		for i := range c.Runs {
			if r := &c.Runs[i]; some && r.Seed == seed && r.Labels != nil && c.corpus.Labels != nil {
				if err := r.scoreOthers(c.corpus, known); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// scoreOthers sets Unlabeled: the scores over the documents with a true label that is not known.
func (r *Run) scoreOthers(of *corpus.Corpus, known []bool) error {
	truth := slices.Clone(of.Labels)
	for i := range truth {
		if known[i] || r.Labels[i] == result.Rejected {
			truth[i] = labels.Unknown
		}
	}
	if !slices.ContainsFunc(truth, func(k int) bool { return k >= 0 }) {
		return nil
	}
	t, err := metrics.NewTable(truth, r.Labels)
	if err == nil {
		r.Unlabeled = result.ScoresAs(t, r.classes, of.ClassNames, r.knownNames)
	}
	return err
}

// meanOf are the means of a method's runs.
func (c *Comparison) meanOf(name string, config map[string]any) Method {
	m := Method{Method: name, Config: config, HeldOut: c.heldOut[name]}
	var clusters, seconds []float64
	scores, others := map[string][]float64{}, map[string][]float64{}
	for _, r := range c.Runs {
		switch {
		case r.Method != name:
			continue
		case r.Failed != "":
			m.Failed++
			continue
		}
		m.Runs++
		m.Peak = max(m.Peak, r.Peak)
		clusters, seconds = append(clusters, float64(r.Clusters)), append(seconds, r.Seconds)
		for _, s := range scoreValues(r.Metrics) {
			scores[s.name] = append(scores[s.name], s.value)
		}
		for _, s := range scoreValues(r.Unlabeled) {
			others[s.name] = append(others[s.name], s.value)
		}
	}
	m.Clusters, m.Seconds = meanOf(clusters), meanOf(seconds)
	m.Metrics, m.Unlabeled = meansOf(scores), meansOf(others)
	return m
}

// meansOf are the means of scores by their names; nil of none.
func meansOf(scores map[string][]float64) map[string]MeanOf {
	if len(scores) == 0 {
		return nil
	}
	means := make(map[string]MeanOf, len(scores))
	for name, values := range scores {
		means[name] = meanOf(values)
	}
	return means
}

func meanOf(values []float64) MeanOf {
	if len(values) == 0 {
		return MeanOf{}
	}
	mean, stderr := choosek.MeanError(values)
	return MeanOf{mean, stderr}
}

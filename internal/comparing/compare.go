// Package comparing runs several methods over one corpus and compares what they find.
package comparing

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// MeanOf is a mean over the runs of a method with its standard error, 0 for one run.
type MeanOf struct {
	Mean  float64 `json:"mean"`
	Error float64 `json:"error"`
}

// CompareRun is one run of a comparison.
type CompareRun struct {
	Method   string          `json:"method"`
	Seed     uint64          `json:"seed"`
	Clusters int             `json:"clusters"`
	Metrics  *metrics.Scores `json:"metrics,omitempty"`
	// Unlabeled are the scores over the documents without a known label, if any run of the same
	// seed had known labels: the same documents in all runs of a seed, also of methods that use no
	// labels.
	Unlabeled *metrics.Scores `json:"metrics_unlabeled,omitempty"`
	Seconds   float64         `json:"seconds"`
	// Peak is the most memory that the process held during the run, in bytes, corpus included; 0 if
	// the system does not say.
	Peak int64 `json:"peak_bytes,omitempty"`
	// Labels has the cluster of each document. Each cluster has the number of the cluster of the
	// reference run with which it shares most documents, one to one.
	Labels     []int    `json:"-"`
	known      []int    // known labels, -1 for none; nil if the method had none
	knownNames []string // the classes of these
	classes    []string // Run.Classes
	// Failed is why the run has no result.
	Failed string   `json:"failed,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// CompareMethod is what the runs of one method have in common.
type CompareMethod struct {
	Method   string            `json:"method"`
	Runs     int               `json:"runs"` // that have a result
	Failed   int               `json:"failed,omitempty"`
	Clusters MeanOf            `json:"clusters"`
	Metrics  map[string]MeanOf `json:"metrics,omitempty"` // by the names of ScoreFacts
	// Unlabeled are the scores over the documents without a known label; the methods are then in
	// the order of their accuracy there, the best first.
	Unlabeled map[string]MeanOf `json:"metrics_unlabeled,omitempty"`
	Seconds   MeanOf            `json:"seconds"`
	Peak      int64             `json:"peak_bytes,omitempty"` // the largest of the runs
	// Seeds is how well the clusters of two seeds agree on average; nil for fewer than two runs.
	Seeds  *Agreement     `json:"seeds,omitempty"`
	Config map[string]any `json:"config,omitempty"` // of the first run
}

// Agreement of two clusterings, averaged over pairs of runs.
type Agreement struct {
	NMI float64 `json:"nmi"`
	ARI float64 `json:"ari"`
}

// Comparison is the result of [Compare].
type Comparison struct {
	File      string          `json:"file"`
	Documents int             `json:"documents"`
	Seeds     []uint64        `json:"seeds"`
	Methods   []CompareMethod `json:"methods"`
	// Between[a][b] is how well the clusters of methods a and b agree, averaged over all pairs of
	// their runs; a method with itself: over all pairs of different seeds. nil: there is no such
	// pair.
	Between [][]*Agreement `json:"between"`
	Runs    []CompareRun   `json:"runs"`
	// Reference is the run whose numbers of clusters the others take: the one that agrees best with
	// all others. -1 if no run has a result.
	Reference int          `json:"reference"`
	Stopped   bool         `json:"stopped,omitempty"` // not all runs were made
	Versions  version.Info `json:"versions"`

	corpus   *corpus.Corpus
	rawTexts bool // texts in CSV files are not escaped for spreadsheets
}

// Compare runs several methods over one corpus with several seeds each. Every run gets
// the options for which its method has a use; an option for which no method has a use is refused.
// The corpus is read once.
//
// Runs go on after one that fails: its CompareRun says why. If the context ends, Compare returns
// what was finished beside the error. Errors: as of [Cluster].
func Compare(ctx context.Context, file string, opt request.Options, c request.CompareOptions) (*Comparison, error) {
	requests, err := request.ForMethods(opt, &c)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	out := &Comparison{File: file, Reference: -1, Versions: version.Current()}
	for s := range c.Seeds {
		out.Seeds = append(out.Seeds, requests[0].Seed+uint64(s))
	}
	first := (&result.Prepared{Request: requests[0]}).NewRun(file)
	if err := first.J.Load(ctx); err != nil {
		return nil, fault.Wrap(first.J.InDocuments(err))
	}
	out.corpus, out.Documents = first.J.Corpus, first.J.Corpus.Len()
	configs := map[string]map[string]any{}
	var stop error
	for i := 0; i < c.Seeds*len(requests) && stop == nil; i++ {
		p, seed := &result.Prepared{Request: requests[i%len(requests)]}, out.Seeds[i/len(requests)]
		opt.Observer.Report("compare", int64(i), int64(c.Seeds*len(requests)), "runs")
		run, result, err := compareOne(ctx, p, file, out.corpus, seed)
		if ctx.Err() != nil {
			stop, out.Stopped = ctx.Err(), true
			break
		}
		if err != nil {
			result.Failed = words.Plain(strings.TrimSuffix(fault.Wrap(err).Error(), "."))
			if i < len(requests) && errors.Is(err, fs.ErrInvalid) && len(requests) == 1 {
				return nil, err
			}
		} else {
			result.known, result.knownNames = knownOf(run), run.J.Prior.Names
			result.classes = run.Classes
			out.corpus = run.Corpus // after the choice of classes
			out.Documents = run.Corpus.Len()
			if configs[result.Method] == nil {
				configs[result.Method] = job.Config(run.Settings())
			}
		}
		out.Runs = append(out.Runs, result)
	}
	if err := out.summarize(c.Methods, configs); err != nil {
		return nil, fault.Wrap(err)
	}
	if out.Reference < 0 && stop == nil {
		return out, fault.Wrap(invalid.Errorf("no method has a result; the first failed: %s", out.Runs[0].Failed))
	}
	return out, fault.Wrap(stop)
}

// compareOne makes one run over a corpus that was read.
func compareOne(ctx context.Context, p *result.Prepared, file string, c *corpus.Corpus, seed uint64) (*result.Run, CompareRun, error) {
	result := CompareRun{Method: p.Request.Spec.Name, Seed: seed}
	debug.FreeOSMemory() // so that the peak is this run's
	measured := memory.ResetPeak()
	run := p.NewRun(file)
	run.J.Seed = seed
	err := run.J.SettleText(ctx)
	if err == nil {
		own := *c
		run.J.Corpus = &own
		err = run.J.ReadGiven(ctx)
	}
	if err == nil {
		err = run.J.Prepare(ctx)
	}
	if err != nil {
		return nil, result, fault.Wrap(run.J.InDocuments(err))
	}
	begun := time.Now()
	run, err = run.Finish(ctx)
	result.Seconds = time.Since(begun).Seconds()
	if measured {
		result.Peak = memory.Peak()
	}
	if err != nil {
		return nil, result, err
	}
	result.Clusters, result.Metrics, result.Labels, result.Notes = len(run.Sizes), run.Scores, run.Labels, run.Notes()
	return run, result, nil
}

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
		slices.SortStableFunc(c.Methods, func(a, b CompareMethod) int {
			return cmp.Or(cmp.Compare(rankOf(b), rankOf(a)), cmp.Compare(b.Unlabeled["nmi"].Mean, a.Unlabeled["nmi"].Mean))
		})
		methods = make([]string, len(c.Methods))
		for i, m := range c.Methods {
			methods[i] = m.Method
		}
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

// HasUnlabeled says whether there are scores over the documents without a known label.
func (c *Comparison) HasUnlabeled() bool {
	return slices.ContainsFunc(c.Runs, func(r CompareRun) bool { return r.Unlabeled != nil })
}

// rankOf is what the methods are ranked by: the accuracy over the documents without a known label.
func rankOf(m CompareMethod) float64 {
	if v, ok := m.Unlabeled["accuracy"]; ok {
		return v.Mean
	}
	return -1
}

// knownOf are the known labels of a run, of all documents; nil if it had none.
func knownOf(r *result.Run) []int { return r.J.Prior.Labels }

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
func (r *CompareRun) scoreOthers(of *corpus.Corpus, known []bool) error {
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

// agreement measures how far two clusterings agree on the documents that have a cluster in both.
func agreement(a, b []int) (*Agreement, error) {
	var ofA, ofB []int
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			ofA, ofB = append(ofA, a[i]), append(ofB, b[i])
		}
	}
	if ofA == nil {
		return nil, nil
	}
	t, err := metrics.NewTable(ofA, ofB)
	if err != nil {
		return nil, err
	}
	s := t.Scores()
	return &Agreement{s.NMI, s.ARI}, nil
}

// meanOf are the means of a method's runs.
func (c *Comparison) meanOf(name string, config map[string]any) CompareMethod {
	m := CompareMethod{Method: name, Config: config}
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

// namedScore is a score under its name in JSON.
type namedScore struct {
	name  string
	value float64
}

// scoreValues are scores by their names in JSON, in the order of [ScoreFacts]; none of nil.
func scoreValues(s *metrics.Scores) []namedScore {
	if s == nil {
		return nil
	}
	return []namedScore{{"accuracy", s.Accuracy}, {"nmi", s.NMI}, {"ari", s.ARI}, {"fmi", s.FMI}, {"purity", s.Purity}, {"f_measure", s.FMeasure}, {"macro_f1", s.MacroF1}}
}

// meanAgreement averages the agreement over the pairs of runs of two methods.
func (c *Comparison) meanAgreement(pairs [][]*Agreement, a, b string) *Agreement {
	var sum Agreement
	count := 0.0
	for i := range c.Runs {
		for j := range c.Runs {
			if c.Runs[i].Method == a && c.Runs[j].Method == b && pairs[i][j] != nil {
				sum.NMI += pairs[i][j].NMI
				sum.ARI += pairs[i][j].ARI
				count++
			}
		}
	}
	if count == 0 {
		return nil
	}
	return &Agreement{sum.NMI / count, sum.ARI / count}
}

// align chooses the reference run. A cluster of another run gets the number of the cluster of the
// reference with which it shares most documents; clusters without such a partner get the numbers
// that are left, and then further ones.
func (c *Comparison) align(pairs [][]*Agreement) error {
	best := math.Inf(-1)
	for i, r := range c.Runs {
		if r.Labels == nil {
			continue
		}
		total := 0.0
		for _, p := range pairs[i] {
			if p != nil {
				total += p.ARI
			}
		}
		if total > best+1e-12 {
			best, c.Reference = total, i
		}
	}
	if c.Reference < 0 {
		return nil
	}
	reference := c.Runs[c.Reference].Labels
	for i := range c.Runs {
		if r := &c.Runs[i]; r.Labels != nil && i != c.Reference {
			aligned, err := alignTo(reference, r.Labels)
			if err != nil {
				return err
			}
			r.Labels = aligned
		}
	}
	return nil
}

// alignTo renumbers clusters one to one so that as many documents as possible keep the number that
// they have in the reference. Negative numbers, of documents without a cluster, stay.
func alignTo(reference, labels []int) ([]int, error) {
	var of, own []int
	for i, l := range labels {
		if l >= 0 && reference[i] >= 0 {
			of, own = append(of, reference[i]), append(own, l)
		}
	}
	number := map[int]int{}
	if of != nil {
		t, err := metrics.NewTable(of, own)
		if err != nil {
			return nil, err
		}
		for col, row := range t.Assignment() {
			if row >= 0 {
				number[t.Clusters[col]] = t.Classes[row]
			}
		}
	}
	taken := map[int]bool{}
	for _, n := range number {
		taken[n] = true
	}
	free := 0 // numbers of the reference that are left come first
	rest := slices.Clone(labels)
	slices.Sort(rest)
	for _, l := range slices.Compact(rest) {
		if _, known := number[l]; known || l < 0 {
			continue
		}
		for taken[free] {
			free++
		}
		number[l], taken[free] = free, true
	}
	out := make([]int, len(labels))
	for i, l := range labels {
		if out[i] = l; l >= 0 {
			out[i] = number[l]
		}
	}
	return out, nil
}

package choosing

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Search is how the number of clusters was chosen.
type Search struct {
	By       choosek.Rule `json:"by"`
	Why      string       `json:"why"` // why by this rule
	From     int          `json:"from"`
	To       int          `json:"to"`
	Clusters int          `json:"clusters"` // the number chosen
	// RunnersUp are the next best numbers, the best first.
	RunnersUp []int `json:"runners_up"`
	// Evidence says how well the data support the number, and Because why, as words without a full
	// stop.
	Evidence choosek.Evidence `json:"evidence"`
	Because  string           `json:"because"`
	// ByGap says that a gap of the neighbour graph's eigenvalues decided, not its communities
	// ([choosek.Gaps]).
	ByGap bool `json:"by_gap,omitempty"`
	// Candidates are the number chosen and its runners-up as levels of the communities of the
	// neighbour graph; nil under other rules than modularity.
	Candidates []SearchCandidate `json:"candidates,omitempty"`
	Points     []SearchPoint     `json:"points"`
	// Eigenvalues has the eigenvalues of the graph's Laplacian, a few beyond the last k, so that
	// gaps can be seen; nil if the method has none. It begins with number LeftOut + 1 of the
	// spectrum.
	Eigenvalues summary.Numbers `json:"eigenvalues,omitempty"`
	LeftOut     int             `json:"eigenvalues_left_out,omitempty"`
	// Sampled is the number of documents that silhouettes were measured on, drawn by Seed; 0: all,
	// or no silhouettes.
	Sampled int `json:"sampled,omitempty"`
	// Pairs of parts of Share of the documents, drawn by Seed, were compared for stability; 0 under
	// another rule.
	Pairs int     `json:"pairs,omitempty"`
	Share float64 `json:"share,omitempty"`
	Seed  uint64  `json:"seed"`

	fewest int // the smallest number of communities that are as good within the error; 0: not known
}

// SearchCandidate is what a number of clusters makes of the communities of the neighbour graph.
type SearchCandidate struct {
	K          int     `json:"k"`
	Modularity float64 `json:"modularity"`
	Largest    int     `json:"largest"` // documents of the largest and of the smallest cluster
	Smallest   int     `json:"smallest"`
	Agreement  float64 `json:"agreement"` // NMI with the clusters of the number chosen
}

// SearchPoint is the score of one number of clusters.
type SearchPoint struct {
	K int `json:"k"`
	// Score is null if the number could not be judged: an eigenvalue is missing, or only one
	// cluster is not empty.
	Score *float64 `json:"score"`
	Error float64  `json:"error,omitempty"` // standard error of the score
}

// silhouetteRows is how many rows silhouettes are measured on at most.
const silhouetteRows = 4000

// Stability compares the clusters of stablePairs pairs of parts of stableShare of the documents,
// each found from stableStarts starts of k-means.
const stablePairs, stableShare, stableStarts = 10, 0.8, 3

// searchStarts is the number of starts of each fit of a search, unless it was given; the run with
// the number chosen has its own.
const searchStarts = 3

// runnersUp is how many other numbers are named.
const runnersUp = 3

// ruleAuto is the KBy that goes by the method.
const ruleAuto = "auto"

// searcher chooses the number of clusters of a run.
type searcher struct {
	j      *job.Job
	in     *method.Input // with Shared, and an observer that takes no notes
	config method.Options
	lo, hi int
	out    *Search
	points []choosek.Point
	graph  *graph.Graph   // the neighbour graph, where the search looks at it
	levels *leiden.Levels // of its communities
}

// rule is the rule asked for, or the automatic one with the reason.
func (s *searcher) rule(automatic choosek.Rule, why string) {
	s.out.By, s.out.Why = choosek.Rule(s.j.KBy), "asked for"
	if s.j.KBy == "" || s.j.KBy == ruleAuto {
		s.out.By, s.out.Why = automatic, why
	}
}

// lacks is the error of a rule that the method does not have.
func (s *searcher) lacks(rule choosek.Rule, has string) error {
	return invalid.Errorf("‹k-by› %s is not for the method %s, which has no %s: choose another, or leave it out", rule, s.j.Spec.Name, has)
}

// fit fits the method for k clusters, from searchStarts starts.
func (s *searcher) fit(ctx context.Context, k int) (*method.Fitted, error) {
	in := *s.in
	in.Clusters = k
	config := option.Clone(s.config).(method.Options)
	if f := option.Find(option.Of(config), "restarts"); f != nil && !f.IsSet() {
		if err := f.Set(strconv.Itoa(searchStarts)); err != nil {
			return nil, err
		}
		fitted, err := s.j.Spec.Fit(ctx, config, &in)
		if err == nil || !errors.Is(err, fs.ErrInvalid) || ctx.Err() != nil {
			return fitted, err
		}
		// Where known labels begin every cluster there is one start, and the option has no effect.
		config = option.Clone(s.config).(method.Options)
	}
	f, err := s.j.Spec.Fit(ctx, config, &in)
	return f, ranks.Agree(s.j.Share, err)
}

// checkRows refuses a rule that looks at the rows of all documents, of which each rank has its own.
func (s *searcher) checkRows() error {
	if s.in.Share.Divided() && (s.out.By == choosek.Silhouette || s.out.By == choosek.Stability) {
		return invalid.Errorf("‹k-by› %s looks at the rows of all documents, and %d ranks divide them: choose another, give one number of ‹clusters›, or start without mpirun",
			s.out.By, s.in.Share.Size())
	}
	return nil
}

// each calls f for every k, with progress.
func (s *searcher) each(f func(k int) error) error {
	const name = "choose k"
	defer s.j.Stage(name)()
	for k := s.lo; k <= s.hi; k++ {
		if err := f(k); err != nil {
			return err
		}
		s.in.Observer.Report(name, int64(k-s.lo+1), int64(s.hi-s.lo+1), "numbers of clusters")
	}
	return nil
}

// Package choosing chooses what a request leaves to the data: the number of clusters, by the
// neighbour graph or by scores of clusterings, and the method, by known labels.
package choosing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
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
	levels *leiden.Levels // of the neighbour graph, where the search looks at it
}

// ChooseClusters chooses the number of clusters and puts it into the options. in gets what the fits
// share.
func ChooseClusters(ctx context.Context, j *job.Job, in *method.Input) (*Search, error) {
	in.Shared = new(method.Shared)
	own := *in
	own.Observer = func(e progress.Event) {
		if e.Message == "" && j.Observer != nil {
			j.Observer(e)
		}
	}
	span := j.ClusterRange
	s := &searcher{j: j, in: &own, config: j.MethodOptions, lo: span.From, hi: span.To,
		out: &Search{From: span.From, To: span.To, Seed: j.Seed}}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	if s.out.By == choosek.Modularity {
		if err := s.describeOthers(); err != nil {
			return nil, err
		}
	} else if err := s.best(); err != nil {
		return nil, err
	}
	for _, p := range s.points {
		point := SearchPoint{K: p.K, Error: p.Error}
		if score := p.Score; !math.IsNaN(score) && !math.IsInf(score, 0) {
			point.Score = &score
		}
		s.out.Points = append(s.out.Points, point)
	}
	if s.out.Evidence == choosek.Weak {
		j.Note(fmt.Sprintf("‹clusters› %d: the evidence for it is weak: %s", s.out.Clusters, s.out.Because))
	}
	j.Clusters, j.ClusterRange, j.KBy, j.MethodOptions = s.out.Clusters, option.Span{}, "", s.config
	return s.out, nil
}

// best chooses the number with the best score.
func (s *searcher) best() error {
	ranked := choosek.Rank(s.out.By, s.points)
	if len(ranked) == 0 {
		return invalid.Errorf("no number of clusters from %d to %d can be judged by %s: give ‹clusters›, or another ‹k-by›", s.lo, s.hi, s.out.By)
	}
	s.out.Clusters = ranked[0].K
	for _, p := range ranked[1:min(len(ranked), 1+runnersUp)] {
		s.out.RunnersUp = append(s.out.RunnersUp, p.K)
	}
	s.out.Evidence, s.out.Because = choosek.Grade(s.out.By, ranked)
	return nil
}

// run scores every number of the range.
func (s *searcher) run(ctx context.Context) error {
	asked := choosek.Rule(s.j.KBy)
	decide := asked == choosek.Modularity || asked == "" || asked == ruleAuto
	auto := s.j.ClusterRange.Auto
	if s.hasCommunities() && (decide || auto) {
		if err := s.findCommunities(ctx); err != nil {
			return err
		}
		if auto {
			s.boundAuto(asked, decide)
		}
		if decide {
			s.rule(choosek.Modularity, "the neighbour graph is there for every method")
			return s.byCommunities(ctx)
		}
	} else if asked == choosek.Modularity {
		return invalid.Errorf("‹k-by› modularity needs a graph without negative weights, and %s is a kernel with such: choose another", s.j.File)
	}
	if s.j.Spec.ThenKMeans() {
		return s.byEmbedding(ctx)
	}
	return s.byFits(ctx)
}

// boundAuto bounds the range of `auto` by the communities: at their number where they decide, at
// twice as many for another rule. Stability, which takes long, looks at the numbers that are
// equally good by modularity and at one beside them on each side.
func (s *searcher) boundAuto(asked choosek.Rule, decide bool) {
	most := len(s.levels.Finest.Sizes)
	switch {
	case decide:
		s.hi = max(job.LeastRange, most)
	case asked == choosek.Stability:
		s.lo, s.hi = max(s.lo, s.levels.Fewest()-1), most+1
	default:
		s.hi = max(job.LeastRange, 2*most)
	}
	s.hi = min(max(s.hi, s.lo), s.in.Len()-1)
	s.lo = min(s.lo, s.hi)
	s.out.From, s.out.To = s.lo, s.hi
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

// byEmbedding scores the clusters of k-means on coordinates, or the gaps of their eigenvalues. If
// the embeddings are nested, one fit with the largest k has them all.
func (s *searcher) byEmbedding(ctx context.Context) error {
	asked := choosek.Rule(s.j.KBy)
	if asked == choosek.BIC {
		return s.lacks(asked, "likelihood")
	}
	yields := s.j.Spec.Yields
	if asked == choosek.Eigengap && !yields.Nested && !yields.Spectrum {
		return s.lacks(asked, "eigenvalues of one graph for all numbers of clusters")
	}
	gaps := yields.Spectrum && (asked == choosek.Eigengap || asked == "" || asked == ruleAuto)
	if !yields.Nested && !gaps {
		s.rule(choosek.Silhouette, "the method has no likelihood and no eigenvalues of one graph")
		return s.scoreCoordinates(ctx, func(k int) (*mat.Dense, error) {
			f, err := s.fit(ctx, k)
			if err != nil {
				return nil, err
			}
			return f.Embedding, nil
		})
	}
	dims := option.Find(option.Of(s.config), "dims")
	most := min(s.hi+1, s.in.Len()) // one more, for the gap after the last
	f, err := s.fit(ctx, most)
	if errors.Is(err, fs.ErrInvalid) && most > s.hi {
		most = s.hi
		f, err = s.fit(ctx, most)
	}
	if err != nil {
		return err
	}
	v := f.Values
	values, laplacian := laplacianValues(v)
	values = values[:min(len(values), most)]
	if laplacian {
		s.out.Eigenvalues, s.out.LeftOut = values, v.LeftOut
		s.rule(choosek.Eigengap, "the method embeds by eigenvectors of a graph's Laplacian")
	} else {
		s.rule(choosek.Silhouette, "the method has no likelihood and no eigenvalues of a graph's Laplacian")
	}
	if s.out.By == choosek.Eigengap {
		if !laplacian {
			return s.lacks(choosek.Eigengap, "eigenvalues of a graph's Laplacian")
		}
		s.points = choosek.Eigengaps(values, v.LeftOut, s.lo, s.hi)
		return nil
	}
	_, cols := f.Embedding.Dims()
	follows := cols == most && (dims == nil || !dims.IsSet())
	unit := s.unitRows()
	return s.scoreCoordinates(ctx, func(k int) (*mat.Dense, error) {
		if !follows {
			return f.Embedding, nil
		}
		return firstColumns(f.Embedding, k, unit), nil
	})
}

// laplacianValues are the eigenvalues of the graph's Laplacian, if that is what the values come
// from.
func laplacianValues(v *method.Values) (values []float64, ok bool) {
	if v == nil || v.Kind != method.Eigenvalue || v.Classes != nil || v.Own && !v.OneMinus {
		return nil, false
	}
	values = slices.Clone(v.Values)
	for i := 0; v.OneMinus && i < len(values); i++ {
		values[i] = 1 - values[i]
	}
	return values, true
}

// unitRows says whether the method scales the rows of its embedding to length 1.
func (s *searcher) unitRows() bool {
	f := option.Find(option.Of(s.config), "normalize-rows")
	if f == nil {
		return s.j.Spec.Yields.UnitRows
	}
	value, _ := f.Current(s.j.Data())
	return value == "true"
}

// firstColumns are the first k columns of x, with rows of length 1 if unit is set; rows of zeros
// stay.
func firstColumns(x *mat.Dense, k int, unit bool) *mat.Dense {
	n, cols := x.Dims()
	if k >= cols {
		return x
	}
	out := mat.DenseCopyOf(x.Slice(0, n, 0, k))
	for i := 0; unit && i < n; i++ {
		row := out.RawRowView(i)
		square := 0.0
		for _, v := range row {
			square += v * v
		}
		if square > 0 {
			for j := range row {
				row[j] /= math.Sqrt(square)
			}
		}
	}
	return out
}

// kmeansOf clusters rows into k clusters as the run does.
func (s *searcher) kmeansOf(ctx context.Context, x mat.Matrix, k, starts int, seed uint64) ([]int, error) {
	opt := request.KMeansOptions(s.j.KMeans, k, seed, nil)
	if opt.Init == request.InitLabels {
		opt.Init = ""
	}
	if starts > 0 {
		opt.Restarts = starts
	}
	m, err := kmeans.Fit(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
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

// scoreCoordinates scores k-means on the coordinates for each k by silhouette or by stability.
func (s *searcher) scoreCoordinates(ctx context.Context, coordinates func(k int) (*mat.Dense, error)) error {
	if err := s.checkRows(); err != nil {
		return err
	}
	n := s.in.Len()
	rows := s.sample(n)
	return s.each(func(k int) error {
		y, err := coordinates(k)
		if err != nil {
			return err
		}
		if s.out.By == choosek.Stability {
			return s.stable(ctx, k, func(ctx context.Context, part []int, seed uint64) ([]int, error) {
				return s.kmeansOf(ctx, choosek.Rows(y, part), k, stableStarts, seed)
			})
		}
		starts := searchStarts
		if s.j.KMeans.Restarts > 0 {
			starts = s.j.KMeans.Restarts
		}
		labels, err := s.kmeansOf(ctx, y, k, starts, s.j.Seed)
		if err != nil {
			return err
		}
		return s.silhouettes(ctx, y, rows, []int{k}, [][]int{labels})
	})
}

// sample draws the rows that silhouettes are measured on.
func (s *searcher) sample(n int) []int {
	if s.out.By != choosek.Silhouette {
		return nil
	}
	if n > silhouetteRows {
		s.out.Sampled = silhouetteRows
	}
	return choosek.Sample(n, silhouetteRows, s.j.Seed)
}

// silhouettes scores clusterings of the rows of x.
func (s *searcher) silhouettes(ctx context.Context, x mat.Matrix, rows, ks []int, labelings [][]int) error {
	means, err := choosek.Silhouettes(ctx, x, rows, labelings, nil)
	for i := range means {
		s.points = append(s.points, choosek.Point{K: ks[i], Score: means[i]})
	}
	return err
}

// stable scores k by the agreement of clusters of parts of the documents.
func (s *searcher) stable(ctx context.Context, k int, cluster choosek.Cluster) error {
	s.out.Pairs, s.out.Share = stablePairs, stableShare
	mean, stderr, err := choosek.Agreement(ctx, s.in.Len(), stablePairs, stableShare, s.j.Seed, cluster)
	s.points = append(s.points, choosek.Point{K: k, Score: mean, Error: stderr})
	return err
}

// byFits scores the clusters that the method itself finds for each k: by BIC if it has one, else by
// silhouettes in the rows of the documents.
func (s *searcher) byFits(ctx context.Context) error {
	probabilities := s.j.Spec.Yields.Likelihood
	if asked := choosek.Rule(s.j.KBy); asked == choosek.Eigengap {
		return s.lacks(asked, "eigenvalues of a graph's Laplacian")
	} else if asked == choosek.BIC && !probabilities {
		return s.lacks(asked, "likelihood with a number of parameters")
	}
	if probabilities {
		s.rule(choosek.BIC, "the method is a mixture with a likelihood")
	} else {
		s.rule(choosek.Silhouette, "the method has no likelihood and no eigenvalues of a graph's Laplacian")
	}
	if err := s.checkRows(); err != nil {
		return err
	}
	if s.out.By == choosek.Silhouette && s.in.X == nil {
		return invalid.Errorf("silhouettes need documents, and %s is an affinity matrix: give ‹clusters›", s.j.File)
	}
	if s.out.By == choosek.Stability && (s.in.X == nil || s.in.Given != nil || s.in.Links != nil) {
		return invalid.Errorf("‹k-by› stability fits the method %s to parts of the documents, which it does without labels, constraints and affinity matrices: choose another", s.j.Spec.Name)
	}
	if err := s.fixReduction(ctx); err != nil {
		return err
	}
	rows, ks, labelings := s.sample(s.in.Len()), []int{}, [][]int{}
	err := s.each(func(k int) error {
		if s.out.By == choosek.Stability {
			return s.stable(ctx, k, s.refit(k))
		}
		f, err := s.fit(ctx, k)
		if err != nil {
			return err
		}
		if s.out.By == choosek.BIC {
			s.points = append(s.points, choosek.Point{K: k, Score: factOf(f, "bic")})
			return nil
		}
		ks, labelings = append(ks, k), append(labelings, f.Clusters.Labels)
		return nil
	})
	if err != nil || s.out.By != choosek.Silhouette {
		return err
	}
	return s.silhouettes(ctx, s.in.X, rows, ks, labelings)
}

// fixReduction keeps what the rows of the fits are reduced to the same for all k, as for the
// largest, since likelihoods of other rows cannot be compared. The run takes it too.
func (s *searcher) fixReduction(ctx context.Context) error {
	pca := option.Find(option.Of(s.config), "pca")
	if pca == nil || pca.IsSet() {
		return nil
	}
	f, err := s.fit(ctx, s.hi)
	if err != nil {
		return err
	}
	if f.Used == nil {
		return nil
	}
	used := option.Find(option.Of(f.Used), "pca")
	if !used.IsSet() {
		return nil
	}
	s.config = option.Clone(s.config).(method.Options)
	return option.Find(option.Of(s.config), "pca").Set(used.String())
}

// refit clusters a part of the documents by the method.
func (s *searcher) refit(k int) choosek.Cluster {
	return func(ctx context.Context, rows []int, seed uint64) ([]int, error) {
		in := *s.in
		in.X, in.Shared, in.Clusters, in.Seed = choosek.Rows(s.in.X, rows), nil, k, seed
		if s.in.Counts != nil {
			in.Counts = choosek.Rows(s.in.Counts, rows)
		}
		in.Document = func(i int) string { return s.in.ID(rows[i]) }
		f, err := s.j.Spec.Fit(ctx, s.config, &in)
		if err != nil {
			return nil, err
		}
		return f.Clusters.Labels, nil
	}
}

// factOf is a number that a method found, NaN if it did not.
func factOf(f *method.Fitted, id string) float64 {
	for _, fact := range f.Facts {
		if v, ok := fact.Value.(float64); ok && fact.ID == id {
			return v
		}
	}
	return math.NaN()
}

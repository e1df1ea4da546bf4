// Package choosing chooses what a request leaves to the data: the number of clusters, by the
// neighbour graph or by scores of clusterings, and the method, by known labels.
package choosing

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
)

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
	j.KeepRange(in.Len())
	j.Clusters, j.ClusterRange, j.KBy, j.MethodOptions = s.out.Clusters, option.Span{}, "", s.config
	return s.out, nil
}

// NoteSearch says of the number chosen if the evidence is weak, and that known labels have no part
// in one that the neighbour graph decides.
func NoteSearch(j *job.Job, s *Search) {
	if s.Evidence == choosek.Weak {
		j.Note(fmt.Sprintf("‹clusters› %d: the evidence for it is weak: %s", s.Clusters, s.Because))
	}
	if j.Prior.Labels == nil || s.By != choosek.Modularity {
		return
	}
	classes, way := len(j.Prior.Names), ""
	if s.Clusters != classes {
		way = ", and without ‹clusters› there are as many clusters as classes"
	}
	j.Note(fmt.Sprintf("‹clusters› %d is found by the neighbour graph alone; the known labels, of %s, have no part in it%s.",
		s.Clusters, words.Plural(classes, "class", "classes"), way))
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
		s.hi = max(job.LeastRange, most+s.alone())
	case asked == choosek.Stability:
		s.lo, s.hi = max(s.lo, s.levels.Fewest()-1), most+1
	default:
		s.hi = max(job.LeastRange, 2*most)
	}
	s.hi = min(max(s.hi, s.lo), s.in.Len()-1)
	s.lo = min(s.lo, s.hi)
	s.out.From, s.out.To = s.lo, s.hi
}

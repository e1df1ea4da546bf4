package choosing

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/method"
)

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

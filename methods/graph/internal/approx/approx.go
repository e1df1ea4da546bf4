package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// Search finds most of the k nearest neighbours of the rows of x, of which each rank has its own,
// among the rows of all ranks. x and ids are as in [exact.Nearest]; rows that ranks divide are in
// double precision. It returns the recall on the sample. All ranks call it.
func Search(ctx context.Context, team ranks.Team, x mat.Matrix, ids []int32, o Options) (g *exact.Lists, recall float64, err error) {
	own, _ := x.Dims()
	share := ranks.NewShare(team, own)
	width := listWidth(o.Neighbors, share.Total())
	o.Cell = max(o.Cell, 4*width)
	if share.Total() <= 2*o.Cell {
		g, err = exact.Nearest(ctx, team, x, ids, o.Neighbors, o.Observer)
		return g, 1, err
	}
	s, err := newSearch(ctx, share, x, ids, width, o)
	if err == nil {
		recall, err = s.improve(ctx)
	}
	if err == nil {
		g, err = s.result(ctx)
	}
	return g, recall, err
}

// listWidth is the number of places of the lists of k neighbours of n rows.
func listWidth(k, n int) int { return min(k+k/2+1, n-1) }

// imageWidth is listWidth for rows that are compared by images.
func imageWidth(k, n int) int { return min(2*k, n-1) }

// imageTries is the number of places of such lists whose candidates a descent tries.
func imageTries(k int) int { return k + k/2 }

// goal is the recall from which the search stops.
func (s *search) goal() float64 {
	if s.kind.short {
		return imageGoal
	}
	return GoalRecall
}

// improve searches until the recall is at least the goal, and returns it.
func (s *search) improve(ctx context.Context) (recall float64, err error) {
	goal := s.goal()
	for round := 1; round <= mostPartitions && recall < goal; round++ {
		if err = s.partition(ctx); err != nil {
			return 0, err
		}
		if recall, err = s.recall(ctx); err != nil {
			return 0, err
		}
		if recall >= goal || recall < leastRecall && round < firstPartitions {
			continue
		}
		if err = s.descend(ctx); err != nil {
			return 0, err
		}
		if recall, err = s.recall(ctx); err != nil {
			return 0, err
		}
	}
	return recall, nil
}

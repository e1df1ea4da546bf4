package choosing

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/choosek"
)

// count chooses the number of clusters of a run whose labels choose the method too. It is chosen as
// without labels, by the method that learns from none. If the labels have as many classes, or more,
// there are as many clusters as classes, and the methods are to be compared: no choice is returned.
// Else some clusters have no labels, and the run is of that method with the number chosen, so that
// it is never worse than without labels.
func (c *chooser) count(ctx context.Context) (*Choice, *Search, error) {
	j, at := c.j, request.PlaceOf(request.DefaultMethod)
	if c.entered[at].Request == nil { // the run has an option that it does not take
		return nil, nil, nil
	}
	t, err := c.settled(c.entered[at].Request, j.Prior.Labels)
	if err != nil {
		return nil, nil, err
	}
	in := t.Input()
	ctx, err = j.WithStore(memory.Bound(ctx, j.MaxBytes))
	if err != nil {
		return nil, nil, err
	}
	span := t.ClusterRange
	search, err := ChooseClusters(ctx, t, in)
	j.Times.AddAll(t.Times)
	if err != nil {
		return nil, nil, err
	}
	c.in.Shared = in.Shared
	classes := len(j.Prior.Names)
	holds := span.Auto || classes >= span.From && classes <= span.To
	if holds && classes >= search.least() {
		j.Note(fmt.Sprintf("‹clusters› %v: %d, as many as the known labels have classes; the data do not show more: %s", j.ClusterRange, classes, search.why()))
		j.Clusters, j.ClusterRange, j.KBy = classes, option.Span{}, ""
		c.forgetRule()
		return nil, nil, nil
	}
	named := words.Plural(classes, "class", "classes")
	why := fmt.Sprintf("the data show more clusters than the %s of the labels", named)
	if !holds {
		why = fmt.Sprintf("the labels have %s, and ‹clusters› %v does not hold that number", named, j.ClusterRange)
	}
	choice, err := c.take(why+"; clusters that hold labels are named by them", at)
	if err != nil {
		return nil, nil, err
	}
	j.Clusters, j.ClusterRange, j.KBy = search.Clusters, option.Span{}, ""
	return choice, search, nil
}

// forgetRule makes the run and its candidates ones without ‹k-by›, which has no effect beside a
// number of clusters and would be refused.
func (c *chooser) forgetRule() {
	const rule = "k-by"
	*c.j.Request = *c.j.Request.Forget(rule)
	for m := range c.entered {
		if e := &c.entered[m]; e.Request != nil {
			e.Request = e.Request.Forget(rule)
		}
	}
}

// why says what the number is chosen by: of a score, which says how far apart clusters are, the
// number itself.
func (s *Search) why() string {
	if s.By == choosek.Modularity {
		return s.Because
	}
	return fmt.Sprintf("‹k-by› %s chooses %d", s.By, s.Clusters)
}

// least is the smallest number of clusters that is about as good as the one chosen.
func (s *Search) least() int {
	if s.By == choosek.Modularity && !s.ByGap && s.fewest > 0 {
		return min(s.Clusters, s.fewest)
	}
	return s.Clusters
}

package result

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Finish fits, clusters and scores what was read. Where known labels choose the method each rank
// has all documents, works alone, and so finds what one process finds; an error of one is an error
// of all.
func (r *Run) Finish(ctx context.Context) (*Run, error) {
	team := ranks.From(ctx)
	if r.J.Entrants == nil || team.Size() == 1 {
		return r.finish(ctx)
	}
	done, err := r.finish(ranks.With(ctx, ranks.Alone{}))
	if agreed := ranks.Agree(team, err); err == nil && agreed != nil {
		return nil, fault.Wrap(agreed)
	}
	return done, err
}

// finish is [Run.Finish] of a run that the team of the context shares.
func (r *Run) finish(ctx context.Context) (*Run, error) {
	r.Corpus = r.J.Corpus
	err := r.fit(ctx)
	if err == nil && r.Command == "cluster" {
		err = r.Score(ctx)
	}
	if err == nil && r.Command == "cluster" && r.J.WantsMap(false) && !r.J.Share.Divided() {
		err = r.DrawMap(ctx)
	}
	if err == nil && !r.J.Share.Divided() {
		err = r.FindLevels(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	r.Timings = r.J.Times
	r.Timings.Add("total", time.Since(r.started))
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			err = WayOut(r.J.InFile(err), r.J)
		}
		if r.J.Share.Divided() {
			return nil, fault.Wrap(err)
		}
		if r.Fitted == nil || r.Embedding == nil && r.Found == nil {
			return nil, fault.Wrap(err)
		}
		return r, fault.Wrap(err)
	}
	return r, nil
}

// fit runs the method on the distinct documents, and carries over to their copies what it found.
func (r *Run) fit(ctx context.Context) error {
	if err := r.J.TakeDistinct(ctx, r.leastDocuments()); err != nil {
		return err
	}
	if w := r.J.Whole; w != nil {
		r.Corpus = w.Corpus // which may hold no rows until they are spread
		memory.Dropped(w.Freed)
	}
	err := r.J.InDocuments(r.fitDistinct(ctx))
	r.spread()
	r.noteIsolated()
	if err == nil && r.Command == "cluster" {
		r.RejectBelow = r.J.Reject
		r.Reject()
	}
	return err
}

// leastDocuments is the least number of documents that the run needs, as far as it is known before
// the fit.
func (r *Run) leastDocuments() int {
	j := r.J
	wanted := max(2, j.Clusters, j.ClusterRange.To)
	if j.ClusterRange.Auto {
		wanted = job.LeastRange + 1 + len(j.Prior.Names)
	}
	if j.CountOpen() && r.Command == "cluster" {
		if wanted = max(wanted, len(j.Prior.Names)); j.Prior.Labels == nil {
			wanted = max(wanted, len(j.Corpus.ClassNames))
		}
	}
	// Copies that were asked to count once do so, as in the run whose settings they are: the method
	// says whether dims are too many.
	if f := j.Field("dims"); f != nil && !j.Was("duplicates") {
		if dims, err := strconv.Atoi(f.String()); err == nil {
			wanted = max(wanted, dims+1)
		}
	}
	return wanted
}

// fitDistinct runs the method, and k-means on the coordinates if that finds the clusters.
func (r *Run) fitDistinct(ctx context.Context) error {
	in := r.J.Input()
	ctx, err := r.settle(ctx, in)
	if err != nil {
		return err
	}
	asked := r.J.MethodOptions
	fitted, err := r.J.Spec.Fit(ctx, r.J.MethodOptions, in)
	err = ranks.Agree(r.J.Share, err)
	if err != nil && r.J.Share.Divided() {
		return err // what was found of a part of the documents is nothing to keep
	}
	r.take(fitted)
	if err == nil && r.Command == "embed" {
		r.Isolated = r.alone()
	}
	if err != nil || r.Command == "embed" {
		return err
	}
	if r.Found == nil {
		found, err := r.J.ClusterCoordinates(ctx, r.Fitted)
		if found != nil {
			r.TakeClusters(found)
		}
		if err != nil {
			return err
		}
	}
	r.nameClusters()
	if err := r.measure(ctx); err != nil {
		return err
	}
	return r.calibrate(ctx, asked)
}

// settle decides what was left open before the fit: the method, the number of clusters, and the
// links between documents. The context that it returns has the store of the fit and its memory.
func (r *Run) settle(ctx context.Context, in *method.Input) (context.Context, error) {
	if r.J.Entrants != nil {
		var err error
		if r.Choice, r.Search, err = choosing.ChooseMethod(ctx, r.J, in); err != nil {
			return nil, err
		}
	}
	r.J.NoteDefault()
	r.J.NoteKernels()
	if r.Command == "cluster" {
		if err := r.J.DecideClusters(); err != nil {
			return nil, err
		}
		if err := r.J.CheckNearest(); err != nil {
			return nil, err
		}
		in.Clusters = r.J.Clusters
	} else {
		if r.J.Corpus.Len() < 2 {
			return nil, invalid.Errorf("%s: one document cannot be embedded: give a corpus of at least two", r.J.File)
		}
		in.Clusters = 0
	}
	if err := r.J.SettleLinks(max(in.Clusters, r.J.ClusterRange.To)); err != nil {
		return nil, err
	}
	in.Links = r.J.Prior.Groups
	team := ranks.From(ctx)
	ctx, err := r.J.WithStore(memory.Bound(ctx, r.J.MaxBytes))
	if err = ranks.Agree(team, err); err != nil {
		return nil, err
	}
	if !r.J.ClusterRange.IsZero() {
		if r.Search, err = choosing.ChooseClusters(ctx, r.J, in); err != nil {
			return nil, err
		}
		if err := r.J.CheckStarts(); err != nil {
			return nil, err
		}
		in.Clusters = r.J.Clusters
	}
	if r.Search != nil {
		choosing.NoteSearch(r.J, r.Search)
	}
	return ctx, nil
}

// nameClusters names the clusters of a method that the known labels chose after most of the
// labelled documents in them, if the method does not name them itself: as it was judged. Where
// there are more clusters than classes some are of none: such a cluster has the name of a class
// only if it holds half as many of its labels as the cluster with most of them.
func (r *Run) nameClusters() {
	g := &r.J.Prior
	if r.Choice == nil || r.Classes != nil || r.Found == nil {
		return
	}
	k, classes := len(r.Sizes), len(g.Names)
	given := make([]int, k*classes)
	most := make([]int, classes)
	for i, c := range r.Labels {
		if l := g.Labels[i]; c >= 0 && l >= 0 {
			given[c*classes+l]++
			most[l] = max(most[l], given[c*classes+l])
		}
	}
	r.Classes = make([]string, k)
	for c, class := range crossval.Majority(r.Labels, g.Labels, k, classes) {
		if class >= 0 && (k <= classes || 2*given[c*classes+class] >= most[class]) {
			r.Classes[c] = g.Names[class]
		}
	}
	r.Found.Classes, r.byMajority = r.Classes, true
}

package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// The comparison of methods by known labels.
const (
	// trialDocuments is the number of documents held out after which a comparison ends.
	trialDocuments = 250
	// leastHeldOut is the least number of documents that can be held out for a comparison, which
	// must also be half of the documents with a label.
	leastHeldOut = 12
	// A comparison does at most as much work as trialRuns runs of the unsupervised default with its
	// graph, or leastWork multiplications if that is more: about a minute of one core.
	trialRuns, leastWork = 20, 1.5e11
)

// chooser compares the candidates of a run.
type chooser struct {
	j       *job
	in      *method.Input // with Shared
	race    *crossval.Race
	out     *Choice
	blind   [][]int // clusters of the candidates that learn from nothing, the same for every fold
	entered []entrant
}

// chooseMethod chooses the method by the known labels and makes the run one of it. in gets what the
// fits share.
func chooseMethod(ctx context.Context, j *job, in *method.Input) (*Choice, error) {
	g := &j.known
	c := &chooser{j: j, in: in, entered: slices.Clone(j.entrants), blind: make([][]int, len(j.entrants)), race: crossval.NewRace(len(j.entrants), len(g.names))}
	if why, which := c.unfit(ctx); why != "" {
		return c.take(why, which)
	}
	ctx, err := j.withStore(memory.Bound(ctx, j.MaxBytes))
	if err != nil {
		return nil, err
	}
	in.Shared = new(method.Shared)
	end := j.stage("choose method")
	c.out = &Choice{By: "cross-validation"}
	rounds := c.bound()
	if only, ok := c.alone(); ok {
		return c.takeOnly(only)
	}
	folds := crossval.Folds(g.labels, len(g.names), c.out.Folds, j.Seed)
	for at, fold := range folds[:rounds] {
		in.Observer.Report("choose method", int64(at), int64(rounds), "folds")
		if err := c.hold(ctx, fold); err != nil {
			return nil, err
		}
		if c.race.Drop(len(c.entered)-1) || c.out.Documents >= trialDocuments {
			break
		}
	}
	end()
	return c.finish()
}

// unfit says why the methods cannot be compared, and which of the candidates is taken; "" if they
// can.
func (c *chooser) unfit(ctx context.Context) (why string, which int) {
	g := &c.j.known
	documents := crossval.HeldOut(g.labels, len(g.names))
	switch {
	case ranks.From(ctx).Size() > 1:
		return "ranks do not compare methods", placeOf(DefaultMethodLabels)
	case !c.j.ClusterRange.IsZero():
		return "methods are not compared where the number of clusters is chosen too", placeOf(DefaultMethodLabels)
	case documents < leastHeldOut || 2*documents < g.count:
		return fmt.Sprintf("%s in %s are too few to compare methods by", words.Plural(g.count, "label", "labels"), words.Plural(len(g.names), "class", "classes")), placeOfFew
	}
	return "", 0
}

// take takes a method without a comparison, or the one under which the documents were read if it
// does not take the run's options.
func (c *chooser) take(why string, which int) (*Choice, error) {
	e := c.entered[which]
	name, r := plainNames(e.name()), e.request
	if r == nil {
		r, name = c.j.request, c.j.spec.Name
	}
	return c.become(&Choice{Method: name, By: "default", Why: why}, r)
}

// alone returns the one candidate that is left before any was tried, if there is one only.
func (c *chooser) alone() (entrant, bool) {
	left := slices.DeleteFunc(slices.Clone(c.entered), func(e entrant) bool { return e.out != "" })
	if len(left) != 1 {
		return entrant{}, false
	}
	return left[0], true
}

// takeOnly takes the one candidate that is left: there is nothing to compare it with.
func (c *chooser) takeOnly(e entrant) (*Choice, error) {
	return c.become(&Choice{Method: plainNames(e.name()), By: "default", Why: "no other method takes the options of the run and the data"}, e.request)
}

// bound settles how many folds are held out so that the comparison keeps its bound of work, and
// leaves out the methods that take most if one fold is too much.
func (c *chooser) bound() (rounds int) {
	size := c.size()
	work := make([]float64, len(c.entered))
	for m, e := range c.entered {
		switch {
		case e.out != "":
			c.race.Leave(m)
		case e.learns():
			work[m] = e.work(size)
		}
	}
	folds, rounds, out := crossval.Bound(work, max(leastWork, trialRuns*(size.graph()+byEigenvectors(size))))
	for _, m := range out {
		c.entered[m].out = "it would take too long on so many data: name it to run it"
		c.race.Leave(m)
	}
	c.out.Folds = folds
	return rounds
}

// size is the size of the data at work.
func (c *chooser) size() dataSize {
	j := c.j
	s := dataSize{rows: float64(j.corpus.Len()), columns: float64(j.columns()), classes: float64(len(j.known.names))}
	switch x := j.x.(type) {
	case nil:
	case sparse.Rows:
		s.entries = float64(x.Pattern().NNZ())
	default:
		s.entries = s.rows * s.columns
	}
	return s
}

// hold judges the candidates on the documents of a fold.
func (c *chooser) hold(ctx context.Context, fold []int) error {
	g := &c.j.known
	known := crossval.Without(g.labels, fold, labels.Unknown)
	c.race.Hold(pick(g.labels, fold))
	c.out.HeldOut++
	c.out.Documents += len(fold)
	for m := range c.entered {
		if !c.race.Runs(m) {
			continue
		}
		classes, err := c.classes(ctx, m, known)
		if stop := ctx.Err(); stop != nil {
			return stop
		}
		if err == nil {
			c.race.Say(m, pick(classes, fold))
			continue
		}
		var unsettled *method.NotConvergedError
		if !errors.Is(err, fs.ErrInvalid) && !errors.As(err, &unsettled) {
			return err
		}
		c.entered[m].out = plainNames(strings.TrimSuffix(err.Error(), "."))
		c.race.Leave(m)
	}
	return nil
}

// classes are the classes that candidate m gives to all documents if these labels are known, -1 for
// none.
func (c *chooser) classes(ctx context.Context, m int, known []int) ([]int, error) {
	names := c.j.known.names
	clusters, of := c.blind[m], []string(nil)
	if clusters == nil {
		found, err := c.fit(ctx, m, known)
		if err != nil {
			return nil, err
		}
		clusters, of = found.Labels, found.Classes
		if !c.entered[m].learns() {
			c.blind[m] = clusters
		}
	}
	class := crossval.Majority(clusters, known, 1+slices.Max(clusters), len(names))
	for k := range of {
		if k < len(class) {
			class[k] = slices.Index(names, of[k])
		}
	}
	list := make([]int, len(clusters))
	for i, k := range clusters {
		if list[i] = -1; k >= 0 {
			list[i] = class[k]
		}
	}
	return list, nil
}

// fit clusters the documents by candidate m with these labels.
func (c *chooser) fit(ctx context.Context, m int, known []int) (*method.Clusters, error) {
	j := c.j.trial(c.entered[m].request, known)
	if err := j.settleOptions(); err != nil {
		return nil, err
	}
	if err := j.decideClusters(); err != nil {
		return nil, err
	}
	in := j.input()
	in.Shared = c.in.Shared
	_, found, err := j.fitOnce(ctx, in)
	return found, err
}

// trial is the job of a fit that is judged: of another method, with other labels, and without
// notes.
func (j *job) trial(of *request, known []int) *job {
	own := *j.request
	own.become(of)
	own.Observer = j.Observer.WithoutNotes()
	t := &job{request: &own, file: j.file, corpus: j.corpus, x: j.x, vectors: j.vectors, graph: j.graph, joined: j.joined, known: j.known, inMemory: j.inMemory}
	t.known.labels = known
	return t
}

// fitOnce fits the method of the job and finds the clusters: the method's own, or k-means on its
// coordinates.
func (j *job) fitOnce(ctx context.Context, in *method.Input) (*method.Fitted, *method.Clusters, error) {
	fitted, err := j.spec.Fit(ctx, j.config, in)
	if err != nil {
		return nil, nil, err
	}
	if fitted.Used != nil {
		j.config = fitted.Used
	}
	if fitted.Clusters != nil {
		return fitted, fitted.Clusters, nil
	}
	found, err := j.clusterCoordinates(ctx, fitted.Embedding)
	return fitted, found, err
}

// finish takes the candidate that placed most of the documents held out right.
func (c *chooser) finish() (*Choice, error) {
	ranked := c.race.Rank()
	if len(ranked) == 0 {
		return c.take("no method could be compared", placeOf(DefaultMethod))
	}
	for _, m := range ranked {
		s, note := c.race.Score(m), ""
		if s.Documents < c.out.Documents {
			note = "plainly behind, so that it was not tried further"
		}
		c.out.Table = append(c.out.Table, ChoiceRow{plainNames(c.entered[m].name()), s.Accuracy, s.Error, s.MacroF1, s.Documents, note})
	}
	for _, e := range c.entered {
		if e.out != "" {
			c.out.Table = append(c.out.Table, ChoiceRow{Method: plainNames(e.name()), Note: e.out})
		}
	}
	best := c.entered[ranked[0]]
	c.out.Method, c.out.Why = plainNames(best.name()), c.out.sentence(DefaultMethod)
	if blind := c.entered[len(c.entered)-1]; blind.out != "" {
		c.out.Why += fmt.Sprintf("; %s without labels was not compared: %s", DefaultMethod, blind.out)
	}
	return c.become(c.out, best.request)
}

// become makes the run one of the method chosen.
func (c *chooser) become(choice *Choice, of *request) (*Choice, error) {
	c.j.become(of)
	c.j.byDefault = noMethod + "; " + choice.Why
	return choice, c.j.settleOptions()
}

package choosing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/committee"
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
	leastHeldOut = 4
	// A comparison does at most as much work as trialRuns runs of the unsupervised default with its
	// graph, or leastWork multiplications if that is more: about a minute of one core.
	trialRuns, leastWork = 20, 1.5e11
)

// chooser compares the candidates of a run.
type chooser struct {
	j       *job.Job
	in      *method.Input // with Shared
	race    *crossval.Race
	out     *Choice
	blind   []*trial                    // fits of the candidates that learn from nothing, the same for every fold
	found   map[string]*method.Clusters // what the members of the committee found in the fold, by method
	cast    []ballot                    // the votes of the members, of each fold
	held    map[int]*job.HeldOut        // what each candidate did with the documents held out
	entered []request.Entrant
	sparse  bool // the rows are
	// verdicts are the documents held out so far, each as often as it was.
	verdicts int
}

// ChooseMethod chooses the method by the known labels and makes the run one of it, and the number
// of clusters with it if that is to be chosen too ([chooser.count]). in gets what the fits share.
// Ranks, each of which has all documents, call it without their team.
func ChooseMethod(ctx context.Context, j *job.Job, in *method.Input) (*Choice, *Search, error) {
	g := &j.Prior
	j.KeepAsked()
	c := &chooser{j: j, in: in, entered: slices.Clone(j.Entrants), blind: make([]*trial, len(j.Entrants)), held: map[int]*job.HeldOut{},
		race: crossval.NewRace(len(j.Entrants), len(g.Names))}
	in.Shared = new(method.Shared)
	if !j.ClusterRange.IsZero() {
		if choice, search, err := c.count(ctx); choice != nil || err != nil {
			return choice, search, err
		}
	}
	choice, err := c.compare(ctx)
	return choice, nil, err
}

// compare chooses the method.
func (c *chooser) compare(ctx context.Context) (*Choice, error) {
	j, in, g := c.j, c.in, &c.j.Prior
	c.suit(j.X != nil && sparse.Is(j.X))
	if why, which := c.unfit(); why != "" {
		return c.take(why, which)
	}
	ctx, err := j.WithStore(memory.Bound(ctx, j.MaxBytes))
	if err != nil {
		return nil, err
	}
	end := j.Stage("choose method")
	c.out = &Choice{By: "cross-validation"}
	rounds := c.bound()
	if only, ok := c.alone(); ok {
		return c.takeOnly(only)
	}
	c.race.Distinct = crossval.HeldOut(g.Labels, len(g.Names))
	for at, fold := range c.folds(rounds) {
		in.Observer.Report("choose method", int64(at), int64(rounds), "folds")
		if err := c.hold(ctx, fold); err != nil {
			return nil, err
		}
		if c.race.Drop(c.keep()...) || c.verdicts >= trialDocuments {
			break
		}
	}
	c.judgeCommittee()
	c.out.Documents = min(c.verdicts, c.race.Distinct)
	end()
	return c.finish()
}

// unfit says why the methods cannot be compared, and which of the candidates is taken; "" if they
// can.
func (c *chooser) unfit() (why string, which int) {
	g := &c.j.Prior
	documents := crossval.HeldOut(g.Labels, len(g.Names))
	switch {
	case !c.j.ClusterRange.IsZero():
		return "methods are not compared where the number of clusters is chosen too", request.PlaceOf(request.DefaultMethodLabels)
	case tooFew(documents, g.Count):
		why := fmt.Sprintf("%s in %s are too few to compare methods by", words.Plural(g.Count, "label", "labels"), words.Plural(len(g.Names), "class", "classes"))
		if c.entered[request.PlaceOfCommittee].Request == nil {
			return why, request.PlaceOfFew
		}
		c.seat(request.MembersOfFew)
		return why, request.PlaceOfCommittee
	}
	return "", 0
}

// tooFew says whether so many of the documents with a label that can be held out are too few to
// compare methods by.
func tooFew(heldOut, labelled int) bool { return heldOut < leastHeldOut || 2*heldOut < labelled }

// votes says whether candidate m is a member of the committee on the rows of the run.
func (c *chooser) votes(m int) bool {
	return c.entered[m].Votes && committee.Counts(c.entered[m].Method(), c.sparse) > 0
}

// suit takes the candidates for dense rows out of the race on sparse ones.
func (c *chooser) suit(sparse bool) {
	c.sparse = sparse
	for m := range c.entered {
		if e := &c.entered[m]; e.Dense && sparse && e.Out == "" {
			e.Out = "it is for dense data: name it to run it"
		}
	}
}

// check takes a candidate that is not fitted to be judged out of the race if it cannot make the
// clusters that the run asks for.
func (c *chooser) check(m int) {
	if c.entered[m].Out != "" {
		return
	}
	if _, err := c.settled(c.entered[m].Request, c.j.Prior.Labels); err != nil {
		c.leave(m, err)
	}
}

// settled is the job of a fit that is judged, by a candidate's request and with these labels. Its
// options and its number of clusters are settled.
func (c *chooser) settled(of *request.Request, known []int) (*job.Job, error) {
	j := c.j.Trial(of, known)
	if err := j.SettleOptions(); err != nil {
		return nil, err
	}
	return j, j.DecideClusters()
}

// seat makes the committee one of these members, beside the one that always votes, unless the run
// names others.
func (c *chooser) seat(members string) {
	r := *c.entered[request.PlaceOfCommittee].Request
	o := *r.MethodOptions.(*committee.Options)
	if o.Members != "" {
		return
	}
	o.Members = members
	r.MethodOptions = &o
	c.entered[request.PlaceOfCommittee].Request = &r
}

// keep are the candidates that stay in the race however far they are behind: the committee with its
// members, of which the one without labels is one, or that one alone.
func (c *chooser) keep() (list []int) {
	for m, e := range c.entered {
		if m == request.PlaceOfCommittee || c.votes(m) && c.race.Runs(request.PlaceOfCommittee) || !e.Learns() {
			list = append(list, m)
		}
	}
	return list
}

// take takes a method without a comparison, or the one under which the documents were read if it
// does not take the run's options.
func (c *chooser) take(why string, which int) (*Choice, error) {
	e := c.entered[which]
	name, r := words.Plain(e.Name()), e.Request
	if r == nil {
		r, name = c.j.Request, c.j.Spec.Name
	}
	return c.become(&Choice{Method: name, By: "default", Why: why}, r)
}

// alone returns the one candidate that is left before any was tried, if there is one only.
func (c *chooser) alone() (request.Entrant, bool) {
	left := slices.DeleteFunc(slices.Clone(c.entered), func(e request.Entrant) bool { return e.Out != "" })
	if len(left) != 1 {
		return request.Entrant{}, false
	}
	return left[0], true
}

// takeOnly takes the one candidate that is left: there is nothing to compare it with.
func (c *chooser) takeOnly(e request.Entrant) (*Choice, error) {
	return c.become(&Choice{Method: words.Plain(e.Name()), By: "default", Why: "no other method takes the options of the run and the data"}, e.Request)
}

// bound settles how many folds are held out so that the comparison keeps its bound of work, and
// leaves out the methods that take most if one fold is too much.
func (c *chooser) bound() (rounds int) {
	known := &c.j.Prior
	c.check(request.PlaceOfCommittee)
	folds, rounds, out := c.limit(c.size(), crossval.Number(known.Labels, len(known.Names)))
	for _, m := range out {
		c.entered[m].Out = "it would take too long on so many data: name it to run it"
		c.race.Leave(m)
	}
	c.out.Folds = folds
	return rounds
}

// limit returns how many folds, of as many as suit the labels, are dealt and held out on data of a
// size, and the candidates that take too much even of one.
func (c *chooser) limit(size request.DataSize, suited int) (folds, rounds int, out []int) {
	work := make([]float64, len(c.entered))
	for m, e := range c.entered {
		switch {
		case e.Out != "":
			c.race.Leave(m)
		case e.Learns():
			work[m] = e.Work(size)
		}
	}
	return crossval.Bound(work, max(leastWork, trialRuns*(size.Graph()+request.ByEigenvectors(size))), suited)
}

// folds deals the known labels, for so many rounds, by the ids of their documents, so that the
// folds do not depend on the order of the file.
func (c *chooser) folds(rounds int) [][]int {
	g, ids := &c.j.Prior, c.j.Corpus.IDs
	order := indices.UpTo(len(g.Labels))
	if len(ids) == len(order) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	}
	folds := crossval.Rounds(labels.Pick(g.Labels, order), len(g.Names), c.out.Folds, rounds, c.j.Seed)
	for n, fold := range folds {
		folds[n] = labels.Pick(order, fold)
		slices.Sort(folds[n])
	}
	return folds
}

// size is the size of the data at work.
func (c *chooser) size() request.DataSize {
	j := c.j
	s := request.DataSize{Rows: float64(j.Corpus.Len()), Columns: float64(j.Columns()), Classes: float64(len(j.Prior.Names))}
	switch x := j.X.(type) {
	case nil:
	case sparse.Rows:
		s.Entries = float64(x.Pattern().NNZ())
	default:
		s.Entries = s.Rows * s.Columns
	}
	return s
}

// hold judges the candidates on the documents of a fold.
func (c *chooser) hold(ctx context.Context, fold []int) error {
	g := &c.j.Prior
	known := crossval.Without(g.Labels, fold, labels.Unknown)
	truth, left := labels.Pick(g.Labels, fold), job.LabelsPerClass(known)
	c.race.Hold(truth)
	c.out.HeldOut++
	c.verdicts += len(fold)
	c.found = map[string]*method.Clusters{}
	for m := range c.entered {
		if !c.race.Runs(m) || m == request.PlaceOfCommittee {
			continue
		}
		classes, scores, err := c.place(ctx, m, known)
		if stop := ctx.Err(); stop != nil {
			return stop
		}
		if err == nil {
			says := labels.Pick(classes, fold)
			c.race.Say(m, says)
			if scores != nil {
				c.tell(m, labels.Pick(scores, fold), truth, says, left)
			}
			continue
		}
		var unsettled *method.NotConvergedError
		if !errors.Is(err, fs.ErrInvalid) && !errors.As(err, &unsettled) {
			return err
		}
		c.leave(m, err)
	}
	if c.race.Runs(request.PlaceOfCommittee) {
		votes, err := committee.Votes(c.found, known, len(g.Names), fold)
		if err != nil {
			c.leave(request.PlaceOfCommittee, err)
		}
		c.cast = append(c.cast, ballot{fold, truth, left, votes})
	}
	return nil
}

// tell keeps what candidate m did with documents of the classes truth.
func (c *chooser) tell(m int, scores []float64, truth, says []int, left map[int]int) {
	if c.held[m] == nil {
		c.held[m] = new(job.HeldOut)
	}
	c.held[m].Add(scores, truth, says, left)
}

// leave takes a candidate out of the race for an error.
func (c *chooser) leave(m int, err error) {
	c.entered[m].Out = words.Plain(strings.TrimSuffix(err.Error(), "."))
	c.race.Leave(m)
}

// trial is one fit of a candidate.
type trial struct {
	j      *job.Job
	fitted *method.Fitted
	found  *method.Clusters
}

// place returns the classes that candidate m gives to all documents if these labels are known, -1
// for none, and its scores of them.
func (c *chooser) place(ctx context.Context, m int, known []int) (classes []int, scores []float64, err error) {
	one := c.blind[m]
	if one == nil {
		if one, err = c.fit(ctx, m, known); err != nil {
			return nil, nil, err
		}
		if !c.entered[m].Learns() {
			c.blind[m] = one
		}
	}
	if c.votes(m) {
		c.found[c.entered[m].Method()] = one.found
	}
	return one.j.Placed(ctx, one.fitted, one.found, known)
}

// fit clusters the documents by candidate m with these labels.
func (c *chooser) fit(ctx context.Context, m int, known []int) (*trial, error) {
	j, err := c.settled(c.entered[m].Request, known)
	if err != nil {
		return nil, err
	}
	if o, ok := j.MethodOptions.(method.Trialled); ok {
		j.MethodOptions = o.Trial()
	}
	in := j.Input()
	in.Shared = c.in.Shared
	fitted, found, err := j.FitOnce(ctx, in)
	return &trial{j, fitted, found}, err
}

// finish takes the candidate that placed most of the documents held out right, or the committee if
// no other is plainly before it: the errors of several methods are fewer than those of the one that
// is best on a few documents by chance.
func (c *chooser) finish() (*Choice, error) {
	ranked := c.race.Prefer(request.PlaceOfCommittee)
	if len(ranked) == 0 {
		return c.take("no method could be compared", request.PlaceOf(request.DefaultMethod))
	}
	for _, m := range ranked {
		s, note := c.race.Score(m), ""
		if s.Documents < c.verdicts {
			note = "plainly behind, so that it was not tried further"
		}
		c.out.Table = append(c.out.Table, ChoiceRow{words.Plain(c.entered[m].Name()), s.Accuracy, s.Error, s.MacroF1, min(s.Documents, c.out.Documents), note})
	}
	for _, e := range c.entered {
		if e.Out != "" {
			c.out.Table = append(c.out.Table, ChoiceRow{Method: words.Plain(e.Name()), Note: e.Out})
		}
	}
	if ranked[0] == request.PlaceOfCommittee {
		c.seat(committee.Weighed(rounded(c.weights(nil))))
	}
	best := c.entered[ranked[0]]
	if c.j.HeldOut = c.held[ranked[0]]; c.j.HeldOut != nil {
		c.j.HeldOut.Documents = c.out.Documents
	}
	c.out.Method, c.out.Why = words.Plain(best.Name()), c.out.sentence(request.DefaultMethod)
	if blind := c.entered[len(c.entered)-1]; blind.Out != "" {
		c.out.Why += fmt.Sprintf("; %s without labels was not compared: %s", request.DefaultMethod, blind.Out)
	}
	return c.become(c.out, best.Request)
}

// become makes the run one of the method chosen.
func (c *chooser) become(choice *Choice, of *request.Request) (*Choice, error) {
	c.j.Become(of)
	c.j.ByDefault = request.NoMethod + "; " + choice.Why
	return choice, c.j.SettleOptions()
}

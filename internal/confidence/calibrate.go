// Package confidence turns the scores of a method into confidences that mean the same in every
// method.
package confidence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Each method has a score of its own for how sure a cluster is: a probability, a ratio of
// distances, a margin. A calibration turns it into a share of documents like this one. Where known
// labels are enough to hold some out, it is the share that gets its class from a fit that does not
// know their labels (held.go). Else it is the share that gets the same cluster again from a second
// look at the corpus: the method on one half of the documents and a part of the terms, which then
// places the other half. So a confidence means the same in every method. See docs/confidence.md.

// The values of Options.Confidence.
const (
	confidenceCalibrated = "calibrated"
	ConfidenceRaw        = "raw"
)

const (
	// lookDocuments is the most documents of a second look that are clustered, and the most that
	// are placed.
	lookDocuments = 2000
	// leastLook is the least number of documents that are clustered; there must be two per cluster.
	leastLook = 20
	// leastTerms is the least number of columns of a look, if there are so many.
	leastTerms = 16
)

// lookTerms are the shares of the columns that the second looks have: of texts all and half of the
// terms; of dense data, whose columns say the same several times, half and a quarter. Shares and
// looks were chosen so that the mean confidence comes near the accuracy (docs/confidence.md).
var lookTerms = map[option.Data][]float64{option.SparseData: {1, 0.5}, option.DenseData: {0.5, 0.25}}

// Looks are second looks at the documents of a job. They hold copies of the rows that they need, so
// that they can be taken after the run.
type Looks struct {
	ready  []*look
	folds  [][]int   // documents of the one look whose labels are hidden in turn; nil: looks at other documents
	labels []int     // the cluster of each document
	scores []float64 // by which the method orders the documents

	mu    sync.Mutex // of Take, after which there is what it returned and nothing of the above
	taken bool
	curve *model.Calibration
	note  string
}

// Calibrate returns the curve from the scores of the documents to calibrated confidences; nil, with
// a note, where there can be none. found are the clusters of the documents, and config the options
// of the method before the fit. All ranks call it, and each makes the same curve.
func Calibrate(ctx context.Context, j *job.Job, config method.Options, found []int, clusters int, scores []float64) (*model.Calibration, error) {
	defer j.Stage("calibrate")()
	if j.HeldOut.Tells() {
		others := withoutLabel(j.Prior.Labels)
		return ofHeldOut(j.HeldOut, labels.Pick(scores, others), labels.Pick(labelsOf(found, &j.Prior), others)), nil
	}
	why, curve := unfit(j, clusters), (*model.Calibration)(nil)
	if why == "" {
		l, err := ready(j, config, found, scores)
		if err == nil {
			curve, err = l.take(alone(ctx))
		}
		if stop := ranks.Stopped(ctx); stop != nil {
			return nil, stop
		}
		why = reason(ranks.Agree(ranks.From(ctx), err))
	}
	if why != "" {
		j.Note(notCalibrated(why))
		return nil, nil
	}
	return curve, nil
}

// Prepare makes the second looks of [Calibrate] ready, for [Looks.Take] to take after the run; nil,
// with a note, where there can be none. It is for runs without ranks.
func Prepare(ctx context.Context, j *job.Job, config method.Options, labels []int, clusters int, scores []float64) (*Looks, error) {
	why, l := unfit(j, clusters), (*Looks)(nil)
	if why == "" {
		var err error
		l, err = ready(j, config, labels, scores)
		if stop := ctx.Err(); stop != nil {
			return nil, stop
		}
		why = reason(err)
	}
	if why != "" {
		j.Note(notCalibrated(why))
		return nil, nil
	}
	for _, one := range l.ready {
		one.of.Observer = nil // the run's, which is over by then
	}
	return l, nil
}

// Take takes the looks and returns what [Calibrate] would have returned during the run, or a note
// that says why there is none. The error is the context's; a later call tries again. Once the looks
// are taken, their rows are freed, and every call returns the same. Several goroutines may call it:
// a run and its model have the same looks.
func (l *Looks) Take(ctx context.Context) (curve *model.Calibration, note string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken {
		return l.curve, l.note, nil
	}
	curve, err = l.take(memory.Bound(alone(ctx), l.ready[0].of.MaxBytes))
	if stop := ctx.Err(); stop != nil {
		return nil, "", stop
	}
	if why := reason(err); why != "" {
		curve, note = nil, notCalibrated(why)
	}
	l.taken, l.curve, l.note = true, curve, note
	l.ready, l.folds, l.labels, l.scores = nil, nil, nil, nil
	return curve, note, nil
}

// alone returns a context for the work on rows that every rank has: without ranks and store.
func alone(ctx context.Context) context.Context {
	return store.With(ranks.With(ctx, ranks.Alone{}), nil)
}

// notCalibrated is the note that says why the scores stay as they are.
func notCalibrated(why string) string {
	return "The confidence is the method's own score and not calibrated: " + why
}

// reason is an error as the end of a note; "" of none.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return words.Plain(strings.TrimSuffix(err.Error(), "."))
}

// unfit says why there can be no second look at the corpus, "" if there can.
func unfit(j *job.Job, clusters int) string {
	switch n := j.Corpus.Len() / 2; {
	case j.X == nil:
		return "the affinity alone was given"
	case j.Affinity != nil && j.Joined == nil:
		return "the graph was made elsewhere"
	case j.Prior.Groups != nil:
		return "links join documents of all of the corpus"
	case n < leastLook || n < 2*clusters:
		return fmt.Sprintf("%s are too few for %s", words.Counted(j.Corpus.Len(), "document"), words.Counted(clusters, "cluster"))
	}
	return ""
}

// ready makes the second looks ready.
func ready(j *job.Job, config method.Options, labels []int, scores []float64) (*Looks, error) {
	l := &Looks{labels: labels, scores: scores}
	if known := j.Prior.Labels; known != nil && slices.Contains(known, unknown) {
		if err := l.readyFolds(j, config); err != nil || l.folds != nil {
			return l, err
		}
	}
	terms := lookTerms[j.Data()]
	loop := parallel.For
	if j.Share.Divided() {
		loop = parallel.Serial // ranks gather rows together
	}
	l.ready = make([]*look, len(terms))
	err := loop(context.Background(), len(terms), 1, func(_, number, _ int) error {
		rng := rand.New(rand.NewPCG(j.Seed, uint64(number)+1))
		fitted, held := parts(j, rng)
		if len(held) == 0 {
			return invalid.Errorf("every document has a known label, and none is left to be placed")
		}
		one, err := readyLook(j, config, uint64(number)+1, fitted, held, someTerms(rng, j.Columns(), terms[number]))
		l.ready[number] = one
		return ranks.Agree(j.Share, err)
	})
	return l, err
}

// take takes the second looks and makes the curve.
func (l *Looks) take(ctx context.Context) (*model.Calibration, error) {
	if l.folds != nil {
		return l.takeFolds(ctx)
	}
	var score []float64
	var same []bool
	founds, places, err := l.takeAll(ctx)
	if err = ranks.Agree(l.ready[0].share, err); err != nil {
		return nil, err
	}
	for number, found := range founds {
		rows := places[number]
		own := labels.Pick(l.labels, rows)
		table, err := metrics.NewTable(own, found)
		if err != nil {
			return nil, err
		}
		as := table.Assignment()
		for q, i := range rows {
			score = append(score, l.scores[i])
			same = append(same, as[slices.Index(table.Clusters, found[q])] == slices.Index(table.Classes, own[q]))
		}
	}
	return model.NewCalibration(score, same), nil
}

// sideBySide is the memory in bytes that must be left for looks to be taken at the same time,
// beside what [Looks.together] counts.
const sideBySide = 1 << 30

// together returns the memory in bytes that must be left for the looks to be taken at the same
// time: for two copies of dense rows and of numbers for each cluster and column, which take more
// than all else where there are many columns, and sideBySide.
func (l *Looks) together() int64 {
	need := int64(sideBySide)
	for _, one := range l.ready {
		rows, columns := one.of.X.Dims()
		if sparse.Is(one.of.X) {
			rows = 0
		}
		need = memory.Sum(need, memory.Bytes(2*8, rows+one.of.Clusters, columns))
	}
	return need
}

// takeAll takes each look: side by side if there is room, with the progress of the first. Each has
// parts that one thread does, beside which another look goes on.
func (l *Looks) takeAll(ctx context.Context) (found, rows [][]int, err error) {
	loop := parallel.Serial
	if need := l.together(); parallel.Workers(len(l.ready), 1) > 1 && memory.UpTo(ctx, need) == need {
		loop = parallel.For
		for _, one := range l.ready[1:] {
			one.of.Observer = nil // whose progress would go back and forth
		}
	}
	looks := len(l.ready)
	found, rows = make([][]int, looks), make([][]int, looks)
	failed := make([]error, looks) // the first look's error is returned, whichever came first
	err = loop(ctx, looks, 1, func(_, number, _ int) error {
		found[number], rows[number], failed[number] = l.ready[number].take(ctx)
		return nil
	})
	for _, one := range failed {
		if err == nil {
			err = one
		}
	}
	return found, rows, err
}

// ofPart are the options of a method for a part of the documents and of the columns: with the
// decisions of all of them, and no more landmarks, neighbours, components and coordinates than the
// part can have. Coordinates of a graph, and topics, of which each is a cluster, are not bounded by
// the columns; of methods that find clusters beside coordinates the first singular vector is none.
func ofPart(j *job.Job, config method.Options, documents, columns int) method.Options {
	own := option.Clone(config).(method.Options)
	if d, ok := own.(method.Deciding); ok {
		own = j.Decided(d)
	}
	fields := option.Of(own)
	bound := func(name string, unset, most int) {
		f := option.Find(fields, name)
		if f == nil {
			return
		}
		n, err := strconv.Atoi(f.String())
		if !f.IsSet() {
			n, err = unset, nil
		}
		if err == nil && n > most {
			if err := f.Set(strconv.Itoa(max(1, most))); err != nil {
				panic(err) // a number of at least 1
			}
		}
	}
	bound("landmarks", 0, documents)
	bound("neighbors", 0, documents-1)
	bound("reach", 0, documents-1)
	rank := min(documents-1, columns)
	bound("pca", 0, rank)
	switch {
	case j.Spec.Needs.Affinity:
		bound("dims", 0, documents-1)
	case j.Spec.ThenKMeans():
		bound("dims", j.Clusters, rank)
	default:
		bound("dims", 0, max(j.Clusters, min(documents, columns)-1))
	}
	return own
}

// parts are the documents of a look that are clustered and that are placed, ascending: halves, or
// lookDocuments each. Documents with a known label are never placed: they are clustered, up to
// twice lookDocuments in all.
func parts(j *job.Job, rng *rand.Rand) (fitted, held []int) {
	n := j.Corpus.Len()
	most := min(n/2, lookDocuments)
	for _, i := range rng.Perm(n) {
		known := j.Prior.Labels != nil && j.Prior.Labels[i] >= 0
		switch {
		case known && len(fitted) < 2*lookDocuments || !known && len(fitted) < most:
			fitted = append(fitted, i)
		case !known && len(held) < most:
			held = append(held, i)
		}
	}
	slices.Sort(fitted)
	slices.Sort(held)
	return fitted, held
}

// someTerms are the columns of a look, ascending.
func someTerms(rng *rand.Rand, columns int, share float64) []int {
	terms := rng.Perm(columns)[:max(int(share*float64(columns)), min(columns, leastTerms))]
	slices.Sort(terms)
	return terms
}

// look is a second look that is ready: the method clusters a part of the documents by a part of the
// terms and places others.
type look struct {
	of           *job.Job       // of the documents that are clustered
	share        *ranks.Share   // of the run
	fitted, held []int          // which documents are clustered, and which are placed
	x            mat.Matrix     // rows of those that are placed
	joined       *graph.Options // of the graph that the run was given; nil if it was given none
	together     bool           // Input.Together
}

// readyLook takes the rows of a look. The ranks gather them together; each then works on all of
// them alone.
func readyLook(j *job.Job, config method.Options, more uint64, fitted, held, terms []int) (l *look, err error) {
	known := j.Prior.Labels
	t := j.Trial(j.Request, known)
	l = &look{of: t, share: j.Share, together: j.CountsOnce()}
	t.Seed, t.Affinity, t.InMemory, t.Confidence = j.Seed+more, nil, true, ConfidenceRaw
	if t.X, l.fitted, err = j.View(j.X, fitted, terms, true); err != nil {
		return nil, err
	}
	if least := max(2, j.Clusters); len(l.fitted) < least {
		return nil, invalid.Errorf("in a part of the documents and of the terms %s %s a term, too few for %s",
			words.Counted(len(l.fitted), "document"), words.Verb(len(l.fitted), "has", "have"), words.Counted(j.Clusters, "cluster"))
	}
	_, columns := t.X.Dims()
	t.TakeTimes(j, l.fitted)
	t.MethodOptions = ofPart(j, config, len(l.fitted), columns)
	counts := t.X
	// The columns of vectors are others, and no method sees counts then.
	given := j.RowsHere().X
	if raw := sparse.Is(given) && j.X == given && j.Normalize != corpus.NormL2; !j.ByOthers() && !raw {
		if counts, _, err = j.View(given, l.fitted, terms, false); err != nil {
			return nil, err
		}
	}
	if len(held) > 0 {
		if l.x, l.held, err = j.View(j.X, held, terms, true); err != nil {
			return nil, err
		}
	}
	t.Corpus = &corpus.Corpus{Name: j.Corpus.Name, X: counts}
	if known != nil {
		t.Prior.Labels = labels.Pick(known, l.fitted)
	}
	if j.Affinity != nil {
		l.joined = j.Joined
	}
	return l, nil
}

// take returns the clusters of the documents that are placed, and which these are. Of a method that
// places no new documents it returns the clusters of the first part.
func (l *look) take(ctx context.Context) (found, rows []int, err error) {
	placer, clusters, err := l.fit(ctx)
	switch {
	case err != nil:
		return nil, nil, err
	case placer == nil:
		return clusters.Labels, l.fitted, nil
	}
	found, err = place(ctx, placer, clusters, l.x)
	return found, l.held, err
}

// fit clusters the part of the documents that the look takes.
func (l *look) fit(ctx context.Context) (placer method.Placer, found *method.Clusters, err error) {
	if err = l.join(ctx); err != nil {
		return nil, nil, err
	}
	in := l.of.Input()
	in.Together = l.together
	f, found, err := l.of.FitOnce(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return f.Placer, found, nil
}

// join makes the graph of the documents that are clustered, if the run was given one.
func (l *look) join(ctx context.Context) (err error) {
	if l.joined != nil {
		l.of.Affinity, err = graph.Build(ctx, l.of.X, *l.joined)
	}
	return err
}

// place finds the clusters of further documents.
func place(ctx context.Context, placer method.Placer, of *method.Clusters, x mat.Matrix) ([]int, error) {
	at, err := placer.Place(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	if at.Labels == nil {
		coordinates := x
		if at.Embedding != nil {
			coordinates = at.Embedding
		}
		at.Labels, err = kmeans.Nearest(ctx, of, coordinates, x)
	}
	return at.Labels, err
}

package confidence

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
)

const (
	unknown = labels.Unknown
	// enoughHeldOut is the number of documents with hidden labels after which no more are hidden:
	// the standard error of the share that got their class is then at most 0.032.
	enoughHeldOut = 250
	// manyFolds is the most folds that labels are dealt into.
	manyFolds = 5
	// foldDocuments is the most documents without a label, and the most with one, that are clustered
	// with hidden labels. Fewer of them teach a method less than the run's: of Debian's 5,851, 2,000
	// cost the committee .05 of its accuracy.
	foldDocuments = 2 * lookDocuments
)

// readyFolds makes the one look ready in which the method clusters documents with and without known
// labels, once for each fold of labels that is hidden from it. It makes none if too few labels can
// be hidden, or if a cluster of the run has none: its documents have no class to be right about.
func (l *Looks) readyFolds(j *job.Job, config method.Options) error {
	if len(dealt(j, j.Prior.Labels)) == 0 || hasNameless(l.labels, j.Prior.Labels) {
		return nil
	}
	all := indices.UpTo(j.Columns())
	one, err := readyLook(j, config, 0, withLabels(j), nil, all)
	if err = ranks.Agree(j.Share, err); err != nil {
		return err
	}
	if folds := dealt(j, one.of.Prior.Labels); len(folds) > 0 {
		l.ready, l.folds = []*look{one}, folds
	}
	return nil
}

// hasNameless reports whether some document is in a cluster without a known label.
func hasNameless(clusters, known []int) bool {
	named := make([]bool, 1+slices.Max(clusters))
	for i, k := range clusters {
		named[k] = named[k] || known[i] != unknown
	}
	return slices.ContainsFunc(clusters, func(k int) bool { return !named[k] })
}

// withLabels are the documents of a look with hidden labels, ascending: foldDocuments without a
// label and as many with one, the first of each class among them; all if there are no more.
func withLabels(j *job.Job) (list []int) {
	seen, known, others := make([]bool, len(j.Prior.Names)), 0, 0
	for _, i := range rand.New(rand.NewPCG(j.Seed, 0)).Perm(j.Corpus.Len()) {
		switch k := j.Prior.Labels[i]; {
		case k == unknown && others < foldDocuments:
			others++
		case k != unknown && (known < foldDocuments || !seen[k]):
			known++
			seen[k] = true
		default:
			continue
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// dealt deals known labels into the folds that are hidden in turn, enoughHeldOut documents or one
// more fold; none if these are too few to calibrate by.
func dealt(j *job.Job, known []int) (folds [][]int) {
	classes := len(j.Prior.Names)
	held := job.HeldOut{Documents: min(enoughHeldOut, crossval.HeldOut(known, classes))}
	if !held.Tells() {
		return nil
	}
	count := 0
	for _, fold := range crossval.Folds(known, classes, min(manyFolds, crossval.Number(known, classes)), j.Seed) {
		if count < enoughHeldOut {
			folds = append(folds, fold)
		}
		count += len(fold)
	}
	return folds
}

// takeFolds fits the method once for each fold and makes the curve of the documents whose labels
// were hidden. The run may have more documents than the look, so a score is replaced by the run's
// score at the same place among the documents without a label. Their mean confidence is then the
// share that was right. If the look has fewer than leastLook documents without a label, scores are
// not replaced; documents without terms are not in the look.
func (l *Looks) takeFolds(ctx context.Context) (*model.Calibration, error) {
	one, known := l.ready[0], l.ready[0].of.Prior.Labels
	if err := one.join(ctx); err != nil {
		return nil, ranks.Agree(one.share, err)
	}
	shared, held := new(method.Shared), new(job.HeldOut)
	others := withoutLabel(known)
	of := slices.Sorted(slices.Values(labels.Pick(l.scores, labels.Pick(one.fitted, others))))
	has := labels.Pick(labelsOf(labels.Pick(l.labels, one.fitted), &one.of.Prior), others)
	for _, fold := range l.folds {
		rest := crossval.Without(known, fold, unknown)
		classes, scores, err := one.hide(ctx, rest, shared)
		if err = ranks.Agree(one.share, err); err != nil {
			return nil, err
		}
		if scores == nil {
			continue
		}
		mine := labels.Pick(scores, fold)
		if len(others) >= leastLook {
			as := slices.Sorted(slices.Values(labels.Pick(scores, others)))
			for q, s := range mine {
				mine[q] = alike(s, as, of)
			}
		}
		held.Add(mine, labels.Pick(known, fold), labels.Pick(classes, fold), job.LabelsPerClass(rest))
		held.Documents += len(fold)
	}
	return ofHeldOut(held, of, has), nil
}

// withoutLabel are the documents without a known label, ascending.
func withoutLabel(known []int) (list []int) {
	for i, k := range known {
		if k == unknown {
			list = append(list, i)
		}
	}
	return list
}

// labelsOf returns for each document how many known labels the class of its cluster has: the class
// of most of the cluster's known labels; 0 if it has none.
func labelsOf(clusters []int, known *job.Prior) []int {
	count := job.LabelsPerClass(known.Labels)
	list := crossval.Classes(clusters, known.Labels, nil, known.Names)
	for i, k := range list {
		if list[i] = 0; k >= 0 {
			list[i] = count[k]
		}
	}
	return list
}

// ofHeldOut is the curve of documents whose labels were hidden. others are the scores of documents
// without a label, and has how many labels the class of each has: their mean confidence is the
// share of them that is expected to be right, if there are leastLook.
func ofHeldOut(held *job.HeldOut, others []float64, has []int) *model.Calibration {
	curve := model.NewCalibration(held.Scores, held.Right)
	if curve != nil && len(others) >= leastLook {
		curve.Level(others, held.Share(has))
	}
	return curve
}

// hide fits the method with these known labels, and returns the class and the score of each
// document.
func (l *look) hide(ctx context.Context, known []int, shared *method.Shared) (classes []int, scores []float64, err error) {
	t := l.of.Trial(l.of.Request, known)
	if o, ok := t.MethodOptions.(method.Trialled); ok {
		t.MethodOptions = o.Trial()
	}
	in := t.Input()
	in.Together, in.Shared = l.together, shared
	fitted, found, err := t.FitOnce(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return t.Placed(ctx, fitted, found, known)
}

// alike is the score that has the place in to that s has in from, both ascending and equally many:
// straight between the places, level outside; of equal scores the middle place.
func alike(s float64, from, to []float64) float64 {
	lo, _ := slices.BinarySearch(from, s)
	hi, _ := slices.BinarySearchFunc(from, s, func(v, s float64) int {
		if v <= s {
			return -1
		}
		return cmp.Compare(v, s)
	})
	at := float64(lo+hi-1) / 2
	if lo == hi && lo > 0 && lo < len(from) {
		at = float64(lo-1) + (s-from[lo-1])/(from[lo]-from[lo-1])
	}
	at = min(max(at, 0), float64(len(to)-1))
	below, part := math.Modf(at)
	if part == 0 {
		return to[int(below)]
	}
	return to[int(below)] + part*(to[int(below)+1]-to[int(below)])
}

package crossval

import "slices"

// A comparison has manyFolds folds, or fewFolds if at most two can be held out. If fewer suit the
// labels, it has whole deals of them, so many rounds at most.
const manyFolds, fewFolds, manyRounds = 5, 3, 6

// Bound settles a comparison of methods in which each fit of method m takes work[m], so that all
// fits together take at most limit, in any unit. folds is the number of folds to deal, of which
// rounds are held out in turn. out are the methods for which even one fold is too much, those that
// take most. A method with work 0 is not fitted again for each fold.
//
// suited is the number of folds that suit the labels ([Number]).
func Bound(work []float64, limit float64, suited int) (folds, rounds int, out []int) {
	left := slices.Clone(work)
	sum := 0.0
	for _, w := range left {
		sum += w
	}
	for sum > limit {
		most := slices.Index(left, slices.Max(left))
		out = append(out, most)
		if left[most] = 0; slices.Max(left) == 0 {
			break
		}
		sum -= work[most]
	}
	most := manyFolds
	if suited < manyFolds {
		most = manyRounds / suited * suited
	}
	rounds = most
	if sum > 0 {
		rounds = max(1, int(min(float64(most), limit/sum)))
	}
	if folds = min(suited, manyFolds); rounds < fewFolds {
		folds = min(folds, fewFolds)
	}
	if rounds > folds {
		rounds -= rounds % folds
	}
	return folds, rounds, out
}

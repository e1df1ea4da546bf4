package crossval

import (
	"cmp"
	"math"
	"slices"
)

// behind is how many standard errors of their difference a method may be behind the best one and
// stay in a race. The error comes from the documents that one of the two alone placed right
// (McNemar 1947).
const behind = 2.5

// Race compares methods on documents that were held out. The zero value is not ready: use
// [NewRace].
type Race struct {
	// Distinct is the number of documents there are to hold out, if some are held out more than
	// once; 0: each is once. Errors are those of so many documents.
	Distinct int

	classes int
	truth   []int   // of the documents held out so far
	said    [][]int // of each method, the classes that it gave them; shorter if it left the race
	out     []bool  // methods that left
}

// NewRace begins a race of so many methods over labels of so many classes.
func NewRace(methods, classes int) *Race {
	return &Race{classes: classes, said: make([][]int, methods), out: make([]bool, methods)}
}

// Runs reports whether method m is still in the race.
func (r *Race) Runs(m int) bool { return !r.out[m] }

// Leave takes method m out of the race: it cannot work on these data.
func (r *Race) Leave(m int) { r.out[m], r.said[m] = true, nil }

// Hold begins a fold whose documents have the classes truth.
func (r *Race) Hold(truth []int) { r.truth = append(r.truth, truth...) }

// Say adds the classes that method m gave to the documents of the fold, negative for none.
func (r *Race) Say(m int, classes []int) { r.said[m] = append(r.said[m], classes...) }

// Drop takes out of the race the methods that are plainly behind the best of those in it, but for
// those to keep, and reports whether all others are behind.
func (r *Race) Drop(keep ...int) (decided bool) {
	ranked := r.Rank()
	if len(ranked) == 0 {
		return true
	}
	decided = true
	for m := range r.said {
		if m == ranked[0] || r.out[m] || len(r.said[m]) == 0 { // one without a verdict is judged later
			continue
		}
		late := r.lead(ranked[0], m) > behind
		r.out[m] = late && !slices.Contains(keep, m)
		decided = decided && late
	}
	return decided
}

// lead is how far the method best is before m, in standard errors of their difference.
func (r *Race) lead(best, m int) float64 {
	better, worse := 0, 0
	for i, k := range r.truth {
		a, b := r.said[best][i] == k, r.said[m][i] == k
		switch {
		case a && !b:
			better++
		case b && !a:
			worse++
		}
	}
	often := r.times(len(r.said[m]))
	return float64(better-worse) / often / max(1, math.Sqrt(float64(better+worse)/often))
}

// times is how often a document was held out, on average over n that were.
func (r *Race) times(n int) float64 {
	if r.Distinct == 0 {
		return 1
	}
	return max(1, float64(n)/float64(r.Distinct))
}

// telling is how many documents of a class on average are needed to decide between methods of
// equal accuracy: with two documents the F1 of a class is chance, and so is it that a method places
// all of them right.
const telling = 5

// tells says whether so many documents were held out.
func (r *Race) tells() bool {
	return len(r.truth) >= int(r.times(len(r.truth))*telling*float64(r.classes))
}

// Rank returns the methods that have a verdict, the best first: those that were judged on all
// documents before those that left, by accuracy, then by macro-F1 if there are five documents of a
// class on average, then in their order.
func (r *Race) Rank() []int {
	var list []int
	scores := make([]Score, len(r.said))
	for m := range r.said {
		if len(r.said[m]) > 0 {
			list = append(list, m)
			scores[m] = r.Score(m)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := scores[a], scores[b]
		if !r.tells() {
			x.MacroF1, y.MacroF1 = 0, 0
		}
		return cmp.Or(cmp.Compare(y.Documents, x.Documents), cmp.Compare(y.Accuracy, x.Accuracy), cmp.Compare(y.MacroF1, x.MacroF1))
	})
	return list
}

// near is how many of these errors a method that is preferred may be behind the best one.
const near = 2

// Prefer is [Race.Rank] with a method before all others that were judged on as many documents as it
// and that are at most two standard errors of their difference before it. But where others placed
// every document right as it did, and there were five documents of a class on average, they come
// first: nothing speaks for it.
func (r *Race) Prefer(m int) []int {
	ranked := r.Rank()
	at := slices.Index(ranked, m)
	if at < 0 {
		return ranked
	}
	if own := r.Score(m); own.Accuracy == 1 && r.tells() {
		to := at
		for to+1 < len(ranked) && r.Score(ranked[to+1]) == own {
			to++
		}
		return slices.Insert(slices.Delete(ranked, at, at+1), to, m)
	}
	for first, other := range ranked[:at] {
		if len(r.said[other]) == len(r.said[m]) && r.lead(other, m) <= near {
			return slices.Insert(slices.Delete(ranked, at, at+1), first, m)
		}
	}
	return ranked
}

// Score is how well a method placed the documents that it was judged on.
type Score struct {
	Documents int
	Accuracy  float64 // share of the documents that got their class, 0 to 1
	MacroF1   float64 // mean of F1 over the classes that occur among the documents, 0 to 1
	Error     float64 // standard error of Accuracy
}

// Score is the verdict on method m so far; the zero value if there is none.
func (r *Race) Score(m int) Score {
	s := Score{Documents: len(r.said[m])}
	if s.Documents == 0 {
		return s
	}
	right, given, has := make([]int, r.classes), make([]int, r.classes), make([]int, r.classes)
	all := 0
	for i, k := range r.said[m] {
		truth := r.truth[i]
		has[truth]++
		if k >= 0 {
			given[k]++
		}
		if k == truth {
			right[k]++
			all++
		}
	}
	occur := 0
	for k, n := range has {
		if n > 0 {
			occur++
			s.MacroF1 += 2 * float64(right[k]) / float64(n+given[k])
		}
	}
	s.MacroF1 /= float64(occur)
	n := float64(s.Documents)
	s.Accuracy = float64(all) / n
	s.Error = math.Sqrt(s.Accuracy * (1 - s.Accuracy) * r.times(s.Documents) / n)
	return s
}

// Majority names clusters by the labels of the documents in them: cluster[i] is the cluster of
// document i, negative for none, and labels[i] its class, negative if it is not known. The name of
// a cluster is the class of most of its labelled documents, the lower class on a tie, or -1 if it
// has none.
func Majority(cluster, labels []int, clusters, classes int) []int {
	counts := make([]int, clusters*classes)
	for i, c := range cluster {
		if c >= 0 && labels[i] >= 0 {
			counts[c*classes+labels[i]]++
		}
	}
	names := make([]int, clusters)
	for c := range names {
		row := counts[c*classes:][:classes]
		best := slices.Max(row)
		if names[c] = slices.Index(row, best); best == 0 {
			names[c] = -1
		}
	}
	return names
}

// Classes returns the class of each document by the cluster that it is in, -1 for none. of are the
// names of the clusters; a cluster whose name is not among names has no class. Clusters beyond of,
// which is nil if none has a name, have the class of most of their labels ([Majority]).
// O(n + clusters·classes).
func Classes(cluster, labels []int, of, names []string) []int {
	class := Majority(cluster, labels, 1+max(0, slices.Max(cluster)), len(names))
	for k, name := range of {
		if k < len(class) {
			class[k] = slices.Index(names, name)
		}
	}
	list := make([]int, len(cluster))
	for i, k := range cluster {
		if list[i] = -1; k >= 0 {
			list[i] = class[k]
		}
	}
	return list
}

// Package manifold has what Isomap and locally linear embedding have in common: landmarks,
// documents outside of the part of the graph that is embedded, and the placement of new rows.
package manifold

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// LargestPart returns the nodes of the largest of a graph's connected components, the first of
// equal ones, and the others. of is the component of each node.
func LargestPart(of []int32, components int) (kept, outside []int) {
	members := make([][]int, components)
	for i, c := range of {
		members[c] = append(members[c], i)
	}
	for _, part := range members {
		if len(part) > len(kept) {
			kept = part
		}
	}
	if len(kept) < len(of) {
		outside = rows.Others(len(of), kept)
	}
	return kept, outside
}

// CheckLandmarks refuses more landmarks than documents, and too few for the dimensions; 0 landmarks
// are the default and always right.
func CheckLandmarks(in *method.Input, landmarks, dims int) error {
	switch n := in.Len(); {
	case landmarks > n:
		return invalid.Errorf("‹landmarks› %d is more than its %s: give fewer, or leave it out", landmarks, words.Counted(n, "document"))
	case landmarks > 0 && landmarks <= dims:
		return invalid.Errorf("‹landmarks› %d cannot carry %s: give at least %d, or fewer dimensions with ‹dims›", landmarks, words.Counted(dims, "dimension"), dims+1)
	}
	return nil
}

// WithoutLandmarks is the error of an option that has no effect because all documents are
// landmarks.
func WithoutLandmarks(in *method.Input, option string) error {
	return invalid.Errorf("%s has no effect if all %s are embedded without landmarks: leave it out, or give fewer ‹landmarks›",
		words.Option(option), words.Counted(in.Len(), "document"))
}

// NoteLandmarks reports that the part of the graph that is embedded has no more documents than
// there should be landmarks.
func NoteLandmarks(in *method.Input, landmarks, embedded int) {
	if embedded < in.Len() && landmarks >= embedded {
		in.Notef("The graph's largest part has %s, no more than ‹landmarks› %d: it is embedded without landmarks.", words.Counted(embedded, "document"), landmarks)
	}
}

// NoteOutside says how documents outside of the largest part are embedded too, if they are more
// than one in a hundred. parts is the value of the option ‹parts› that embeds them, "" for none.
func NoteOutside(in *method.Input, outside int, parts string) {
	if 100*outside > in.Len() {
		way, retry := "", "neighbors=*2"
		if parts != "" {
			retry = "parts=" + parts
			way = fmt.Sprintf("‹parts› %s embeds them too, and ", parts)
		}
		in.Observer.Advisef(progress.Warning, "", retry, "Documents that are not embedded are placed at the origin; %smore ‹neighbors› leave fewer out.", way)
	}
}

// Placed is the placement of rows x at y. lost are the rows without a place, which y has at the
// origin; same is the training row that each row equals, -1 for none. alone says that a row has no
// edge, but to a training row that it equals; nil where rows have none.
func Placed(x mat.Matrix, y *mat.Dense, lost []bool, same []int, alone func(i int) bool, normalize bool) *method.Placement {
	out := &method.Placement{Embedding: rows.MaybeNormalized(y, normalize)}
	empty := rows.WithoutEntries(x)
	for i, l := range lost {
		_, none := slices.BinarySearch(empty, i)
		none = none || same[i] >= 0 && alone != nil && alone(i)
		switch {
		case same[i] >= 0 && !none:
			out.Known = append(out.Known, i)
		case l || none:
			out.Isolated = append(out.Isolated, i)
		}
	}
	return out
}

// Package links holds pairwise constraints: two documents must, or cannot, be in one cluster.
package links

// Link is one constraint between the documents A and B (row numbers from 0).
type Link struct {
	A, B   int
	Cannot bool
	Line   int // of the file it came from, from 1; 0 where it came from no file
}

// Groups is what a consistent set of links says. Documents joined by a chain of links form a group; within it those on one
// side must be together, and, in the two-class reading, the two sides apart.
type Groups struct {
	Count    int
	Group    []int32 // of each document; -1 without a link
	Side     []int8  // +1 or -1; 0 without a link. The group's lowest document has +1
	TwoSided []bool  // by group: it holds a cannot-link
}

// Resolve joins the links of n documents, or names every contradiction (*ContradictionError inside errors.Join).
func Resolve(n int, list []Link) (*Groups, error) { panic("contract") }

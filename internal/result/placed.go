package result

import "slices"

// How a document came to its cluster: the column placed of clusters.csv.
const (
	PlacedYes      = "yes"      // by what it has in common with the others
	PlacedIsolated = "isolated" // it has nothing in common with any: its cluster is arbitrary
	PlacedKnown    = "known"    // it is a document of the model, and is where it was
)

// PlacedCounts counts the documents by how they came to their clusters.
type PlacedCounts struct {
	Yes      int `json:"yes"`
	Isolated int `json:"isolated"`
	Known    int `json:"known"`
}

// Placed says how document i came to its cluster.
func (r *Run) Placed(i int) string {
	if _, found := slices.BinarySearch(r.Isolated, i); found {
		return PlacedIsolated
	}
	if _, found := slices.BinarySearch(r.known, i); found {
		return PlacedKnown
	}
	return PlacedYes
}

// PlacedCounts counts the documents by how they came to their clusters.
func (r *Run) PlacedCounts() PlacedCounts {
	var c PlacedCounts
	for i := range r.Corpus.Len() {
		switch r.Placed(i) {
		case PlacedIsolated:
			c.Isolated++
		case PlacedKnown:
			c.Known++
		default:
			c.Yes++
		}
	}
	return c
}

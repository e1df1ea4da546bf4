package eigenmap_test

import (
	"slices"
	"strings"
	"testing"
)

// With 5 % of the labels two clusters of semi-le hold labelled documents nearly alone, and a
// warning says so; with rows of unit length none does (26 November 2026: accuracy on the other
// documents .505 and .730).
func TestIslands(t *testing.T) {
	if testing.Short() {
		t.Skip("it clusters 5,971 texts twice")
	}
	island := func(note string) bool { return strings.HasPrefix(note, "Clusters of labelled documents") }
	plain := cluster(t, "examples/debian/packages.jsonl.gz", options(t, "semi-le", "clusters", "12", "seed", "0", "labeled-fraction", "0.05"))
	if notes := plain.Notes(); !slices.ContainsFunc(notes, func(n string) bool { return island(n) && strings.Contains(n, "normalize-rows or another method") }) {
		t.Errorf("notes: %q", notes)
	}
	unit := cluster(t, "examples/debian/packages.jsonl.gz", options(t, "semi-le", "clusters", "12", "seed", "0", "labeled-fraction", "0.05", "normalize-rows", "true"))
	if notes := unit.Notes(); slices.ContainsFunc(notes, island) {
		t.Errorf("with rows of unit length: %q", notes)
	}
	if unit.Unlabeled.Accuracy < plain.Unlabeled.Accuracy+0.1 {
		t.Errorf("accuracy %.3f, with rows of unit length %.3f", plain.Unlabeled.Accuracy, unit.Unlabeled.Accuracy)
	}
}

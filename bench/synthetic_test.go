package bench

import (
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
)

func TestDocumentsAreAValidMatrixAndRepeatable(t *testing.T) {
	d := Documents{Docs: 300, Terms: 2000, Topics: 5, Stories: 4, Length: 80, Seed: 3}
	x, labels := d.Counts()
	if _, err := sparse.NewCSR(x.NumRows, x.NumCols, x.RowPtr, x.Col, x.Val); err != nil {
		t.Fatal(err)
	}
	if len(x.EmptyRows()) > 0 || slices.Min(x.Val) < 1 {
		t.Error("a document is empty or a count is below 1")
	}
	again, labelsAgain := d.Counts()
	if !slices.Equal(x.Col, again.Col) || !slices.Equal(x.Val, again.Val) || !slices.Equal(labels, labelsAgain) {
		t.Error("the same description gave another corpus")
	}
	d.Seed++
	if other, _ := d.Counts(); slices.Equal(x.Col, other.Col) {
		t.Error("another seed gave the same corpus")
	}
}

// Documents of one topic must be nearer to each other than to the rest, or their graphs would not
// be like graphs of documents.
func TestDocumentsOfOneTopicAreNear(t *testing.T) {
	x, labels := Documents{Docs: 400, Terms: 5000, Topics: 6, Stories: 4, Length: 120, Seed: 1}.Counts()
	u := x.NormalizeRows()
	same, other := 0., 0.
	var sames, others int
	for i := range labels {
		for j := range i {
			if labels[i] == labels[j] {
				same, sames = same+dot(u, i, j), sames+1
			} else {
				other, others = other+dot(u, i, j), others+1
			}
		}
	}
	if same, other = same/float64(sames), other/float64(others); same < 1.5*other {
		t.Errorf("mean cosine %.3f within topics and %.3f between them", same, other)
	}
}

func dot(a *sparse.CSR, i, j int) (sum float64) {
	ci, vi := a.Row(i)
	for e, c := range ci {
		sum += vi[e] * a.At(j, int(c))
	}
	return sum
}

func TestZipfIsADistribution(t *testing.T) {
	c := zipf(50, 2)
	if c[49] != 1 || !slices.IsSorted(c) || c[0] <= c[1]-c[0] {
		t.Errorf("not a falling distribution: %v", c)
	}
}

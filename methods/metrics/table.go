package metrics

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// maxCells bounds a table to 256 MiB. More classes times clusters than that are no labelings but row
// numbers read as labels.
const maxCells = 1 << 25

// Table counts the rows of every class in every cluster.
type Table struct {
	// Counts holds the rows of class i in cluster j at [i][j]: rectangular, not negative.
	Counts [][]int
	// Classes and Clusters are the labels behind the table's rows and columns, ascending.
	Classes, Clusters []int
}

// NewTable counts the pairs (truth[i], predicted[i]), leaving out every row with truth[i] < 0.
//
// It fails (fs.ErrInvalid) where the lengths differ, where no labelled row is left, and where
// classes × clusters exceed 2²⁵. O(n) time for n rows, 8 bytes a cell.
func NewTable(truth, predicted []int) (*Table, error) {
	if len(truth) != len(predicted) {
		return nil, invalid.Errorf("the true labels count %d rows and the predicted labels %d: both must describe the same rows",
			len(truth), len(predicted))
	}
	classes, clusters := map[int]int{}, map[int]int{}
	for i, c := range truth {
		if c >= 0 {
			classes[c] = 0
			clusters[predicted[i]] = 0
		}
	}
	if len(classes) == 0 {
		if len(truth) == 0 {
			return nil, invalid.Errorf("the labelings are empty: there is nothing to compare")
		}
		return nil, invalid.Errorf("none of the %d rows has a true label: there is nothing to compare", len(truth))
	}
	if len(clusters) > maxCells/len(classes) {
		return nil, invalid.Errorf("%d classes against %d clusters are too many to compare (at most %d cells): check that the labels are labels and not row numbers",
			len(classes), len(clusters), maxCells)
	}
	t := &Table{Classes: number(classes), Clusters: number(clusters)}
	cells := make([]int, len(classes)*len(clusters))
	t.Counts = make([][]int, len(classes))
	for i := range t.Counts {
		t.Counts[i] = cells[i*len(clusters) : (i+1)*len(clusters)]
	}
	for i, c := range truth {
		if c >= 0 {
			t.Counts[classes[c]][clusters[predicted[i]]]++
		}
	}
	return t, nil
}

// number sets each label's value to its rank and returns the labels, ascending.
func number(rank map[int]int) []int {
	labels := make([]int, 0, len(rank))
	for l := range rank {
		labels = append(labels, l)
	}
	slices.Sort(labels)
	for r, l := range labels {
		rank[l] = r
	}
	return labels
}

// Assignment maps each cluster (column) to the class (row) that it stands for, -1 where it stands
// for none: the one-to-one assignment with the most rows agreeing, by Kuhn-Munkres. A cluster and a
// class without a common row are not assigned to each other.
//
// Of several optimal assignments it takes the one that comes out with the clusters ordered by their
// counts, class by class, the larger first; so renumbering the clusters renumbers the assignment and
// changes nothing else. O(min(r,c)²·max(r,c)) for r classes and c clusters.
func (t *Table) Assignment() []int {
	r := len(t.Counts)
	if r == 0 {
		return nil
	}
	c := len(t.Counts[0])
	order := make([]int, c)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int {
		for _, row := range t.Counts {
			if row[x] != row[y] {
				return row[y] - row[x]
			}
		}
		return 0
	})
	to := make([]int, c)
	for j := range to {
		to[j] = -1
	}
	for i, j := range maxAssignment(r, c, func(i, j int) int { return t.Counts[i][order[j]] }) {
		if j >= 0 && t.Counts[i][order[j]] > 0 {
			to[order[j]] = i
		}
	}
	return to
}

// ByLabel maps each cluster (column) to the class (row) of the same label, -1 where there is none: for answers whose labels are classes.
func (t *Table) ByLabel() []int {
	to := make([]int, len(t.Clusters))
	for j, label := range t.Clusters {
		to[j] = slices.Index(t.Classes, label)
	}
	return to
}

// margins returns the row sums, the column sums and the total.
func (t *Table) margins() (a, b []int, n int) {
	a = make([]int, len(t.Counts))
	for i, row := range t.Counts {
		if b == nil {
			b = make([]int, len(row))
		}
		for j, v := range row {
			a[i] += v
			b[j] += v
			n += v
		}
	}
	return a, b, n
}

package metrics

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// maxCells limits a table to 256 MiB. If there are more classes times clusters, the labels are
// probably row numbers.
const maxCells = 1 << 25

// Table counts the rows of every class in every cluster.
type Table struct {
	// Counts[i][j] is the number of rows of class i in cluster j: rectangular, not negative.
	Counts [][]int
	// Classes and Clusters are the labels of the table's rows and columns, ascending.
	Classes, Clusters []int
}

// NewTable counts the pairs (truth[i], predicted[i]), leaving out every row with truth[i] < 0.
//
// It fails (fs.ErrInvalid) if the lengths differ, if no labelled row is left, or if
// classes × clusters exceed 2²⁵. O(n) time for n rows, 8 bytes per cell.
func NewTable(truth, predicted []int) (*Table, error) {
	if len(truth) != len(predicted) {
		return nil, invalid.Errorf("there are %d true labels and %d predicted labels: both must describe the same rows",
			len(truth), len(predicted))
	}
	cells := Cells{}
	for i, c := range truth {
		if c >= 0 {
			cells.Add(c, predicted[i], 1)
		}
	}
	if len(cells) == 0 {
		if len(truth) == 0 {
			return nil, invalid.Errorf("the labelings are empty: there is nothing to compare")
		}
		return nil, invalid.Errorf("none of the %d rows has a true label: there is nothing to compare", len(truth))
	}
	return cells.Table()
}

// Cells counts rows by their true class and their cluster, where the rows come one after the other.
type Cells map[[2]int]int

// Add counts n rows of a class in a cluster.
func (c Cells) Add(class, cluster, n int) { c[[2]int{class, cluster}] += n }

// Table is [NewTable] of the rows that were counted; nil if there are none.
func (c Cells) Table() (*Table, error) {
	if len(c) == 0 {
		return nil, nil
	}
	classes, clusters := map[int]int{}, map[int]int{}
	for at := range c {
		classes[at[0]], clusters[at[1]] = 0, 0
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
	for at, n := range c {
		t.Counts[classes[at[0]]][clusters[at[1]]] = n
	}
	return t, nil
}

// number sets the value of each label to its rank and returns the labels, ascending.
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

// Assignment maps each cluster (column) to a class (row), or to -1 for none: the one-to-one
// assignment with the largest number of agreeing rows, by Kuhn-Munkres. A cluster and a class
// without a common row are not assigned to each other.
//
// If several assignments are optimal, it returns the one found with the clusters sorted by their
// counts, class by class, larger counts first. Renumbering the clusters therefore renumbers the
// assignment and changes nothing else. O(min(r,c)²·max(r,c)) for r classes and c clusters.
func (t *Table) Assignment() []int {
	r := len(t.Counts)
	if r == 0 {
		return nil
	}
	c := len(t.Counts[0])
	order := indices.By(c, func(x, y int) int {
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

// ByLabel maps each cluster (column) to the class (row) with the same label, -1 if there is none:
// for predictions whose labels are classes.
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

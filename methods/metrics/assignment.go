package metrics

import "math"

// maxAssignment solves the rectangular assignment problem: it returns a different column for each
// of r rows, or -1 for rows without a column if there are more rows than columns, so that the sum
// of weight over the pairs is largest.
//
// Kuhn-Munkres in its shortest-augmenting-path form with dual prices, in integers and therefore
// exact: one path per row of the shorter side, O(min²·max) time, O(r+c) memory in addition to the
// weights. Ties go to the lower column of the longer side.
func maxAssignment(r, c int, weight func(i, j int) int) []int {
	if r > c {
		rows := make([]int, r)
		for i := range rows {
			rows[i] = -1
		}
		for j, i := range maxAssignment(c, r, func(i, j int) int { return weight(j, i) }) {
			rows[i] = j
		}
		return rows
	}
	// Columns count from 1; column 0 represents the row that is being placed.
	u, v := make([]int, r+1), make([]int, c+1)
	owner, from := make([]int, c+1), make([]int, c+1) // owner: row+1, 0 if free
	slack, done := make([]int, c+1), make([]bool, c+1)
	for i := 1; i <= r; i++ {
		for j := range slack {
			slack[j], done[j] = math.MaxInt, false
		}
		owner[0] = i
		at := 0
		for owner[at] != 0 {
			done[at] = true
			row, delta, next := owner[at], math.MaxInt, 0
			for j := 1; j <= c; j++ {
				if done[j] {
					continue
				}
				if s := -weight(row-1, j-1) - u[row] - v[j]; s < slack[j] {
					slack[j], from[j] = s, at
				}
				if slack[j] < delta {
					delta, next = slack[j], j
				}
			}
			for j := 0; j <= c; j++ {
				if done[j] {
					u[owner[j]] += delta
					v[j] -= delta
				} else {
					slack[j] -= delta
				}
			}
			at = next
		}
		for at != 0 {
			owner[at] = owner[from[at]]
			at = from[at]
		}
	}
	rows := make([]int, r)
	for j := 1; j <= c; j++ {
		if owner[j] != 0 {
			rows[owner[j]-1] = j - 1
		}
	}
	return rows
}

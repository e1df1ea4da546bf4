// Package labels holds what is known of the classes beforehand: labels of a part of the documents.
package labels

// Unknown marks a document without a label. Known labels are 0 to classes−1.
const Unknown = -1

// Draw keeps the labels of a share of each class, drawn by the seed, and makes the others Unknown. Of a class with c documents it keeps
// max(1, round(share·c)).
func Draw(truth []int, share float64, seed uint64) ([]int, error) { panic("contract") }

// Check refuses labels that a method with one map or seed a class cannot use, all faults at once: a wrong length, numbers outside
// Unknown..classes−1, fewer than two classes, classes without any label (named by names, or numbered where names is nil).
// It returns the labelled documents of each class, ascending.
func Check(labels []int, n, classes int, names []string) ([][]int32, error) { panic("contract") }

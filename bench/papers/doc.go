// Package papers repeats the tables of the papers that the methods come from, our figures beside the printed ones.
//
// A table is a protocol (how classes, starts and labels are drawn), a list of cells, and the printed figures. All
// random choices come from one seed and are made before the work is shared out, so a table is the same
// at any number of threads. The corpora are not part of this repository; DataError says what is
// missing when a folder does not hold them.
package papers

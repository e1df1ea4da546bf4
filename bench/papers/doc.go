// Package papers repeats the tables and figures of the papers that the methods come from, and shows
// our figures beside the printed ones. The study of defaults runs the same way, without a paper:
// methods and settings of a graph on public corpora.
//
// An [Experiment] is a protocol as data: a corpus, or several that rows name, rows (values of a
// parameter), columns (a method of package registry with its options as data, and a share of
// labels), metrics, and how many draws are averaged. A [View] is a table or figure of a paper that
// shows an experiment; several views share one. [Experiment.Run] computes the missing cells of an
// experiment, and [View.Table] sets them beside the paper. One function, [Column].figures, fits
// every column.
//
// # Units, cells and cases
//
// A unit is one test of one row: the classes drawn, their documents, and the graph that several
// methods share, which is made once. A cell is one column of a unit: one case for methods without
// labels, else one for each draw of labels. A figure is the mean over the tests of the means over
// the cases, with the standard error over the tests.
//
// # What is random
//
// Everything follows from one seed and does not depend on what else is drawn or computed: the
// classes of the tests of row r from [Draws], the labels of a case from [LabelSeed], the starts of
// k-means, NMF and eigensolvers in test t from seed + t. So a run with more tests, cases, rows or
// methods holds the figures of one with fewer.
//
// # Runs that are cut short
//
// With a folder (internal/store) the cells of a unit are a piece, which is written as soon as one
// is done. A run continues from the folder, and its result equals an undisturbed run's bit for bit,
// at any number of threads, and of processes that share the folder. Each goroutine works on one
// thread.
//
// The corpora are not part of this repository; [DataError] names a file that a folder does not
// hold. Of several corpora of an experiment, the missing ones are left out with their rows, and the
// table says so.
package papers

// Package bench measures the engine: native against pure Go, and against SciPy and scikit-learn if
// Python has them, on the same matrices and in one run.
//
// A section ([Sections]) is one subject and yields groups; a group is one task that several
// contestants solve. Contestants take turns, in an order that is reversed every round, so that a
// change of the machine's speed affects all of them. A figure is the median over the rounds with
// the smallest and the largest; a ratio is the ratio of medians with the smallest and the largest
// ratio within a round. Every result is checked while it is measured: residuals, agreement between
// contestants.
//
// Nothing here asserts a time. [Run] returns a [Report] that prints as a table, as Markdown and as
// JSON.
package bench

// Package scaling measures time against the number of documents, stage by stage: reading, the graph
// of neighbours by the exact and by the approximate search, the eigenpairs of it and of the
// complete graph, and k-means, on made-up abstracts of growing number.
//
// Contestants are the native engine, the engine in pure Go, and SciPy with scikit-learn. Each run
// is a process of its own. The measure is processor time over all threads, which other work on the
// machine changes less than wall-clock time. Exponents are slopes of least squares in log-log.
// Whatever is left out is in the report with its reason.
package scaling

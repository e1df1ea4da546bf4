// Package graph turns data into affinity graphs: exact neighbours, edge weights, symmetrisation, components.
//
// # Contract
//
// Rows of the data are documents (points). [Nearest] finds the k nearest neighbours of every row in Euclidean
// distance, exactly and never through an n×n matrix; [Build] makes the weighted graph of them, or of all pairs
// within a distance (Options.Epsilon); [FromAffinity] takes a graph that is there already. [NearestAmong] and [Attach] do for
// new rows against those of a graph what Nearest and Build do among these.
//
// A point is never its own neighbour; copies of it are ordinary neighbours at distance 0; ties go to the lower index.
// Whether documents come from *sparse.CSR or *mat.Dense decides the search (inverted index, or blocked matrix products);
// other matrices that list their non-zero entries count as sparse, the rest as dense. Values must be finite.
//
// W is symmetric bit for bit, has no diagonal, and its weights are finite and > 0. The same data give the same
// graph at any number of threads: the k best of a row under a total order are one set, whoever finds them first, and what
// they are ranked by is computed per pair, in a fixed order, with the same bits from either side.
//
// # Sparse data: documents without a common term
//
// In the graph of sparse data two documents whose dot product is not positive are never joined, whatever the
// weight: without a common term every document is as near as any other, and the tie rule would tie such a
// document to whatever stands first in the file. Rows without entries are nobody's neighbours, take nobody's place in a list of k, and
// stay isolated. (Nearest itself knows no such rule: it is Euclidean and counts zero rows as points.)
package graph

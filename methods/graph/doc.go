// Package graph makes affinity graphs of data: exact neighbours, edge weights, symmetrisation,
// components.
//
// # Contract
//
// Rows of the data are documents (points). [Nearest] finds the k nearest neighbours of every
// row in Euclidean distance, exactly and without an n×n matrix. [Build] makes the weighted graph of
// them, or of all pairs within a distance (Options.Epsilon). From [ApproxRows] sparse rows or
// [DenseApproxRows] dense ones on where that
// is faster, or if Options.Search says so, Build uses [Approximate], which finds nearly all
// neighbours in time nearly proportional to the rows and reports the share found on a sample.
// [FromAffinity] makes a graph from a given affinity matrix. [NearestAmong] and [Attach] are
// Nearest and Build for new rows against the rows of a graph; they are exact.
//
// A point is never its own neighbour. Copies of it are ordinary neighbours at distance 0. Ties go
// to the lower index. *sparse.CSR data use an inverted index, *mat.Dense data use blocked matrix
// products; other matrices that list their non-zero entries count as sparse, the rest as dense.
// Values must be finite.
//
// W is symmetric bit for bit, has no diagonal, and its weights are finite and > 0. The same data
// give the same graph at any number of threads: the k best of a row under a total order are the
// same set in every order of search, and their scores are computed per pair, in a fixed order, with
// the same bits from both sides.
//
// # Approximate search
//
// [Approximate] alternates two kernels. A cell of some 8,192 rows is searched like Nearest, by
// dense tiles of frequent terms and an index of the others in float32: a pair takes 2 to 9 ns for
// rows of 43 to 166 terms, with few bytes from memory, since rows of a cell meet block by block. A
// pair of neighbours of a row takes 2 flops and 8 bytes per entry of one of them, from memory if
// the order of rows does not keep it in cache, but most such pairs are near each other. So a row is
// first compared with thousands in its cells, then with a few hundred that its neighbours lead to.
// The centres of the cells are means of rows, assigned by products with dense tiles, 2 flops per
// entry and centre.
//
// Ranks that each have a part of the rows find the same lists. Of 100,000 abstracts 2 to 8 ranks
// take 1.3 to 1.4 times the processor time of one process, because pairs of neighbours that several
// rows have in common are tried by several ranks.
//
// # Sparse data: documents without a common term
//
// In the graph of sparse data two documents whose dot product is not positive are never joined, for
// any weight. Without a common term all documents are equally near, and the rule for ties would
// join such a document to the first ones in the file. Rows without entries are never neighbours,
// take no place in a list of k, and remain isolated. (Nearest itself has no such rule: it is
// Euclidean and treats zero rows as points.)
package graph

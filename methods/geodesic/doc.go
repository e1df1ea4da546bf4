// Package geodesic measures distances along the edges of a graph: shortest paths.
//
// # Contract
//
// A graph of lengths is a *sparse.CSR, symmetric bit for bit, its entries the lengths of the edges, finite and at least 0. A stored zero is an
// edge of length 0 (copies of a point); what is not stored is no edge. [FromPoints] makes one of the neighbour graph of data, [Lengths] of
// any pattern of edges, and [Join] adds the shortest links between its parts.
//
// [Distances] are those from some nodes, or from all, to all nodes; +Inf where there is no path, and how many of these there are is told.
// [MaxMin] picks landmarks that lie far from each other and measures from them. [Search] is one search, for callers that need no more than the
// surroundings of a node.
//
// Every source is searched by itself (Dijkstra 1959), sources in parallel. The distance of a node is the least, over all paths, of the sum of lengths added
// from the source on, so no order of the search can change a bit of it, and results are the same at any number of threads. Between all nodes the
// two directions of a pair, which may round differently, are made equal: the lesser holds.
package geodesic

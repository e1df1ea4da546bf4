// Package geodesic computes distances along the edges of a graph: shortest paths.
//
// # Contract
//
// A graph of lengths is a *sparse.CSR, symmetric bit for bit, whose entries are the lengths of the
// edges, finite and at least 0. A stored zero is an edge of length 0 (copies of a point); an entry
// that is not stored is no edge. [FromPoints] makes the neighbour graph of data, [Lengths] makes a
// graph from any pattern of edges, and [Join] adds the shortest links between its components.
//
// [Distances] computes the distances from some nodes, or from all, to all nodes. They are +Inf if
// there is no path, and the number of such pairs is reported. [MaxMin] chooses landmarks that are
// far from each other and computes the distances from them. [Search] is a single search, for
// callers that need only the surroundings of a node.
//
// A single search settles nodes by their distance (Dijkstra 1959). Many sources are searched in
// groups of 16 near each other, which pass over the edges together and in nearly that order;
// groups run in parallel. The distance of a node is the minimum, over all paths, of the sum of
// lengths added from the source on. The order of the search cannot change any bit of it, and
// results are the same in any groups and at any number of threads. Between all nodes the two
// directions of a pair may round differently; both are set to the smaller value.
package geodesic

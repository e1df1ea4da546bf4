// Package leiden finds communities of a neighbour graph: groups of documents with more and heavier
// edges among themselves than chance would give. It finds how many there are, too.
//
// # Quality
//
// The modularity of groups at the resolution γ is
//
//	Q = Σ_c (w_c/2m − γ (K_c/2m)²)
//
// where w_c are the weights inside group c, K_c the degrees of its documents, and 2m all weights
// ([Modularity]; Newman and Girvan 2004, Reichardt and Bornholdt 2006). A larger γ gives more and
// smaller groups.
//
// # Algorithm
//
// Leiden's algorithm (Traag, Waltman and van Eck 2019, "From Louvain to Leiden: guaranteeing
// well-connected communities", Scientific Reports 9): documents move to the group where Q gains
// most; each group is then divided into parts that hang together, parts become the nodes of a
// smaller graph, and these move in turn, until none gains. Rounds follow each other until one
// changes nothing. Without a number of groups asked for, the result has these properties:
//
//   - every group is connected;
//   - no merger of two groups raises Q;
//   - no move of a document to another group, or out of its group, raises Q.
//
// With a number k asked for, the resolution is searched at which the algorithm finds k groups: the
// properties hold there. Where none is found, groups of the next larger number are merged, those
// first whose merger gains most or loses least. Groups that have no edge to each other are then
// merged too, the lightest first, if the graph has more than k components.
//
// Documents without an edge belong to no group. They are put into the largest one.
package leiden

// Package isomap embeds points so that straight distances come near the distances along the neighbour graph.
//
// # Contract
//
// Tenenbaum, de Silva and Langford 2000 ("A global geometric framework for nonlinear dimensionality reduction"): the neighbour graph with Euclidean
// lengths, shortest paths d_G over it (package geodesic), and classical scaling: with B = −½·J·[d_G²]·J, J = I − 11ᵀ/n, and the largest eigenpairs
// (λ_a, v_a) of B, coordinate a of point i is √λ_a·v_ia. Points are rows; coordinates have mean 0, the first spreads the most.
//
// The table of n² distances is one array, 8·n² bytes, centred in place; Options.Memory bounds it. Above that, or on request, come landmarks (de Silva and Tenenbaum 2004,
// "Sparse multidimensional scaling using landmark points"): classical scaling of l landmarks, and every point, landmark or not, stands where its
// squared distances δ to the landmarks put it:
//
//	y_a = ½·Σ_k v_ka·(μ_k − δ_k)/√λ_a,   μ_k the mean of δ_k over the landmarks.
//
// That gives the landmarks their own coordinates, and new points theirs ([Model.Transform]), with all points as landmarks in the full form. In the landmark
// form coordinates have mean 0 over the landmarks.
//
// # What the paper leaves open
//
// A graph that is not connected has infinite distances. [Largest] embeds the component of the most points (ties: the lowest), puts the others at the origin and lists
// them; [Join] first connects the components by the shortest links between their points.
//
// Where fewer than Dims eigenvalues are positive beyond rounding (collinear points), the other coordinates are 0. Geodesics are seldom exactly Euclidean:
// negative eigenvalues are left out, as everywhere.
//
// The same seed gives the same bits at any number of threads.
package isomap

// Package isomap embeds points so that straight distances come near the distances along the
// neighbour graph.
//
// # Contract
//
// Tenenbaum, de Silva and Langford 2000 ("A global geometric framework for nonlinear
// dimensionality reduction"): the neighbour graph with Euclidean lengths, shortest paths d_G over
// it (package geodesic), and classical scaling. With B = −½·J·[d_G²]·J, J = I − 11ᵀ/n, and the
// largest eigenpairs (λ_a, v_a) of B, coordinate a of point i is √λ_a·v_ia. Points are rows.
// Coordinates have mean 0; the first one varies the most.
//
// The table of n² distances is one array of 8·n² bytes, centred in place. Above 1 GiB, or above
// what the context leaves, or on request, landmarks are used (de Silva and Tenenbaum 2004, "Sparse
// multidimensional scaling using landmark points"): classical scaling of l landmarks, and every
// point, landmark or not, is placed by its squared distances δ to the landmarks:
//
//	y_a = ½·Σ_k v_ka·(μ_k − δ_k)/√λ_a,   μ_k the mean of δ_k over the landmarks.
//
// This gives landmarks their own coordinates, and it places new points ([Paths]); without
// landmarks all points take their part. With landmarks the coordinates have mean 0 over the
// landmarks.
//
// # What the paper leaves open
//
// A graph that is not connected has infinite distances. [Join] first connects the components by the
// shortest links between their points, as scikit-learn's Isomap does with all pairs of components;
// here only the minimum spanning tree of the components is added. [Largest] embeds the component of
// the most points (ties: the lowest), puts the others at the origin and lists them.
//
// If fewer than Dims eigenvalues are positive beyond rounding (collinear points), the other
// coordinates are 0. Geodesics are seldom exactly Euclidean: negative eigenvalues are left out,
// as usual.
//
// The same seed gives the same bits at any number of threads.
package isomap

// Package pckmeans is k-means under must-links and cannot-links between rows, for any number of
// clusters.
//
// Must-links are closed first: all rows that chains of them join go to one cluster together. Under
// [Enforce] cannot-links are kept too (COP-KMeans of Wagstaff, Cardie, Rogers and Schrödl 2001,
// "Constrained k-means clustering with background knowledge", with a search where their algorithm
// gives up). Under [Weigh] each cannot-link that is not kept costs a weight (PCKMeans of Basu,
// Banerjee and Mooney 2004, "Active semi-supervision for pairwise constrained clustering", equation
// 1, with must-links of infinite weight).
//
// # Iteration
//
// A start draws its centres by k-means++, or takes the means of the known labels. Then rows without
// a cannot-link or a group go to the nearest centre, and linked units (groups, single rows) are
// placed with regard to each other; every centre moves to the mean of its rows; until nothing
// changes. Labelled rows stay in their class. The best of several starts is kept.
//
// To keep all cannot-links, the unit with the fewest clusters left, of these the one with most
// cannot-links, goes to the nearest cluster that none of its cannot-links has taken (Brélaz 1979);
// where none is left the search goes back. Then single units move to nearer clusters as long as
// their links allow it.
package pckmeans

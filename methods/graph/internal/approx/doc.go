// Package approx searches for nearest neighbours approximately ([Search]), in time nearly
// proportional to the rows: within cells of rows first, then among neighbours of neighbours.
//
// A search works for a team, each rank of which has its own rows; one process is a team of one.
// package graph states the contract.
package approx

// Package exact searches for nearest neighbours exactly: of all rows among one another ([Nearest]),
// of new rows among others ([Among]), and all pairs within a distance ([Within]).
//
// A search works for a team, each rank of which has its own rows; one process is a team of one.
// Rows are sparse or dense, in double or in single precision. package graph states the contract.
package exact

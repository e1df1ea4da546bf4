// Package outofcore has the pieces of a run over more documents than memory holds: a sample drawn
// in one pass, documents in blocks, names compared without holding them, and matrices written row
// by row.
package outofcore

// Package sparse holds sparse matrices in compressed sparse row form (CSR) and their kernels.
//
// # Contract
//
// A [CSR] has int32 column indices, at most [MaxDim] rows and columns, and in every row ascending
// columns without duplicates. [NewCSR], [Builder], [FromMatrix] and [FromBowman] check this, and
// that every value is finite. They return *[ShapeError], *[IndexError], *[OrderError] or
// *[NotFiniteError], which all satisfy errors.Is(err, fs.ErrInvalid). Code that fills the fields of
// a CSR itself is responsible for these properties.
//
// A stored zero is valid and counts as absent: it is no term of a document and no edge of a graph.
// Builder, FromMatrix and FromBowman do not store zeros.
//
// Kernels panic if operands have the wrong shape, like gonum's. Products overwrite their
// destination and never add to it; it must not overlap the operand. They run on native.Threads()
// goroutines and give the same bits at any number of goroutines: one goroutine sums each row in the
// order of its columns, for every width of the block.
package sparse

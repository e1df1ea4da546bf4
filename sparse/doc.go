// Package sparse holds compressed sparse rows and the kernels over them.
//
// # Contract
//
// A [CSR] has int32 column indices, at most [MaxDim] rows and columns, and in every row ascending columns
// without duplicates. [NewCSR], [Builder], [FromMatrix] and [FromBowman] check that, and that every value is
// finite; what they refuse comes back as *[ShapeError], *[IndexError], *[OrderError] or *[NotFiniteError], which
// all satisfy errors.Is(err, fs.ErrInvalid). Code that fills the fields of a CSR by hand vouches for them itself.
//
// A stored zero is legal and counts for nothing: it is no term of a document, no edge of a graph.
// Builder, FromMatrix and FromBowman do not store any.
//
// Kernels panic on operands of the wrong shape, as gonum's do. Products set their destination and never add
// to it; it must not overlap the operand. They run on native.Threads() goroutines and give the same bits at any
// number of them: each row is summed by one goroutine in the order of its columns, whatever the block's width.
package sparse

// Package model is what a finished run keeps for documents that come later, and the file that holds it.
//
// # Contract
//
// A [Model] knows how raw documents become rows ([Rows]: terms, weighting with the idf of the corpus it was made from, length), where a method puts new
// rows ([Part]), and which cluster a place belongs to ([Clusters]). [Model.Predict] goes that way for a new corpus. A document of the
// training corpus comes out where it was.
//
// What a method keeps is as little as its way to new documents allows: k-means its centres, projections their components, and
// the methods of the neighbour graph the training rows, because a new document's place is that of its neighbours. The table of methods in parts.go says which
// keeps what; a method joins by one entry.
//
// # File
//
// One file ([Write], [Read]): an uncompressed zip archive that numpy.load opens, with a .npy member an array, model.json for what is small, and terms.json for
// the vocabulary. model.json tells format and version, and of every array its type and shape, so that all sizes are known, and checked against
// the file's, before memory is taken. A file written by an earlier version of the same format number is read by a later one; unknown keys are passed over.
//
// Reading trusts nothing: members have checksums, arrays must have the very header that Write makes, indices must lie inside, numbers must be
// finite, and the parts must fit each other. What does not is one sentence that satisfies errors.Is(err, fs.ErrInvalid). A model names no
// file that Predict would open: a list of stop words is in it word by word.
package model

// Package model is the file of a fitted model, and how raw documents become the rows that it works
// on.
//
// # Contract
//
// A [Model] holds how documents become rows ([Rows]: terms, weighting with the idf of the corpus it
// was made from, length), what its method keeps ([Part]) and its clusters ([Clusters]). This
// package has nothing of any method: each method's package has the parts of its own.
//
// # File
//
// One file ([Write], [Read]): an uncompressed zip archive that numpy.load opens, with one .npy
// member per array, model.json for what is small, and terms.json for the vocabulary. model.json
// gives format and version, and the type and shape of every array, so that all sizes are known, and
// checked against the file's, before memory is taken. A file written by an earlier version of the
// program is read by a later one, from format 2 on; unknown keys are ignored.
//
// Reading trusts nothing: members have checksums, arrays must have exactly the header that Write
// makes, indices must lie inside, numbers must be finite, and the parts must fit each other. A
// violation is an error of one sentence that satisfies errors.Is(err, fs.ErrInvalid). A model names
// no file that a reader would open: a list of stop words is in it word by word.
package model

// Package corpus reads and writes document collections: files of numbers, or raw text, into a
// [Corpus] of a matrix with a row for each document, classes, and names.
//
// [Read] takes MATLAB level 5 (.mat), Matrix Market (.mtx), svmlight (.svm), NumPy (.npy, .npz, with
// SciPy's sparse matrices), CSV and TSV, IDX (the format of MNIST), JSON lines of text, Reuters-21578 in SGML, mailboxes, and
// folders of text files; each may be compressed with gzip or xz, and folders may be packed with tar. [Write] writes .npz, .npy, .mtx, .csv and .svm.
//
// # Contract
//
// Rows are documents, columns are terms. Sparse files give *sparse.CSR, dense files *mat.Dense; CSV is
// stored sparse when more than 60 % of it is zero. All entries are finite. Classes are numbered in
// ascending order of their values where these are numbers, else alphabetically.
//
// Texts are counted as they are read, on all cores, and never held: memory is bounded by the vocabulary, the counts (8 bytes an entry while
// reading, 12 more for the matrix) and a few megabytes of documents, whatever the length of the files. [TextOptions] says what a term is.
//
// What the reader decided (orientation, variables, columns, empty documents) stands in Corpus.Notes,
// one sentence each. What is wrong with a file is a *[FormatError]: one sentence with the file, the place
// and the way out, errors.Is(err, fs.ErrInvalid). Nothing a file can hold makes this package panic or
// allocate more than the file's own bytes justify and ReadOptions.MaxBytes allows.
package corpus

// Package corpus reads files of numbers or of raw text into a [Corpus]: a matrix with one row per
// document, classes, and names. It also writes them.
//
// [Read] takes MATLAB level 5 (.mat), HDF5 (MATLAB 7.3, AnnData, h5py and others), Matrix Market
// (.mtx), svmlight (.svm), NumPy (.npy, .npz, with SciPy's sparse matrices), CSV and TSV, IDX (the
// format of MNIST), JSON lines of text, Parquet with a column of text, Reuters-21578 in SGML,
// mailboxes, folders of text files, and
// graphs (lists of edges, METIS, GraphML, GEXF, GML, Pajek, DOT, JSON of nodes and links). Each
// may be compressed with gzip or xz, and folders may be packed with tar. JSON lines and Parquet
// may be in several files: a folder of them, or a file that lists them. [Write] writes .npz, .npy,
// .mtx, .csv, .tsv and .svm. Packages matrix and text hold the formats.
//
// # Contract
//
// Rows are documents, columns are terms. Sparse files give *sparse.CSR, dense files *mat.Dense.
// Tables and files of svmlight are sparse if they have 20 columns at least and at most a tenth of
// their entries is not 0, or two fifths where they look like counts, and else dense up to 1 GiB.
// All entries are finite. Classes are numbered in ascending order of their values if these are
// numbers, else alphabetically.
//
// Texts are counted as they are read, on all cores, and not kept. Memory is bounded by the
// vocabulary, the counts (about 2 bytes per entry while reading, 12 more for the matrix) and a few
// megabytes of documents, for files of any length. [TextOptions] says what a term is.
//
// Corpus.Notes lists what the reader decided (orientation, variables, columns, empty documents),
// one sentence each. A fault of a file is a *[FormatError]: one sentence that names the file, the
// place and the remedy, with errors.Is(err, fs.ErrInvalid). No file makes this package panic, or
// allocate more than the file's own bytes justify and ReadOptions.MaxBytes allows.
package corpus

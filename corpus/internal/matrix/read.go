// Package matrix reads and writes files of numbers: MATLAB level 5 and 7.3, HDF5, Matrix Market,
// svmlight, NumPy's .npy and .npz, CSV and TSV, IDX, safetensors and vectors of word2vec.
//
// [Read] returns a matrix with documents as rows, their classes, and the names that the file has.
package matrix

import (
	"bytes"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/missing"
	"github.com/eigenmap/eigenmap/corpus/internal/rdata"
	"github.com/eigenmap/eigenmap/corpus/internal/safetensors"
	"github.com/eigenmap/eigenmap/corpus/internal/statfile"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"gonum.org/v1/gonum/mat"
)

// Options chooses what [Read] takes from a file.
type Options struct {
	// Var and LabelVar name the variables of a .mat or .npz file, or of HDF5. Empty takes the usual
	// names.
	// LabelVar "none" reads no labels.
	Var, LabelVar string
	// LabelColumn is the column of classes in a table: its name, its number from 1, or a negative
	// number from the end. Empty takes a column of a usual name, or the only column that is not
	// numeric. Of cells in AnnData it is a column of obs. "none" reads no labels.
	LabelColumn string
	// IDColumn is the column of the names of documents in a table, as LabelColumn. Empty takes one of
	// a usual name, a column of words that are all different, or a first one that counts the rows.
	IDColumn string
	// Encoding is the encoding of a graph in text; "" finds it out.
	Encoding string
	// Table and Roles are a table that was opened and whose columns were settled; nil: [Read] does
	// it.
	Table *table.Table
	Roles *columns.Roles
	// Saved is the matrix that R saved, of the format "rds".
	Saved *rdata.Matrix
	// Names are the names of the terms, where the file's matrix is known to have documents in the
	// columns, or not, as Transpose says; nil: TermsBeside says them.
	Names []string
	// Missing is one of missing.Ways and says what becomes of missing numbers; "" refuses them.
	// Filling says how the missing numbers of earlier rows were filled; nil if no rows were earlier.
	Missing string
	Filling *missing.Filling
	// Numbered says how an earlier file of the same terms numbered them; nil if there was none.
	Numbered *columns.Numbered
	// Vectors says that the rows are vectors of documents, whose missing numbers are an error.
	Vectors bool
	// Transpose says that the documents are the columns of the file's matrix. Without it the length
	// of the labels decides.
	Transpose bool
	// Single says that the matrix will be stored in single precision: a reader may return it so, as
	// *sparse.SingleDense.
	Single bool
	// AsStored says that a dense matrix of numbers that single precision holds as they are, of an .npy
	// or IDX file, is wanted so: as *sparse.SingleDense, Wide.
	AsStored bool
	// LabelsGiven says that a file of labels replaces the labels of this file.
	LabelsGiven bool
	// InOrder are the labels of that file if they have no document names: one label per document.
	InOrder *Labels
	// Beside returns the labels, and the document names or nil, of the file NAME.labels.csv beside
	// this one; nil labels if there is no such file. [Read] calls it for the formats of
	// [HasFilesBeside]. It may be nil.
	Beside func() (labels *Labels, ids []string, err error)
	// TermsBeside returns the names of the columns of a matrix of such a size from the file
	// NAME.terms.txt beside this one; nil if there is no such file. It may be nil.
	TermsBeside func(rows, cols int) ([]string, error)
}

// Result is what a file of numbers holds. The rows of X are documents.
type Result struct {
	X mat.Matrix // *sparse.CSR, *mat.Dense or *sparse.SingleDense, all entries finite
	// Kept are the rows of the file that X has, of all that IDs and Labels name; nil: all. Filling
	// says what became of missing numbers; nil: nothing did.
	Kept    []int
	Filling *missing.Filling
	Gaps    [][]int32 // see missing.Settled
	// Categories are the columns of words whose values are the last columns of X; nil: none.
	Categories []Category
	// Earlier says what the columns of a table are, for a later one; nil of another file. Numbered
	// says how the file numbers its terms; nil if its format says it.
	Earlier  *columns.Earlier
	Numbered *columns.Numbered
	IDs      []string // name of each document; nil if the file has none
	Terms    []string // name of each column; nil if the file has none
	// Numbers are the columns of the table, from 0, that the columns of X are, where these have no
	// names and it has others; nil: they have the same numbers.
	Numbers []int
	// Labels is the class of each document, an index into ClassNames from 0; -1 for an unlabelled
	// document. It is nil if the file has no labels, or if others are given.
	Labels     []int
	ClassNames []string
}

// Extensions maps each lower-case extension to its format.
var Extensions = map[string]string{
	".mat": "mat", ".mtx": "mtx", ".mm": "mtx",
	".svm": "svm", ".libsvm": "svm", ".svmlight": "svm",
	".npy": "npy", ".npz": "npz", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".idx": "idx",
	".ldac": "ldac", ".lda-c": "ldac", ".graph": "graph", ".metis": "graph", ".edges": "edges", ".edgelist": "edges",
	".xlsx": "xlsx", ".xlsm": "xlsx", ".ods": "ods", ".fods": "ods", ".arff": "arff",
	".graphml": "graphml", ".gexf": "gexf",
	".h5": "hdf5", ".hdf5": "hdf5", ".h5ad": "hdf5", ".loom": "hdf5",
	".safetensors": "safetensors", ".rds": "rds", ".rdata": "rds", ".rda": "rds",
	".sav": "sav", ".zsav": "sav", ".dta": "dta", ".xpt": "xpt", ".sas7bdat": "sas7bdat",
}

// readers holds the reader of every format.
var readers = map[string]func(*source) (*draft, error){
	"mat":  readMat,
	"mtx":  readMtx,
	"svm":  readSVM,
	"npy":  readNPY,
	"npz":  readNPZ,
	"hdf5": readHDF5,
	"csv":  readCSV,
	"tsv":  readCSV,
	"idx":  readIDX,

	"ldac":     readLDAC,
	"uci":      readUCI,
	"cluto":    readCLUTO,
	"graph":    readGraph,
	"edges":    readEdges,
	"triplets": readTriplets,
	"table":    readCSV,
	"xlsx":     readCSV,
	"ods":      readCSV,
	"html":     readCSV,
	"parquet":  readCSV,
	"jsonl":    readCSV,
	"json":     readCSV,
	"xml":      readCSV,
	"arff":     readCSV,
	"arrow":    readCSV,
	"sav":      readCSV,
	"dta":      readCSV,
	"xpt":      readCSV,
	"sas7bdat": readCSV,
	"xls":      readCSV,

	"graphml":   readNetwork,
	"gexf":      readNetwork,
	"gml":       readNetwork,
	"pajek":     readNetwork,
	"dot":       readNetwork,
	"node-link": readNetwork,

	"safetensors": readTensors,
	"word2vec":    readWordVectors,
	"rds":         readRSaved,
}

// source is a file that is being read.
type source struct {
	*input.File
	opt    Options
	format string
}

// Read reads a file of one of the formats in [Extensions]. What it decided is in the file's Notes.
// An error about the file is an *input.FormatError.
func Read(file *input.File, format string, opt Options) (*Result, error) {
	in := &source{file, opt, format}
	d, err := readers[format](in)
	if err != nil {
		return nil, in.Wrap("", err)
	}
	return d.result(in)
}

// HasFilesBeside reports whether labels and names of a corpus in this format are in files beside
// the matrix, because the format has no place for them.
func HasFilesBeside(format string) bool {
	return format == "mtx" || format == "npy" || format == "svm" || format == "safetensors"
}

// takeLabelsBeside adds labels and document names from the file beside the matrix.
func (in *source) takeLabelsBeside(d *draft) error {
	if in.opt.Beside == nil {
		return nil
	}
	labels, ids, err := in.opt.Beside()
	if err == nil && labels != nil {
		d.labels, d.docNames = labels, ids
	}
	return err
}

// FormatByMagic returns the format whose signature a file begins with; empty for none.
func FormatByMagic(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("%%MatrixMarket")):
		return "mtx"
	case safetensors.Is(head):
		return "safetensors"
	case isWordVectors(head):
		return "word2vec"
	case rdata.Is(head):
		return "rds"
	case statfile.Look(head) != "":
		return statfile.Look(head)
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return "npy"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "npz"
	case hdf.Is(head):
		return "hdf5"
	case bytes.HasPrefix(head, []byte("MATLAB ")):
		return "mat"
	case len(head) >= 4 && head[0] == 0 && head[1] == 0 && idxKinds[head[2]].size() > 0 && head[3] >= 1 && head[3] <= 4:
		return "idx"
	}
	return ""
}

// FormatOfLine guesses the format of a file of text from one line that is not blank. whole is false
// if the line may be cut off. decided is false for a line of a single word, which fits several
// formats; the format is empty if it is none of this package.
func FormatOfLine(line []byte, whole bool) (format string, decided bool) {
	fields := bytes.Fields(line)
	if looksLikeSVM(fields, whole) {
		return "svm", true
	}
	if first, _, tab := bytes.Cut(bytes.TrimLeft(line, " \t"), []byte("\t")); tab {
		if numbers := bytes.Fields(first); len(numbers) > 2 && lexical.AllNumbers(numbers, true) {
			return "csv", true // of blanks, with a tab before the last field alone
		}
		return "tsv", true
	}
	if bytes.ContainsAny(line, ",;") || len(fields) > 1 && lexical.AllNumbers(fields, whole) {
		return "csv", true
	}
	return "", len(fields) > 1
}

// looksLikeSVM reports whether a label is followed by pairs index:number, up to a comment. The last
// field does not count if the line may be cut off, unless it is the only one.
func looksLikeSVM(fields [][]byte, whole bool) bool {
	if len(fields) < 2 {
		return false
	}
	pairs := fields[1:]
	if !whole && len(pairs) > 1 {
		pairs = pairs[:len(pairs)-1]
	}
	for i, f := range pairs {
		if f[0] == '#' {
			return i > 0
		}
		if bytes.HasPrefix(f, []byte("qid:")) {
			continue
		}
		if _, _, pair, err := parsePair(f); !pair || err != nil {
			return false
		}
	}
	return true
}

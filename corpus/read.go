package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/mat"
)

// FormatError says in one sentence what is wrong with a file, where in the file, and how to correct
// it. It satisfies errors.Is(err, fs.ErrInvalid).
type FormatError = input.FormatError

// ErrNoDocuments is in the chain of the error of a file or folder that holds no documents.
var ErrNoDocuments = input.ErrNoDocuments

// ErrNoTerms is in the chain of the error of texts of which no term is left.
var ErrNoTerms = input.ErrNoTerms

// ErrWordColumns is in the chain of the error of a table of numbers of which some columns hold
// words that are neither names nor classes.
var ErrWordColumns = input.ErrWordColumns

// ErrMissing is in the chain of the error of a file in which numbers are missing.
var ErrMissing = input.ErrMissing

// ErrSameID is in the chain of the error of documents that have the id of an earlier one.
var ErrSameID = input.ErrSameID

// Read reads a corpus from a file or a folder.
//
// The format comes from opt.Format, else from magic bytes, else from the extension, else from the
// first lines. Files may be compressed with gzip or xz. Rows of the result are documents: a file
// with a document in every column is transposed, and Notes says so. Documents without any term are
// kept, and Notes says how many there are.
//
// A folder that holds files of JSON lines (.jsonl, .ndjson), packed or not, or of Parquet, and
// nothing else but names that begin with a dot, or with an underscore as _SUCCESS, is one corpus in
// these files, in the byte order of their names. So is one of files *.json, and beside _SUCCESS of
// files without an extension, that begin with a document of JSON lines. A file *.list names the
// files of a corpus, one path per line, relative to its own folder, in their order; # begins a
// comment. An error names the file of these that is at fault.
//
// A folder or an archive of zip with little else than tables of the same columns, files of JSON, or
// two to five texts with a document on each line is one corpus too. Its folders, or else the names
// of its files, are the classes if they are words and the documents have no other.
//
// Any other folder is a collection of texts whose sub-folders are the classes, or Reuters-21578 in
// SGML if it holds a file *.sgm of it. A folder of texts is divided into parts if its sub-folders
// are named train, test, dev and so on (or 20news-bydate-train and the like), no two alike, and
// have folders inside. These folders are then the classes, an id begins with the short name of its
// part, and ReadOptions.Split chooses parts. An archive (.tar, .tar.gz, .tar.xz) is read as the
// folder that it was made of, to its end. Documents of office programs, books, RTF, HTML and
// Markdown are texts. Files without a text, such as damaged ones, and few on the texts, such as
// README, are left out, and Notes counts them.
//
// The names of the documents differ, and no entry of a matrix has two values; the error has both
// places. Only regular files are opened.
//
// With opt.Divide and a team of ranks in the context, Read is a collective call. Files of JSON
// lines are divided by bytes, compressed ones by bytes of their content if one is larger than the
// share of a rank (each rank then unpacks them twice), and Parquet by groups of rows; compressed
// Parquet is not cut. Each rank reads its part and passes rows on, until it holds the documents
// that ranks.Part gives it. Files of other formats are read by every rank, which keeps its rows.
// Rows, terms, classes, ids and notes are the same as in one process. All ranks get the error of
// the first part that has one.
//
// Errors: a *[FormatError] if the file or the request is at fault (errors.Is(err, fs.ErrInvalid)),
// the context's error if it ended, else the error of the system. Memory: the corpus itself, up to
// three times that while a text format grows; never more than opt.MaxBytes, and never by a number
// in a header that the file's own bytes do not back. With a store in the context (internal/store)
// the corpus is kept there, and taken from there if the same bytes are read again.
func Read(ctx context.Context, path string, opt ReadOptions) (*Corpus, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if team := ranks.From(ctx); opt.Divide && team.Size() > 1 {
		opt.MaxBytes, opt.AsStored = input.NewBudget(input.Within(ctx, opt.MaxBytes)).Limit, false
		return readDivided(ctx, team, path, opt)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st := store.From(ctx); st != nil && !opt.Counts {
		opt.AsStored = false // the corpus of the store is in double precision
		return readStored(ctx, st, path, opt)
	}
	return read(ctx, path, opt)
}

// read is Read of options that were checked.
func read(ctx context.Context, path string, opt ReadOptions) (*Corpus, error) {
	opt.MaxBytes = input.NewBudget(input.Within(ctx, opt.MaxBytes)).Limit
	var given *Labeling
	if opt.Labels != "" {
		var err error
		if given, err = readLabelingLimited(ctx, opt.Labels, "", opt.MaxBytes); err != nil {
			return nil, err
		}
	}
	c, err := readWhole(ctx, path, opt, given)
	if err == nil && opt.Single {
		err = c.ToSingle()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// readWhole is Read after the labels of opt.Labels have been read into given, which may be nil.
func readWhole(ctx context.Context, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	var c *Corpus
	info, err := shards.Stat(path)
	switch {
	case opt.outline != nil && path == StandardInput:
		return nil, errWhole
	case err != nil && path == StandardInput:
		c, err = readStandardInput(ctx, opt, given)
	case err != nil:
		return nil, input.OpenError(path, err)
	case info.IsDir() && (opt.Format == "" || opt.Format == "folder" || opt.Format == "reuters" || text.Parts(opt.Format)):
		c, err = readFolder(ctx, path, opt, given)
	case info.IsDir():
		return nil, input.Failf(path, "", "is a folder, where a file of format %s is needed; name the file", opt.Format)
	default:
		c, err = readFile(ctx, path, opt, given)
	}
	if err != nil {
		return nil, err
	}
	c.Name, c.IDsFrom = path, opt.IDsFrom
	if given != nil {
		if err := given.apply(c); err != nil {
			return nil, err
		}
	}
	c = c.keepRows()
	if err := c.noteRead(); err != nil && !((opt.AnyRows || opt.Text.AnyText) && errors.Is(err, ErrNoTerms)) {
		return nil, err
	}
	return c, nil
}

// limits returns the part of the options that package input takes.
func (o ReadOptions) limits() input.Limits {
	return input.Limits{MaxBytes: o.MaxBytes, Observer: o.Observer}
}

// readFolder reads a folder of texts, of Reuters-21578, or of files that are one corpus.
func readFolder(ctx context.Context, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if opt.Vectors {
		return nil, input.Failf(path, "", "is a folder, where one file of vectors is needed; write them into one, such as a .npy")
	}
	in := input.NewFolder(ctx, path, opt.limits())
	parts, err := folderParts(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	if parts == nil {
		list, err := folderMembers(in, path)
		if err != nil {
			return nil, in.Wrap("", err)
		}
		if c, err := readTenx(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if c, err := readMembers(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if c, err := readSole(ctx, path, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if opt.outline != nil {
			return nil, errWhole
		}
		return readTexts(in, opt, text.ReadFolder)
	}
	return readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
		return text.ReadParts(in, parts, o)
	})
}

// readFile reads one file. given are the labels of ReadOptions.Labels, or nil.
func readFile(ctx context.Context, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	in, done, err := input.Open(ctx, path, opt.limits())
	if err != nil {
		return nil, err
	}
	defer done()
	in.Path = path
	c, err := readInput(in, opt, given)
	if err != nil {
		return c, in.Blame(err)
	}
	in.Finished()
	return c, nil
}

// readInput reads an opened file after it has found out the format.
func readInput(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if err := refuseWhole(in, opt); err != nil {
		return nil, err
	}
	if archive, err := isTar(in, opt.Format); err != nil {
		return nil, err
	} else if archive {
		return readTar(in, opt, given)
	}
	if c, err := readZip(in, opt, given); c != nil || err != nil {
		return c, err
	}
	if wide, err := wideJSON(in, opt.Format); err != nil {
		return nil, err
	} else if wide != "" {
		in.Notef("The file is UTF-16.")
		if err := charset.Stream(in, wide); err != nil {
			return nil, err
		}
	}
	format, err := opt.detect(in)
	if err != nil {
		return nil, err
	}
	if opt.holds(format) {
		return nil, errWhole
	}
	if format == "html" {
		book, err := openPage(in, opt)
		if err != nil {
			return nil, err
		}
		return readBook(in, book, opt, given)
	}
	if format == "rds" {
		return readSaved(in, opt, given)
	}
	if opt.Vectors {
		return readVectors(in, format, opt)
	}
	if opt.share != nil && !slices.Contains(tableFormats, format) && !slices.Contains(TextFormats(), format) {
		return nil, opt.share.NoTexts()
	}
	if slices.Contains(tableFormats, format) {
		return readTable(in, format, opt, given)
	}
	switch format {
	case "parquet":
		return readParquet(in, opt, given)
	case "xml":
		return readXML(in, opt, given)
	}
	if slices.Contains(TextFormats(), format) {
		return readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
			return text.Read(in, format, o)
		})
	}
	if x := tenxBeside(in); x != nil && format == "mtx" && opt.Format == "" {
		return x.read(in, opt, given)
	}
	return readMatrix(in, format, opt, given)
}

// readZip reads a spreadsheet, or what is in an archive of zip; nil of another file.
func readZip(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if slices.Contains([]string{"npz", "mat", "npy", "hdf5"}, opt.Format) {
		return nil, nil
	}
	book, z, err := openBook(in)
	switch {
	case err != nil:
		return nil, err
	case book != nil:
		return readBook(in, book, opt, given)
	case z != nil && zipKind(z) == "zip":
		k := officeKind(z)
		if strings.HasSuffix(k, withOthers) && opt.Format == "" && opt.UsualFormat == "folder" {
			if opt.holds("folder") {
				return nil, errWhole
			}
			in.Notef(oneText)
			return readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
				return text.Read(in, "folder", o)
			})
		}
		if k != "" {
			return nil, in.Fail("", "%s", k)
		}
		list := zipMembers(in, z)
		if c, err := readTenx(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if c, err := readMembers(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if len(list) > 1 {
			if c, err := readSoleInside(in, list, opt, given); c != nil || err != nil {
				return c, err
			}
		}
		inside, err := unzipped(in, z, opt)
		if err != nil {
			return nil, err
		}
		if archive, err := isTar(inside, opt.Format); err != nil {
			return nil, err
		} else if archive { // whose files were looked at
			return readTexts(inside, opt, text.ReadTar)
		}
		return readInput(inside, opt, given)
	}
	return nil, nil
}

// readParquet makes the corpus of the texts of a file of Parquet, or of its numbers if it has none.
func readParquet(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	c, err := readTexts(in, opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
		return text.Read(in, "parquet", o)
	})
	if !errors.Is(err, text.ErrNumbers) {
		return c, err
	}
	if opt.outline != nil {
		return nil, errWhole
	}
	rows, err := text.OpenNumbers(in, opt.texts())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t, err := table.FromRows(in, rows.Next, table.Options{Header: table.HeaderYes, Decimal: table.DecimalPoint})
	if err != nil {
		return nil, err
	}
	in.Notef("No column of texts is read: the columns of numbers are the terms; ‹text-column› names one of texts.")
	opt.TextColumn, opt.aside, opt.index = []string{columns.None}, rows.Aside(), rows.Index()
	c, err = readRows(in, t, "parquet", opt, given)
	if err != nil {
		return nil, err
	}
	c.Format = ParquetNumbers
	return c, nil
}

// readXML makes the corpus of the texts of the records of a file of XML, or of their numbers.
func readXML(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	records, err := text.OpenRecords(in, opt.texts())
	if err != nil {
		return nil, err
	}
	switch {
	case !records.Numbers():
		return readTexts(in, opt, func(*input.File, text.ReadOptions) (*counting.Collection, error) { return records.Read() })
	case opt.outline != nil:
		return nil, errWhole
	case opt.share != nil:
		return nil, opt.share.NoTexts()
	}
	t, err := table.FromRows(in, records.Next, table.Options{Header: table.HeaderYes, Decimal: opt.Decimal})
	if err != nil {
		return nil, err
	}
	c, err := readRows(in, t, "xml", opt, given)
	if err != nil {
		return nil, err
	}
	c.Format = XMLNumbers
	return c, nil
}

// readTexts makes the corpus of the texts that read counts.
func readTexts(in *input.File, opt ReadOptions, read func(*input.File, text.ReadOptions) (*counting.Collection, error)) (*Corpus, error) {
	if opt.Transpose {
		return nil, in.Fail("", "texts cannot be transposed; leave out ‹transpose›")
	}
	t, err := read(in, opt.texts())
	if err != nil {
		return nil, err
	}
	var x mat.Matrix = t.X
	if t.Counts != nil {
		x = t.Counts
	} else {
		// The texts, the words in a compact form and the tables of words are garbage by now.
		memory.Dropped(in.Mem.Used() - memory.Bytes(12, t.X.NNZ()))
	}
	c := &Corpus{Name: in.Name, X: x, Labels: t.Labels, ClassNames: t.ClassNames, Terms: t.Terms, Stems: t.Stems, IDs: t.IDs, Snippets: t.Snippets, Rarities: t.Rarities,
		Notes: append(in.Notes, t.Notes...), Format: t.Format, unread: t.Unread}
	if opt.Missing != "" {
		c.Notes = append(c.Notes, fmt.Sprintf("‹missing› %s has no effect: the documents are texts, and one without a text is an empty document.", opt.Missing))
	}
	if opt.outline != nil {
		c.takeOutline(opt.outline)
	}
	return c, nil
}

// TableFormats returns the [Formats] whose documents have columns or fields, to which
// ReadOptions.TextColumn, IDColumn and LabelColumn apply.
func TableFormats() []string {
	return append(slices.Clone(tableFormats), "jsonl", "json", "xml", "parquet", "list")
}

// GraphFormats returns the [Formats] that hold a graph in place of documents.
func GraphFormats() []string { return append([]string{"graph", "edges"}, network.Formats()...) }

// NetworkFormats returns the [GraphFormats] whose nodes have names and attributes, to which
// ReadOptions.IDColumn and LabelColumn apply.
func NetworkFormats() []string { return network.Formats() }

// numbered says how an earlier file numbered its terms; nil if a file beside this one names them.
func (o *ReadOptions) numbered(in *input.File) *NumberedTerms {
	if in.Path != "" {
		if _, named := in.Sibling(besideName(in.Path, termsSuffix)); named {
			return nil
		}
	}
	return o.Usual.Numbered
}

// columns is what the user says of the columns of a table.
func (o *ReadOptions) columns() columns.Request {
	return columns.Request{Categories: o.Categories, AsCategories: o.AsCategories, AsNumbers: o.AsNumbers, Later: o.Filling != nil, Text: o.TextColumn, ID: o.IDColumn, Label: o.LabelColumn, Time: o.TimeColumn, Beside: o.ViewColumns, Usual: o.Usual, Settled: o.settled, Aside: o.aside, Weights: o.weights, Index: o.index, LabelsGiven: o.Labels != "", Transposed: o.Transpose}
}

// readMatrix makes the corpus of a file of numbers.
func readMatrix(in *input.File, format string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	return readMatrixOf(in, format, opt, given, matrix.Options{})
}

// readMatrixOf is readMatrix with what is known of the file.
func readMatrixOf(in *input.File, format string, opt ReadOptions, given *Labeling, known matrix.Options) (*Corpus, error) {
	choice := matrix.Options{Names: known.Names, Saved: known.Saved, Table: known.Table, Roles: known.Roles, Var: opt.Var, LabelVar: opt.LabelVar, LabelColumn: opt.LabelColumn, IDColumn: opt.IDColumn, Transpose: opt.Transpose, Missing: opt.Missing, Filling: opt.Filling, Numbered: opt.numbered(in), Vectors: opt.Vectors,
		LabelsGiven: given != nil, Single: opt.Single, AsStored: opt.AsStored, Encoding: opt.Encoding, Beside: func() (*matrix.Labels, []string, error) { return labelsBeside(in, given != nil) },
		TermsBeside: func(rows, cols int) ([]string, error) {
			if known.Names != nil {
				return known.Names, nil
			}
			return termsBeside(in, format, rows, cols)
		}}
	if given != nil && given.IDs == nil {
		choice.InOrder = given.inOrder("leave out ‹truth›")
	}
	m, err := matrix.Read(in, format, choice)
	if err != nil {
		return nil, err
	}
	c := &Corpus{Name: in.Name, X: m.X, Labels: m.Labels, ClassNames: m.ClassNames, IDs: m.IDs, Terms: m.Terms, Format: format, Filling: m.Filling, gaps: m.Gaps, Categories: m.Categories, Columns: UsualColumns{Earlier: m.Earlier, Numbered: m.Numbered}, numbers: m.Numbers, kept: m.Kept}
	c.Notes, c.LabelNote = append(c.Notes, in.Notes...), in.LabelNote
	return c, in.Ctx.Err()
}

// ReadsInParts reports whether each rank reads a part of a file of the format with
// ReadOptions.Divide, and no rank all of it.
func ReadsInParts(path, format string) bool {
	return format == "jsonl" || text.Parts(format) && format != "xml" && input.UnpackedName(path) == path
}

package corpus

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/missing"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// WholeTexts is the ReadOptions.Snippets that keeps whole texts.
const WholeTexts = plain.Whole

// ReadOptions chooses what [Read] takes from a file. The zero value reads by extension and content.
type ReadOptions struct {
	// Format is one of [Formats]; empty decides by extension, else by content.
	Format string `json:"format,omitempty"`
	// UsualFormat is the format of an earlier file. It is taken where Format is empty, the name of the
	// file says no format, and its look does not contradict it.
	UsualFormat string `json:"usual_format,omitempty"`
	// Var and LabelVar name the variables of a .mat or .npz file, or of HDF5. Empty takes the usual
	// names (fea/gnd, X/Y, ...). LabelVar "none" reads no labels. Var also names the array of a file
	// of safetensors, the object of an .RData file, and the sheet of a spreadsheet or the table of a
	// page of HTML, by its name or its number from 1.
	Var      string `json:"var,omitempty"`
	LabelVar string `json:"label_var,omitempty"`
	// LabelColumn is the column of classes in a table, or the field in JSON and Parquet: its name,
	// its number from 1, or a negative number from the end. Empty takes a column called label,
	// class, category, target, y or gnd, of numbers the first or last one, else the only column of
	// words if some occur again. "none" reads no labels, in every format. Of a file of svmlight or
	// fastText with several labels a document it is the number of the one to take, from 1. Of AnnData
	// it is a column of obs.
	LabelColumn string `json:"label_column,omitempty"`
	// TextColumn are the columns of a table, or the fields of JSON and Parquet, that hold the
	// texts; several are joined. IDColumn is the column of the names of the documents. Columns are
	// named, or numbered as LabelColumn; a field inside another is written a.b. Empty: found by
	// names and values. "none": the table holds numbers, and the documents have no names.
	TextColumn []string `json:"text_column,omitempty"`
	IDColumn   string   `json:"id_column,omitempty"`
	// TimeColumn is the column of the times of the documents, which is then neither text nor class:
	// see [Corpus.ReadTimes].
	TimeColumn string `json:"time_column,omitempty"`
	// ViewColumns are columns beside the texts by which documents are compared: no guess makes one of
	// them the texts, the names or the classes. See [Corpus.ReadColumns].
	ViewColumns []string `json:"view_columns,omitempty"`
	// Usual are the columns of an earlier file, each of which is taken where this one has it and the
	// options above ask for no other: see [UsualColumns].
	Usual UsualColumns `json:"usual,omitzero"`
	// Decimal is what stands before the fraction of a number in a table: "comma" or "point". Empty:
	// found out.
	Decimal string `json:"decimal,omitempty"`
	// Missing says what becomes of missing numbers of a table or a matrix, which are empty,
	// marked as NA or the like, or NaN: MissingMedian and MissingMean fill them by that of their
	// column, MissingDropRows and MissingDropColumns leave their rows or columns out. Empty: they are
	// an error, which counts them. A column of a table without any number is left out whatever this
	// says, with a note. Filling says how those of earlier rows were filled ([Corpus].Filling), and
	// these are filled so; of the values above MissingDropRows alone then has an effect.
	Missing string   `json:"missing,omitempty"`
	Filling *Filling `json:"filling,omitempty"`
	// AnyRows takes documents none of which has an entry other than 0, as rows of zeros; without it
	// they are an error.
	AnyRows bool `json:"-"`
	// Categories makes a column of words of a table without texts, which is neither names nor classes,
	// a term for each of its values, such as colour=red, with the entry 1 for the documents that have
	// it: of the columns that ViewColumns names, or all without these. AsCategories are columns that
	// are read so whatever they hold. Values that one document has are left out, and so are all but
	// the 100 most frequent ones.
	Categories   bool     `json:"categories,omitempty"`
	AsCategories []string `json:"as_categories,omitempty"`
	// AsNumbers are columns that hold numbers: in a file of SPSS, Stata or SAS the values and not
	// their labels. With Categories one that holds words all the same is an error.
	AsNumbers []string `json:"as_numbers,omitempty"`
	// Header says whether the first row of a table names its columns: "yes", "no" or "auto". Empty
	// is auto: found out by the first rows.
	Header string `json:"header,omitempty"`
	// Transpose says that the documents are the columns of the file's matrix. Without it the length
	// of the labels decides.
	Transpose bool `json:"transpose,omitempty"`
	// Labels is a file of labels: lines id,label (documents that it does not name are unlabelled),
	// or one label per line for every document in order. It replaces the labels of the corpus file.
	Labels string `json:"labels,omitempty"`
	// IDsFrom is the number that Labels, and files read with the corpus later, give the first
	// document if the documents have no ids: FromZero or FromOne. Empty: the only number that fits
	// the file.
	IDsFrom string `json:"ids_from,omitempty"`
	// Text says how raw text becomes counts.
	Text TextOptions `json:"text,omitzero"`
	// Split keeps the documents of these parts of a divided collection: "train", "test" and
	// "not-used" of Reuters-21578, or the first word of the ids of a divided folder (see [Read]).
	// Empty: all parts, or the parts of Reuters.Preset.
	Split []string `json:"split,omitempty"`
	// Reuters chooses documents of Reuters-21578 in SGML.
	Reuters ReutersOptions `json:"reuters,omitzero"`
	// Strip cuts parts out of texts: StripHeaders, StripQuotes, StripFooters, StripAuto, or StripNone
	// alone. Empty: StripAuto.
	Strip []string `json:"strip,omitempty"`
	// LabelHeader is the header of messages, in a mailbox or a folder, that is their class, such as
	// "Newsgroups" (the first group counts) or "List-Id". Empty: none.
	LabelHeader string `json:"label_header,omitempty"`
	// ClassFolder says which folder above a text is its class: "first" (the sub-folder of the
	// folder that is read), "last" (the folder that holds the file) or "none" (no classes). Empty:
	// first. If the folder is divided into parts such as train and test, the first is the one below
	// the part.
	ClassFolder string `json:"class_folder,omitempty"`
	// Encoding of texts: a name such as "utf-8", "latin1" or "koi8-r", or "auto" (by a byte-order
	// mark, else UTF-8, and Windows-1252 for a text that is not UTF-8). Empty: UTF-8 for folders,
	// where other bytes separate words; Latin-1 for Reuters; for mail the encoding that a message
	// declares, else "auto". JSON is always UTF-8.
	Encoding string `json:"encoding,omitempty"`
	// Snippets is the most characters (runes) of each text that [Corpus].Snippets keeps; 0: none,
	// [WholeTexts]: whole texts with their line breaks.
	Snippets int `json:"snippets,omitempty"`
	// Single stores the entries in single precision: 8 bytes per sparse entry and 4 per dense
	// value. A value that single precision cannot hold is an error. Not with Divide.
	Single bool `json:"single,omitempty"`
	// AsStored leaves the dense values of .npy and IDX files whose numbers are float32, float16 or
	// integers of at most 16 bits in 4 bytes each, where they would take 8: X is then a
	// *sparse.SingleDense whose Wide is set, with the same values. Without effect on other files, on
	// arrays in Fortran's order, with Transpose, with Divide, and with a store in the context.
	AsStored bool `json:"-"`
	// PageColumns are columns beside the texts, for [Corpus.ReadColumns]: a table or Parquet without
	// one of them is refused. "none" alone, and nil, ask for none.
	PageColumns []string `json:"-"`
	// Divide lets the ranks of a team, which the context carries, share the reading: each then
	// holds its part of the documents (see [Corpus]). Without a team it has no effect.
	Divide bool `json:"-"`
	// Vectors reads a vector of numbers for each document, and no text: see [ReadVectors].
	// VectorColumn is the column, field or variable that holds them.
	Vectors      bool   `json:"vectors,omitempty"`
	VectorColumn string `json:"vector_column,omitempty"`
	// Counts leaves the counts of texts as they were counted, about 2 bytes an entry: X is a
	// *sparse.Counts. Without effect on other documents, with Divide, with Single, and on texts of
	// folders and archives.
	Counts bool `json:"counts,omitempty"`
	// MaxBytes is the most memory the reader may take, in bytes; 0 is three quarters of what the
	// machine has available.
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// Observer gets stage "read" in bytes, or in files for a folder of texts.
	Observer progress.Observer `json:"-"`

	each    func([]Document) error // of [Survey]
	outline *counting.Outline      // of [ReadBlocks]
	share   *text.Sharing          // of ranks that count a file together
	// settled gets the names of the columns that were guessed; nil: nothing.
	settled *UsualColumns
	// beside says that the documents of each come with their other columns, and dates that dates and
	// times of Parquet are read: see [Corpus.ReadColumns].
	beside, dates bool
	// index is the column that is the index of the rows of a table; "": none.
	index string
	// aside are the columns of a table, from 0, that are beside the vectors of the documents.
	aside []int
	// weights are the columns of a table, from 0, that weigh its rows.
	weights []int
	// numbers are the columns of a table, from 0, that hold numbers though their values have labels.
	numbers []int
}

// Validate lists everything that is wrong with the options.
func (o ReadOptions) Validate() error {
	var errs []error
	if o.Format != "" && !knownFormat(o.Format) {
		errs = append(errs, invalid.Errorf("unknown format %q; the formats are %s", o.Format, strings.Join(Formats(), ", ")))
	}
	if !slices.Contains([]string{"", FromZero, FromOne}, o.IDsFrom) {
		errs = append(errs, invalid.Errorf("ids_from is %q; give 0 or 1", o.IDsFrom))
	}
	if !slices.Contains([]string{"", table.DecimalComma, table.DecimalPoint}, o.Decimal) {
		errs = append(errs, invalid.Errorf("decimal is %q; give comma or point", o.Decimal))
	}
	if o.Missing != "" && !slices.Contains(missing.Ways, o.Missing) {
		errs = append(errs, invalid.Errorf("missing is %q; give one of %s", o.Missing, strings.Join(missing.Ways, ", ")))
	}
	if !slices.Contains([]string{"", table.HeaderYes, table.HeaderNo, table.HeaderAuto}, o.Header) {
		errs = append(errs, invalid.Errorf("header is %q; give yes, no or auto", o.Header))
	}
	if o.MaxBytes < 0 {
		errs = append(errs, invalid.Errorf("max_bytes is %d; give 0 or a positive number of bytes", o.MaxBytes))
	}
	if o.Single && o.Divide {
		errs = append(errs, invalid.Errorf("documents that are divided among ranks are not stored in single precision: give one of the two"))
	}
	return invalid.Join(append(errs, o.texts().Validate())...)
}

// texts returns the options of the readers of texts.
func (o ReadOptions) texts() text.ReadOptions {
	return text.ReadOptions{Text: o.Text, Format: o.Format, Split: o.Split, Reuters: o.Reuters, Strip: o.Strip,
		LabelHeader: o.LabelHeader, ClassFolder: o.ClassFolder, Encoding: o.Encoding,
		TextColumn: o.TextColumn, IDColumn: o.IDColumn, LabelColumn: o.LabelColumn, TimeColumn: o.TimeColumn, ViewColumns: o.ViewColumns, Usual: o.Usual, Settled: o.settled, LabelsGiven: o.Labels != "", Snippets: o.Snippets, Counts: o.Counts && !o.Single,
		Vectors: o.Vectors, VectorColumn: o.VectorColumn, Each: o.each, Outline: o.outline, Share: o.share, Beside: o.beside, Dates: o.dates, PageColumns: o.PageColumns}
}

// UsualColumns names columns of texts, names, classes and times that a file may have. Names of a
// table without a header, and numbers of columns, are not taken; "none" is.
type UsualColumns = columns.Usual

// EarlierColumns are the columns of an earlier table by what they were.
type EarlierColumns = columns.Earlier

// NumberedTerms say how a file of svmlight or LDA-C numbered its terms.
type NumberedTerms = columns.Numbered

// ColumnPlace is a column of a table, by its name and its number.
type ColumnPlace = columns.Place

// TextOptions says how raw text becomes term counts. The zero value is the documented default.
type TextOptions = counting.Options

// Rarity says how many terms a document has that a vocabulary made without it would lack.
type Rarity = counting.Rarity

// LanguageName returns the name of a language for [TextOptions] that is given by its name or its
// code, such as en or en-US; another word is returned as it is.
func LanguageName(name string) string { return language.Name(name) }

// ReutersOptions chooses documents of Reuters-21578. The zero value keeps all of them.
type ReutersOptions = text.ReutersOptions

// ReutersPresets returns the names that ReutersOptions.Preset may have.
func ReutersPresets() []string { return text.ReutersPresets() }

// The parts of messages that ReadOptions.Strip may cut out.
const (
	// StripHeaders is the lines before the first empty one, if the text begins with a header.
	StripHeaders = plain.StripHeaders
	StripQuotes  = plain.StripQuotes  // quoted lines, and the lines that introduce them
	StripFooters = plain.StripFooters // the text after "-- ", else the last paragraph
	// StripAuto is, of a message of mail and of a text that begins with headers of mail, all headers
	// but the subject, the signature, and the lines that introduce quoted ones.
	StripAuto = plain.StripAuto
	StripNone = plain.StripNone // nothing
)

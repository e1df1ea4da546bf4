package counting

import "github.com/eigenmap/eigenmap/corpus/internal/language"

// Document is one text and what its source says about it.
type Document struct {
	ID, Label       string
	HasID, HasLabel bool
	Repeats         bool // another document may have the id: it then gets a number after it
	Line            int  // where it begins in its file, from 1
	Text            string
	snippet         string  // of the text; "" if none is wanted
	Beside          []Value // what its other columns hold, if that is wanted
	Skip            bool    // a reader's rule leaves it out; it is not counted
	Odd             bool    // its label is no class, such as a list of several
	NoText          bool    // its text is null or missing, which counts as an empty one
	// Also has further labels: the document is repeated for each, with #label after its id.
	Also    []string
	Damaged bool            // it has bytes that are invalid in its encoding
	Guessed string          // the encoding that it was read as, because it is not UTF-8; else ""
	Message bool            // it was read as a message, and is stripped
	Mail    bool            // it is mail from which StripAuto cut something
	Cut     bool            // parts of mail were cut out of it
	emptied bool            // no word is left of it, and parts of mail were cut out
	Plain   bool            // its format says that it has no HTML, or that was read already
	markup  bool            // HTML in it was left out
	twice   bool            // it was encoded twice, which was undone
	removed bool            // it was taken away, which a mark in its place says
	book    bool            // the licence of Project Gutenberg was cut out of it
	PDF     string          // the version of the program that read it as a PDF; else ""
	tongue  language.Tongue // what it is written in
	// packed is the number, up to [tokens.Unspaced], of the script without blanks whose runs were
	// cut into pieces; 0 for none.
	packed uint8
}

// Value is what a document has in a column beside its text, its name and its class.
type Value struct{ Column, Text string }

// Batch is a few documents that one worker reads and counts.
type Batch interface {
	Len() int
	// Document returns document i; an error names its file and line.
	Document(i int) (Document, error)
	// Held returns the bytes of the documents that are in memory.
	Held() int
}

// counted is what remains of a batch: the documents without their texts, and their counts by the
// term numbers of the worker that counted them, as [sparse.AppendCount] writes them.
type counted struct {
	worker  int
	from    *Origin    // nil: documents name their places themselves
	docs    []Document // text is empty
	ends    []int      // Document i has the counts [ends[i-1], ends[i])
	counts  []byte
	words   int64
	entries int64
	skipped int
	err     error
}

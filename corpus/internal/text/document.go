package text

import "github.com/eigenmap/eigenmap/corpus/internal/language"

// document is one text and what its source says about it.
type document struct {
	id, label       string
	hasID, hasLabel bool
	repeats         bool // another document may have the id: it then gets a number after it
	line            int  // where it begins in its file, from 1
	text            string
	snippet         string  // of the text; "" if none is wanted
	beside          []Value // what its other columns hold, if that is wanted
	skip            bool    // a reader's rule leaves it out; it is not counted
	odd             bool    // its label is no class, such as a list of several
	noText          bool    // its text is null or missing, which counts as an empty one
	// also has further labels: the document is repeated for each, with #label after its id.
	also    []string
	damaged bool            // it has bytes that are invalid in its encoding
	guessed string          // the encoding that it was read as, because it is not UTF-8; else ""
	message bool            // it was read as a message, and is stripped
	mail    bool            // it is mail from which StripAuto cut something
	cut     bool            // parts of mail were cut out of it
	emptied bool            // no word is left of it, and parts of mail were cut out
	plain   bool            // its format says that it has no HTML, or that was read already
	markup  bool            // HTML in it was left out
	pdf     string          // the version of the program that read it as a PDF; else ""
	tongue  language.Tongue // what it is written in
	// packed is the number, up to [tokens.Unspaced], of the script without blanks whose runs were
	// cut into pieces; 0 for none.
	packed uint8
}

// Value is what a document has in a column beside its text, its name and its class.
type Value struct{ Column, Text string }

// batch is a few documents that one worker reads and counts.
type batch interface {
	Len() int
	// Document returns document i; an error names its file and line.
	Document(i int) (document, error)
	// Held returns the bytes of the documents that are in memory.
	Held() int
}

// counted is what remains of a batch: the documents without their texts, and their counts by the
// term numbers of the worker that counted them, as [sparse.AppendCount] writes them.
type counted struct {
	worker  int
	from    *origin    // nil: documents name their places themselves
	docs    []document // text is empty
	ends    []int      // document i has the counts [ends[i-1], ends[i])
	counts  []byte
	words   int64
	entries int64
	skipped int
	err     error
}

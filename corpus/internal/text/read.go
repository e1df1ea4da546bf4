// Package text reads collections of raw texts: folders of text files, JSON lines, Parquet, tables,
// mailboxes, Reuters-21578 in SGML, and archives of these. Package counting counts their words as
// they are read.
package text

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/records"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// ReadOptions chooses what is read from a collection of texts and how its texts are counted.
type ReadOptions struct {
	Text counting.Options
	// Format is "folder" or "reuters" if the user says so; empty: by the names of the files.
	Format string
	// Split are the parts of a divided collection; empty: all, or the parts of Reuters.Preset.
	Split       []string
	Reuters     ReutersOptions // documents of Reuters-21578
	Strip       []string       // parts of messages that are cut out
	LabelHeader string         // header of messages that is their class; empty: none
	ClassFolder string         // "first", "last" or "none"; empty: first
	Encoding    string         // of the texts; empty: the format's usual one
	// TextColumn are the columns or fields of texts, joined if there are several; IDColumn and
	// LabelColumn are the columns of names and of classes, or "none". Empty: decided by names and
	// values.
	TextColumn            []string
	IDColumn, LabelColumn string
	Usual                 columns.Usual  // taken where the file has them
	Settled               *columns.Usual // gets what was guessed; nil: nothing
	// TimeColumn holds the times of the documents: it is neither text nor class. Empty: none.
	TimeColumn string
	// ViewColumns are neither text nor name nor class unless they are asked for, which is refused.
	ViewColumns []string
	// Snippets is the most characters of each text that are kept; 0: none.
	Snippets int
	// Counts leaves the rows as they were counted, in Collection.Counts.
	Counts bool
	// LabelsGiven says that a file of labels replaces the texts' labels.
	LabelsGiven bool
	// Vectors says that a vector of numbers is read of each document, and no text: the list in the
	// column or field VectorColumn. Empty: the only one.
	Vectors      bool
	VectorColumn string
	// Beside says that documents come with what their other columns or fields hold, and Dates that
	// columns of dates and times of Parquet are read as ISO 8601. Beside counts with Each alone.
	Beside, Dates bool
	// BesideColumns are the columns of a table that documents come with; nil: all.
	BesideColumns []string
	// PageColumns are columns that a table, and Parquet, must have; "none" asks for none.
	PageColumns []string
	// Each, if not nil, gets the documents in their order, some at a time, in place of the
	// counting; its error ends the reading. See [Document].
	Each func([]Document) error
	// Outline, if not nil, takes the documents once they are counted: the collection then has no rows,
	// names, labels and snippets.
	Outline *counting.Outline
	// Share, if not nil, divides the counting among ranks.
	Share *Sharing
}

// Validate lists every violation; such an error satisfies errors.Is(err, fs.ErrInvalid).
func (o ReadOptions) Validate() error {
	errs := []error{o.Text.Validate(), o.Reuters.Validate(), plain.CheckStrips(o.Strip)}
	if o.Snippets < 0 {
		errs = append(errs, invalid.Errorf("snippets of %d characters: give 0 or more", o.Snippets))
	}
	if o.ClassFolder != "" && !slices.Contains(classFolders, o.ClassFolder) {
		errs = append(errs, invalid.Errorf("class folder %q is unknown; use one of %s", message.Clip(o.ClassFolder, 40), strings.Join(classFolders, ", ")))
	}
	if o.Encoding != "" {
		_, err := charset.New(o.Encoding)
		errs = append(errs, err)
	}
	return invalid.Join(errs...)
}

// Extensions maps each lower-case extension to its format.
var Extensions = map[string]string{
	".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".parquet": "parquet", ".list": "list", ".sgm": "reuters", ".sgml": "reuters", ".mbox": "mbox",
}

// readers holds the reader of every format of texts in one file.
var readers = map[string]func(*source) (*counting.Collection, error){
	"jsonl":    readJSONL,
	"json":     readJSONArray,
	xmlFormat:  readXML,
	"lines":    readTextLines,
	"fasttext": readFastText,
	"reuters":  readReuters,
	"mbox":     readMbox,
	"list":     readList,
	"folder":   readOne,
	"parquet":  readParquet,
}

// source is a file or folder that is being read.
type source struct {
	*input.File
	opt    ReadOptions
	fields *fields // of JSON; nil: the fields with the usual names
	// choice says which elements of XML are the documents; nil: not known yet.
	choice *records.Choice
	// partNotes says that the notes of each of several files are kept.
	partNotes bool
	// settled says that the notes on the columns of Parquet are there.
	settled bool
	divides bool       // ranks can share the counting of what countTexts gets, see Sharing
	repeats bool       // ids that occur again get a number after them
	numbers bool       // the file is read as a table of numbers
	left    *leftFiles // files of a folder or an archive without a text
	oddWay  string     // what takes a class of documents with several labels; "": what fields have
}

// Read reads one file of format jsonl, lines, fasttext, parquet, reuters or mbox, the files of a
// list, or a file as the one text that it is in a folder (format folder). Memory is about 2 bytes
// per entry while reading, 12 more for the result, the vocabulary, the names and a few megabytes of
// text. An error about the file is an *input.FormatError.
func Read(file *input.File, format string, opt ReadOptions) (*counting.Collection, error) {
	c, err := readers[format](&source{File: file, opt: opt})
	if c != nil && c.Format != "" {
		format = c.Format
	}
	return finish(file, c, format, err)
}

// ReadFolder reads the folder that file names: Reuters-21578 if opt.Format is "reuters", or if it
// is empty and a file *.sgm of it is in the folder itself; else a folder of texts. Memory is as for
// [Read].
func ReadFolder(file *input.File, opt ReadOptions) (*counting.Collection, error) {
	in := &source{File: file, opt: opt}
	if opt.Format == "reuters" || opt.Format == "" && holdsReuters(in.Name) {
		c, err := readReutersFolder(in)
		return finish(file, c, "reuters", err)
	}
	c, err := readFolder(in)
	return finish(file, c, "folder", err)
}

// finish names the format of what was read, and the file in an error from below.
func finish(file *input.File, c *counting.Collection, format string, err error) (*counting.Collection, error) {
	if err != nil {
		return nil, file.Wrap("", err)
	}
	c.Format = format
	return c, nil
}

// isSGML recognises a file of Reuters-21578 by its name.
func isSGML(name string) bool {
	return Extensions[filepath.Ext(input.UnpackedName(strings.ToLower(name)))] == "reuters"
}

// holdsReuters reports whether a file of Reuters-21578 is in the folder itself. Other files *.sgml
// are texts. A file that cannot be read counts as one, and its reader says what is wrong.
func holdsReuters(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		if e.IsDir() || !isSGML(e.Name()) || input.IsHidden(e.Name()) {
			return false
		}
		f, size, err := input.OpenRegular(filepath.Join(dir, e.Name()))
		if err != nil {
			return true
		}
		defer f.Close()
		return size > 0 && beginsReuters(f)
	})
}

// beginsReuters reports whether a file *.sgm, which may be packed, is one of Reuters-21578: one of
// its elements begins in its first bytes. A damaged file counts as one.
func beginsReuters(r io.Reader) bool {
	is := false
	err := unpacked("", r, func(_ string, content io.Reader) error {
		head, err := io.ReadAll(io.LimitReader(content, input.HeadSize))
		is = IsReuters(head)
		return err
	})
	return is || err != nil
}

// IsReuters reports whether the first bytes of a file have an element of Reuters-21578.
func IsReuters(head []byte) bool {
	return bytes.HasPrefix(head, []byte("<!DOCTYPE lewis")) || bytes.Contains(head, []byte(reutersOpen))
}

// FormatByMagic returns the format whose signature a file begins with; empty for none.
func FormatByMagic(head []byte) string {
	switch s := string(head); {
	case strings.HasPrefix(s, "<!DOCTYPE lewis"), strings.HasPrefix(s, reutersOpen+" "):
		return "reuters"
	case strings.HasPrefix(s, parquetMagic), strings.HasPrefix(s, parquetSecret):
		return "parquet"
	case IsArrow(head):
		return "arrow"
	}
	return ""
}

// errStopped ends a producer whose batches are no longer needed.
var errStopped = errors.New("the counting ended")

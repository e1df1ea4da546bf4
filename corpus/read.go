package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// ReadOptions chooses what [Read] takes from a file. The zero value reads by extension and content.
type ReadOptions struct {
	// Format is one of Formats; empty decides by extension, else by content.
	Format string `json:"format,omitempty" yaml:"format,omitempty"`
	// Var and LabelVar name the variables of a .mat or .npz file. Empty takes the usual names
	// (fea/gnd, X/Y, ...). LabelVar "none" reads no labels.
	Var      string `json:"var,omitempty" yaml:"var,omitempty"`
	LabelVar string `json:"label_var,omitempty" yaml:"label_var,omitempty"`
	// LabelColumn is the column of classes in a CSV file: its name, its number from 1, or a negative
	// number from the end. Empty takes a first or last column called label, class, category, target,
	// y or gnd, else the only column that is not numeric. "none" reads no labels.
	LabelColumn string `json:"label_column,omitempty" yaml:"label_column,omitempty"`
	// Transpose says that the documents are the columns of the file's matrix. Without it the length
	// of the labels decides.
	Transpose bool `json:"transpose,omitempty" yaml:"transpose,omitempty"`
	// Labels is a file of labels: lines id,label (documents that it does not name are unlabelled), or
	// one label a line for every document in order. It replaces the labels of the corpus file.
	Labels string `json:"labels,omitempty" yaml:"labels,omitempty"`
	// Text says how raw text becomes counts.
	Text TextOptions `json:"text,omitzero" yaml:"text,omitempty"`
	// Split keeps the documents of these parts of a collection that is divided into parts: "train", "test", "not-used" of Reuters-21578, the
	// first word of the ids of a folder of such parts (see [Read]). Empty: all, or what Reuters.Preset says.
	Split []string `json:"split,omitempty" yaml:"split,omitempty"`
	// Reuters chooses documents of Reuters-21578 in SGML.
	Reuters ReutersOptions `json:"reuters,omitzero" yaml:"reuters,omitempty"`
	// Strip cuts parts out of the texts of folders and mailboxes: StripHeaders, StripQuotes, StripFooters. Empty: none.
	Strip []string `json:"strip,omitempty" yaml:"strip,omitempty"`
	// LabelHeader is the header of a mailbox' messages that is their class, such as "Newsgroups" (the first counts) or "List-Id". Empty: none.
	LabelHeader string `json:"label_header,omitempty" yaml:"label_header,omitempty"`
	// ClassFolder says which folder above a text is its class: "first" (the sub-folder of the folder that is read), "last" (the one that the
	// file lies in) or "none" (no classes). Empty: first. Where the folder is divided into parts, such as train and test, the first is the one below the part.
	ClassFolder string `json:"class_folder,omitempty" yaml:"class_folder,omitempty"`
	// Encoding of texts: "auto" (by a byte-order mark, else UTF-8, and Windows-1252 for a text that is not), or a name such as "utf-8", "latin1", "koi8-r". Empty: UTF-8
	// for folders, where other bytes separate words; Latin-1 for Reuters; for mail what a message declares, else "auto". JSON is UTF-8 always.
	Encoding string `json:"encoding,omitempty" yaml:"encoding,omitempty"`
	// MaxBytes is the most memory the reader may take, in bytes; 0 is three quarters of what the
	// machine has available.
	MaxBytes int64 `json:"max_bytes,omitempty" yaml:"max_bytes,omitempty"`
	// Observer hears of stage "read" in bytes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options.
func (o ReadOptions) Validate() error {
	var errs []error
	if o.Format != "" && !knownFormat(o.Format) {
		errs = append(errs, invalid.Errorf("unknown format %q; the formats are %s", o.Format, listNames(Formats(), 20)))
	}
	if o.MaxBytes < 0 {
		errs = append(errs, invalid.Errorf("max_bytes is %d; give 0 or a positive number of bytes", o.MaxBytes))
	}
	errs = append(errs, o.Text.Validate(), o.Reuters.Validate(), checkStrips(o.Strip))
	if o.ClassFolder != "" && !slices.Contains(classFolders, o.ClassFolder) {
		errs = append(errs, invalid.Errorf("class folder %q is unknown; use one of %s", clip(o.ClassFolder, 40), strings.Join(classFolders, ", ")))
	}
	if o.Encoding != "" {
		_, err := newDecoder(o.Encoding)
		errs = append(errs, err)
	}
	return invalid.Join(errs...)
}

// Read reads a corpus from a file, or from a folder of texts whose sub-folders are the classes, or of Reuters-21578 in SGML (a
// folder in which a file *.sgm lies).
//
// A folder of texts is divided into parts where its sub-folders are named train, test, dev, ... (or 20news-bydate-train and the like), no two
// alike, and have folders inside: these are then the classes, an id begins with its part's short name, and ReadOptions.Split chooses
// parts. An archive (.tar, .tar.gz, .tar.xz) is read as the folder that it was made of.
//
// The format comes from opt.Format, else from magic bytes, else from the extension, else from the
// look of the first lines; gzip and xz are recognised everywhere. Rows of the result are documents: a file
// that holds a document in every column is turned, and Notes tells it. Documents without any term
// are kept and told.
//
// Errors: a *[FormatError] where the file or the request is at fault (errors.Is(err, fs.ErrInvalid)), the
// context's error when it ended, else what the system said. Memory: the corpus itself, up to three
// times that while a text format grows; never more than opt.MaxBytes, and never by a number in a
// header that the file's own bytes do not back.
func Read(ctx context.Context, path string, opt ReadOptions) (*Corpus, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	opt.MaxBytes = newBudget(opt.MaxBytes).limit
	var given *Labeling
	if opt.Labels != "" {
		var err error
		if given, err = readLabelingLimited(ctx, opt.Labels, "", opt); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, openError(path, err)
	}
	var c *Corpus
	switch {
	case info.IsDir() && (opt.Format == "reuters" || opt.Format == "" && holdsSGML(path)):
		c, err = readReutersFolder(ctx, path, opt)
	case info.IsDir() && (opt.Format == "" || opt.Format == "folder"):
		c, err = readFolder(ctx, path, opt)
	case info.IsDir():
		return nil, failf(path, "", "is a folder, where a file of format %s is needed; name the file", opt.Format)
	default:
		c, err = readFile(ctx, path, opt, given)
	}
	if err != nil {
		return nil, err
	}
	c.Name = path
	if given != nil {
		if err := given.apply(c); err != nil {
			return nil, err
		}
	}
	if err := c.noteEmptyRows(); err != nil {
		return nil, err
	}
	return c, nil
}

// openError puts the system's refusal to open a file into one sentence.
func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &FormatError{File: path, Why: "there is no such file or folder; check the path", Err: fs.ErrNotExist}
	case errors.Is(err, fs.ErrPermission):
		return &FormatError{File: path, Why: "this user may not read it; change its permissions", Err: fs.ErrPermission}
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &FormatError{File: path, Why: "cannot be opened (" + err.Error() + "); check the path", Err: err}
}

func readFile(ctx context.Context, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := newInput(ctx, path, f, size, opt)
	if err != nil {
		return nil, err
	}
	in.path, in.given = path, given
	c, err := readInput(in)
	if err == nil {
		opt.Observer.Report("read", size, size, "bytes")
	}
	return c, err
}

// openRegular opens a regular file and tells its size. Anything else (a folder, a pipe, a device) is
// refused before it is opened, since opening a pipe would wait for its writer.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, openError(path, err)
	}
	if info.IsDir() {
		return nil, 0, failf(path, "", "is a folder, where a file is needed; name the file")
	}
	if !info.Mode().IsRegular() {
		return nil, 0, failf(path, "", "is not a regular file; save its content to a file and name that")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, openError(path, err)
	}
	return f, info.Size(), nil
}

// readInput reads one opened file in the format it turns out to have.
func readInput(in *input) (*Corpus, error) {
	if archive, err := in.isTar(); err != nil {
		return nil, err
	} else if archive {
		c, err := readTar(in)
		return c, in.wrap("", err)
	}
	format, err := detect(in)
	if err != nil {
		return nil, err
	}
	if read := textReaders[format]; read != nil {
		c, err := read(in)
		if err != nil {
			return nil, in.wrap("", err)
		}
		c.Format = format
		return c, nil
	}
	in.format = format
	d, err := readers[format](in)
	if err != nil {
		return nil, in.wrap("", err)
	}
	c, err := d.corpus(in)
	if err != nil {
		return nil, err
	}
	c.Format = format
	return c, nil
}

// textReaders holds the reader of every format of texts in one file.
var textReaders = map[string]func(*input) (*Corpus, error){
	"jsonl":   func(in *input) (*Corpus, error) { return readJSONL(in.ctx, in.stream, in.name, in.opt) },
	"reuters": readReuters,
	"mbox":    readMbox,
}

// readers holds the reader of every format that gives a matrix.
var readers = map[string]func(*input) (*draft, error){
	"mat": readMat,
	"mtx": readMtx,
	"svm": readSVM,
	"npy": readNPY,
	"npz": readNPZ,
	"csv": readCSV,
	"tsv": readCSV,
	"idx": readIDX,
}

// sibling returns the path of a file beside the one being read, if there is such a regular file.
func (in *input) sibling(name string) (string, bool) {
	if in.path == "" {
		return "", false
	}
	p := filepath.Join(filepath.Dir(in.path), name)
	info, err := os.Stat(p)
	return p, err == nil && info.Mode().IsRegular()
}

package input

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/words"
)

// FormatError says in one sentence what is wrong with a file, where in the file, and how to correct
// it. It satisfies errors.Is(err, fs.ErrInvalid).
type FormatError struct {
	File  string // the file as the user named it
	Place string // "line 12", "variable fea", "byte 1024"; empty for the whole file
	Why   string // what is wrong and how to correct it
	Err   error  // the cause, or nil
}

// Error returns "file: place: why", with "?" for control characters in the file's name.
func (e *FormatError) Error() string {
	said := message.Plain(e.File) + ": "
	if e.Place != "" {
		said += e.Place + ": "
	}
	return said + e.Why
}

// Is reports that the request or its data are at fault.
func (e *FormatError) Is(target error) bool { return target == fs.ErrInvalid }

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Failf makes the FormatError of a file and place.
func Failf(file, place, format string, args ...any) error {
	return &FormatError{File: file, Place: place, Why: fmt.Sprintf(format, args...)}
}

// IsAbout reports whether an error is a FormatError of a file.
func IsAbout(err error, file string) bool {
	var format *FormatError
	return errors.As(err, &format) && format.File == file
}

// ErrNoDocuments is the cause of an error that says that a file or folder holds no documents.
var ErrNoDocuments = errors.New("no documents")

// ErrNoTerms is the cause of an error that says that no term of the texts is left.
var ErrNoTerms = errors.New("no terms")

// ErrNumbers is the cause of an error that says that a file has numbers where texts are looked for.
var ErrNumbers = errors.New("a table of numbers")

// ErrWordColumns is the cause of an error that says that columns of a table of numbers hold words.
var ErrWordColumns = errors.New("columns of words in a table of numbers")

// ErrMissing is the cause of an error that says that numbers are missing.
var ErrMissing = errors.New("missing numbers")

// ErrSameID is the cause of an error that says that documents have the id of an earlier one.
var ErrSameID = errors.New("ids that belong to several documents")

// NoDocuments marks a FormatError as one of a file or folder without documents.
func NoDocuments(err error) error { return Caused(err, ErrNoDocuments) }

// Caused gives a FormatError its cause, and returns it.
func Caused(err, cause error) error {
	var format *FormatError
	if errors.As(err, &format) {
		format.Err = cause
	}
	return err
}

// Errors that [File.Wrap] turns into a FormatError that names the file.
var (
	// ErrMemory is the refusal of a Budget; it is memory.ErrLimit.
	ErrMemory = memory.ErrLimit
	// ErrTooLong marks a single record that is longer than its share of the memory.
	ErrTooLong = errors.New("record too long")
)

// errDamaged marks compressed data that contradict themselves.
var errDamaged = errors.New("damaged compressed data")

// Kinds of compressed files that are sound and are not read.
var (
	errFilter = errors.New("a filter of xz")
	errAfter  = errors.New("bytes after the compressed data")
	errWindow = errors.New("a large window of zstd")
	// errDictionary is a dictionary of xz beyond maxDictionary.
	errDictionary = errors.New("a large dictionary of xz")
)

// Fail makes the FormatError of a place in this file.
func (in *File) Fail(place, format string, args ...any) error {
	return Failf(in.Name, place, format, args...)
}

// Wrap turns an error from below into one sentence about this file. The context's error and errors
// that already are sentences pass unchanged, and so do those of writing another file, as whoever
// takes the documents may do. An error of the system stays one and is not a FormatError. Every
// other error is about the file's content, and is a FormatError.
func (in *File) Wrap(place string, err error) error {
	if err == nil {
		return nil
	}
	if cancelled := in.Ctx.Err(); cancelled != nil {
		return cancelled
	}
	var format *FormatError
	var corrupt flate.CorruptInputError
	var path *os.PathError
	why := ""
	switch {
	case errors.As(err, &format):
		if format.Place == "" && place != "" && format.File == in.Name {
			return &FormatError{File: format.File, Place: place, Why: format.Why, Err: format.Err}
		}
		return err
	case errors.Is(err, ErrMemory):
		why = fmt.Sprintf("reading it needs more than the %s of memory allowed here; allow more with %s, free memory or read a part of it", message.Bytes(in.Mem.Limit), words.Option(memory.OptionName))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		why = "the file ends too early, it was cut off; copy or download it again"
		if place == "" {
			place = in.end()
		}
	case errors.Is(err, errDamaged), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrHeader),
		errors.Is(err, zlib.ErrChecksum), errors.Is(err, zlib.ErrDictionary), errors.As(err, &corrupt):
		why = "the compressed data are damaged; copy or download the file again"
		if n := in.unpacked.Load(); n > 0 && place == "" {
			place = fmt.Sprintf("after %s bytes of content", words.Thousands(int(n)))
		}
	case errors.Is(err, errFilter):
		why = "is compressed by xz with a filter (--x86, --delta or another), which is not read here; unpack it, or pack it with xz and no filter"
	case errors.Is(err, errDictionary):
		why = fmt.Sprintf("is compressed by xz with a dictionary of more than %s, which is not read here; pack it with xz -9 or a smaller dictionary", message.Bytes(maxDictionary))
	case errors.Is(err, errWindow):
		why = fmt.Sprintf("is compressed by zstd with a window of more than %s, which is not read here; pack it with zstd -19 or less, without --ultra and --long", message.Bytes(maxDictionary))
	case errors.Is(err, errAfter):
		why = "after the compressed data come bytes that gzip or zstd did not write; unpack it with gzip -dc or zstd -dc, check that nothing is missing, and name the result"
	case errors.As(err, &path) && path.Op == "write":
		return err
	case errors.As(err, &path):
		return fmt.Errorf("cannot read %s: %w", in.Name, path.Err)
	case errors.As(err, new(syscall.Errno)), errors.Is(err, fs.ErrClosed):
		return fmt.Errorf("cannot read %s: %w", in.Name, err)
	case errors.Is(err, fs.ErrInvalid):
		return err
	default:
		why = fmt.Sprintf("its content is damaged (%s); copy or download it again", message.Clip(err.Error(), 120))
	}
	return &FormatError{File: in.Name, Place: place, Why: why, Err: err}
}

// searched is how much content of a compressed file is unpacked to find damage, in bytes.
const searched = 256 << 20

// Blame returns err, the error of reading the content, or of a compressed file the damage that is
// its cause: damaged data may give content for a while that makes no sense, and the checksum comes
// after it. nil stays nil.
func (in *File) Blame(err error) error {
	var format *FormatError
	if in.At != nil || in.Stream == nil || !errors.As(err, &format) || damaged(err) || errors.Is(err, ErrMemory) {
		return err
	}
	if _, after := io.CopyN(io.Discard, in.Stream, searched); damaged(after) {
		return in.Wrap("", after)
	}
	return err
}

// damaged reports whether an error is about the compressed data themselves.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	for _, kind := range []error{errDamaged, io.ErrUnexpectedEOF, gzip.ErrHeader, gzip.ErrChecksum} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return errors.As(err, &corrupt)
}

// end is the place where the file ends, in bytes of the file and of its content; "" if the size is
// not known.
func (in *File) end() string {
	switch n := in.unpacked.Load(); {
	case in.Size <= 0:
		return ""
	case n > 0:
		return fmt.Sprintf("byte %s, after %s bytes of content", words.Thousands(int(in.Size)), words.Thousands(int(n)))
	}
	return "byte " + words.Thousands(int(in.Size))
}

// OpenError puts the system's refusal to open a file into one sentence.
func OpenError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &FormatError{File: path, Why: "there is no such file or folder; check the path", Err: fs.ErrNotExist}
	case errors.Is(err, fs.ErrPermission):
		return &FormatError{File: path, Why: "this user may not read it; change its permissions", Err: fs.ErrPermission}
	}
	var refused *regular.Error
	if errors.As(err, &refused) {
		return &FormatError{File: path, Why: refused.Why, Err: err}
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &FormatError{File: path, Why: "cannot be opened (" + err.Error() + "); check the path", Err: err}
}

package matrix

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// npyArray is the header of an array in NumPy's format, versions 1 to 3.
type npyArray struct {
	kind    numKind
	text    byte // 'U' or 'S' for an array of words of width bytes each, else 0
	width   int64
	order   binary.ByteOrder
	fortran bool
	dims    []int64
	count   int64
	header  int64  // bytes before the data
	problem string // why its data are not read, to follow "is" in a message; else empty
	// words reads texts that are not of one width; nil: they are.
	words func() ([]string, error)
}

var (
	npyDescr   = pattern.Lazy(`'descr'\s*:\s*'([<>|=]?)([a-zA-Z?])(\d*)[^']*'`)
	npyFortran = pattern.Lazy(`'fortran_order'\s*:\s*(True|False)`)
	npyShape   = pattern.Lazy(`'shape'\s*:\s*\(([0-9, L]*)\)`)
)

// npyKinds maps NumPy's type letters and sizes to kinds of numbers.
var npyKinds = map[string]numKind{"b1": kindUint8, "?": kindUint8, "i1": kindInt8, "u1": kindUint8, "i2": kindInt16, "u2": kindUint16,
	"i4": kindInt32, "u4": kindUint32, "i8": kindInt64, "u8": kindUint64, "f2": kindFloat16, "f4": kindFloat32, "f8": kindFloat64}

// maxNPYHeader bounds the header's text in bytes; NumPy's own reader takes at most 10,000.
const maxNPYHeader = 1 << 16

// maxNPYText bounds the bytes of one text in an array of texts.
const maxNPYText = 1 << 22

// readNPYHeader reads the header and stops before the data.
func readNPYHeader(in *source, place string, r io.Reader) (*npyArray, error) {
	head := make([]byte, 12)
	if err := input.ReadFull(r, head[:10]); err != nil {
		return nil, in.Wrap(place, err)
	}
	if string(head[:6]) != "\x93NUMPY" {
		return nil, in.Fail(place, "is not an array in NumPy's format; write it with numpy.save or numpy.savez")
	}
	length, size := int64(binary.LittleEndian.Uint16(head[8:])), int64(10)
	if head[6] > 1 {
		if err := input.ReadFull(r, head[10:]); err != nil {
			return nil, in.Wrap(place, err)
		}
		length, size = int64(binary.LittleEndian.Uint32(head[8:])), 12
	}
	if head[6] < 1 || head[6] > 3 || length > maxNPYHeader {
		return nil, in.Fail(place, "has a header of version %d and %d bytes, the file is damaged; copy or write it again", head[6], length)
	}
	buf := make([]byte, length)
	if err := input.ReadFull(r, buf); err != nil {
		return nil, in.Wrap(place, err)
	}
	a := &npyArray{order: binary.LittleEndian, count: 1, header: size + length}
	text := string(buf)
	descr, fortran, shape := npyDescr().FindStringSubmatch(text), npyFortran().FindStringSubmatch(text), npyShape().FindStringSubmatch(text)
	if fortran == nil || shape == nil {
		return nil, in.Fail(place, "has a header that NumPy would not write, the file is damaged; copy or write it again")
	}
	a.fortran = fortran[1] == "True"
	for f := range strings.SplitSeq(shape[1], ",") {
		f = strings.TrimRight(strings.TrimSpace(f), "L")
		if f == "" {
			continue
		}
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil || n > 0 && a.count > (1<<48)/n {
			return nil, in.Wrap(place, input.ErrMemory)
		}
		a.dims = append(a.dims, n)
		a.count *= n
	}
	a.describe(descr)
	return a, nil
}

// describe finds the type from the parts of the descr entry; nil for an array of records.
func (a *npyArray) describe(descr []string) {
	if descr == nil {
		a.problem = "an array of records"
		return
	}
	if descr[1] == ">" {
		a.order = binary.BigEndian
	}
	switch letter := descr[2]; letter {
	case "U", "S":
		n, err := strconv.ParseInt(descr[3], 10, 32)
		if err != nil {
			a.problem = "an array of texts without a length"
			return
		}
		a.text, a.width = letter[0], n
		if letter == "U" {
			a.width *= 4
		}
		if a.width > maxNPYText {
			a.problem = "an array of texts of enormous length"
		}
	case "O":
		a.problem = "an array of Python objects (pickled), which is not read for safety"
	case "c":
		a.problem = "complex"
	default:
		a.kind = npyKinds[letter+descr[3]]
		a.width = int64(a.kind.size())
		if a.kind == noKind {
			a.problem = fmt.Sprintf("of the type %s%s", letter, descr[3])
		}
	}
}

// shape returns rows and columns; a list is a column.
func (a *npyArray) shape() (rows, cols int64) {
	switch len(a.dims) {
	case 0:
		return 1, 1
	case 1:
		return a.dims[0], 1
	}
	return a.dims[0], a.dims[1]
}

// variable describes the array for the choice among several.
func (a *npyArray) variable(name string) variable {
	v := variable{name: name, problem: a.problem, list: len(a.dims) < 2}
	v.rows, v.cols = a.shape()
	switch {
	case v.problem != "":
	case len(a.dims) > 2:
		v.problem = "an array of " + message.Plural(len(a.dims), "dimension", "dimensions")
	case a.text != 0: // v.problem says why it cannot be the matrix
		v.text, v.problem = true, "text"
	default:
		v.numeric = true
	}
	return v
}

// matrix reads a two-dimensional array of numbers; flipped says that x is its transpose.
func (a *npyArray) matrix(in *source, place string, r io.Reader, backed int64) (x *mat.Dense, flipped bool, err error) {
	rows, cols := a.shape()
	if err := in.checkShape(place, rows, cols, a.count); err != nil {
		return nil, false, err
	}
	vals, err := readFloats(r, in.Mem, a.count, a.kind, a.order, backed)
	if err != nil {
		return nil, false, in.Wrap(place, err)
	}
	if a.fortran {
		return mat.NewDense(int(cols), int(rows), vals), true, nil
	}
	return mat.NewDense(int(rows), int(cols), vals), false, nil
}

// asSingle reads a two-dimensional array in C's order in single precision.
func (a *npyArray) asSingle(in *source, place string, r io.Reader, backed int64) (*sparse.SingleDense, error) {
	rows, cols := a.shape()
	if err := in.checkShape(place, rows, cols, a.count); err != nil {
		return nil, err
	}
	x, err := readSingles(in.File, r, backed, a.count, a.kind, a.order, int(cols))
	if err != nil {
		return nil, in.Wrap(place, err)
	}
	x.Wide = !in.opt.Single
	return x, nil
}

// readNPY reads a dense matrix in NumPy's format. Labels are in the file NAME.labels.csv beside
// NAME.npy, if there is one.
func readNPY(in *source) (*draft, error) {
	a, err := readNPYHeader(in, "", in.Stream)
	if err != nil {
		return nil, err
	}
	if v := a.variable("the array"); !v.numeric {
		return nil, in.Fail("", "it is %s, where a real matrix is needed; save one with numpy.save", v.problem)
	}
	if len(a.dims) != 2 {
		return nil, in.Fail("", "it has %s, where a matrix of documents and terms is needed; save it with two", message.Plural(len(a.dims), "dimension", "dimensions"))
	}
	if in.At != nil && a.count*a.width > in.Size-a.header {
		return nil, in.Fail("byte "+words.Thousands(int(in.Size)), "the file ends after %s of the %s numbers that its header names, it was cut off; copy or download it again",
			words.Thousands(int((in.Size-a.header)/a.width)), words.Thousands(int(a.count)))
	}
	d := &draft{what: "the array"}
	if in.opt.inSingle(a.kind) && !a.fortran && !in.opt.Transpose {
		d.x, err = a.asSingle(in, "", in.Stream, in.Size)
	} else {
		d.x, d.flipped, err = a.matrix(in, "", in.Stream, in.Size)
	}
	if err != nil {
		return nil, err
	}
	if err := in.atEnd("numbers", a.count); err != nil {
		return nil, err
	}
	return d, in.takeLabelsBeside(d)
}

// atEnd refuses a file that goes on after so many entries, which its header names.
func (in *source) atEnd(entries string, count int64) error {
	if _, err := in.Stream.ReadByte(); err == nil {
		return in.Fail("", "it goes on after the %d %s that its header names, the file is damaged; copy or write it again", count, entries)
	}
	return nil
}

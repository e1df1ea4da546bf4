package matrix

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// MATLAB level 5, after "MAT-File Format" by MathWorks: a header of 128 bytes, then data elements
// of a tag (type, length) and content. An element of type miCompressed holds another one, packed
// with zlib.

const (
	miInt8       = 1
	miUint8      = 2
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18

	mxCell   = 1
	mxChar   = 4
	mxSparse = 5
	mxDouble = 6
	mxUint64 = 15

	matComplex = 0x800
	matLogical = 0x200
)

// matKinds maps the types of data elements to kinds of numbers.
var matKinds = map[uint32]numKind{miInt8: kindInt8, miUint8: kindUint8, 3: kindInt16, miUint16: kindUint16, miInt32: kindInt32,
	miUint32: kindUint32, 7: kindFloat32, 9: kindFloat64, 12: kindInt64, 13: kindUint64}

// matClasses names the classes of arrays that are not matrices, for messages.
var matClasses = map[byte]string{mxCell: "a cell array", 2: "a struct", 3: "an object", mxChar: "text", 16: "a function", 17: "an object"}

// matFile is an opened .mat file with a list of its variables.
type matFile struct {
	in    *source
	at    io.ReaderAt
	size  int64
	order binary.ByteOrder
	vars  []matVar
}

// matVar is a variable and the position of its element in the file.
type matVar struct {
	variable
	class      byte
	dims       []int64
	offset     int64 // of the content of the top-level element
	length     int64
	compressed bool
	logical    bool
}

// readMat reads a .mat file of level 5: one matrix, full or sparse, with its labels and names. It
// first lists the variables by their headers alone and then reads only the chosen ones. Memory: 8
// bytes per entry of a full matrix, 12 of a sparse one, and as much again to transpose it.
func readMat(in *source) (*draft, error) {
	m, err := openMat(in)
	if err == errLevel73 {
		return readHDF5(in)
	} else if err != nil {
		return nil, err
	}
	vars := make([]variable, len(m.vars))
	for k := range m.vars {
		vars[k] = m.vars[k].variable
	}
	data, labels, err := chooseVariables(in, vars)
	if err != nil {
		return nil, err
	}
	v := &m.vars[data]
	d := &draft{what: v.place(), flipped: true}
	if err := in.checkShape(d.what, v.rows, v.cols, v.rows); err != nil {
		return nil, err
	}
	if d.x, err = m.readMatrix(v); err != nil {
		return nil, in.Wrap(d.what, err)
	}
	if labels >= 0 {
		if d.labels, err = m.readLabels(&m.vars[labels]); err != nil {
			return nil, in.Wrap(m.vars[labels].place(), err)
		}
	}
	return d, m.readNames(d, labels)
}

// openMat lists the variables of a file; errLevel73 if it is HDF5.
func openMat(in *source) (*matFile, error) {
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	m := &matFile{in: in, at: at, size: size}
	if err := m.readHeader(); err != nil {
		return nil, err
	}
	return m, m.scan()
}

// errLevel73 says that a file is one of level 7.3, which is HDF5.
var errLevel73 = errors.New("level 7.3")

// readHeader checks the first 128 bytes and finds the byte order.
func (m *matFile) readHeader() error {
	const saveAgain = "load it in MATLAB or Octave and save it again with save('FILE.mat', '-v7')"
	head := make([]byte, 128)
	n, err := m.at.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return m.in.Wrap("", err)
	}
	head = head[:n]
	first, err := m.in.Peek(input.HeadSize)
	if err != nil {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte("MATLAB 7.3")) || hdf.Is(first):
		return errLevel73
	case bytes.HasPrefix(head, []byte("# Created by Octave")):
		return m.in.Fail("", "is a text file of Octave, which is not read; %s", saveAgain)
	case n >= 20 && bytes.IndexByte(head[:4], 0) >= 0:
		return m.in.Fail("", "is a MATLAB file of level 4, which is not read; %s", saveAgain)
	case n < 128 && bytes.HasPrefix(head, []byte("MATLAB 5")):
		return m.in.Wrap("header", io.ErrUnexpectedEOF)
	case n < 128:
		return m.in.Fail("", "is not a MATLAB file of level 5; %s", saveAgain)
	}
	switch string(head[126:128]) {
	case "IM":
		m.order = binary.LittleEndian
	case "MI":
		m.order = binary.BigEndian
	default:
		return m.in.Fail("byte 127", "is not a MATLAB file of level 5, the mark of the byte order is missing; %s", saveAgain)
	}
	if version := m.order.Uint16(head[124:]); version != 0x0100 {
		return m.in.Fail("byte 125", "is a MATLAB file of version %#x, where level 5 (0x100) is read; %s", version, saveAgain)
	}
	return nil
}

// scan lists the variables by their headers.
func (m *matFile) scan() error {
	for pos := int64(128); pos+8 <= m.size; {
		var tag [8]byte
		if _, err := m.at.ReadAt(tag[:], pos); err != nil {
			return m.in.Wrap(bytePlace(pos), err)
		}
		typ, length := m.order.Uint32(tag[:]), int64(m.order.Uint32(tag[4:]))
		if typ>>16 != 0 { // a small element has its content in the tag
			pos += 8
			continue
		}
		pos += 8
		if typ == miMatrix || typ == miCompressed {
			v := matVar{offset: pos, length: min(length, m.size-pos), compressed: typ == miCompressed}
			err := m.scanVariable(&v)
			if length > m.size-pos {
				place := bytePlace(pos - 8)
				if err == nil {
					place = v.place()
				}
				return m.in.Wrap(place, io.ErrUnexpectedEOF)
			}
			if err != nil {
				return m.in.Wrap(bytePlace(pos-8), err)
			}
			if len(m.vars) >= 100000 {
				return m.in.Fail(bytePlace(pos-8), "more than 100000 variables; save the matrix and its labels alone")
			}
			m.vars = append(m.vars, v)
		} else if length > m.size-pos {
			return m.in.Wrap(bytePlace(pos-8), io.ErrUnexpectedEOF)
		}
		pos += length
		if typ != miCompressed && length%8 != 0 {
			pos += 8 - length%8
		}
	}
	return nil
}

func bytePlace(pos int64) string { return fmt.Sprintf("byte %d", pos+1) }

// open returns the content of a variable's matrix element, after its tag.
func (m *matFile) open(v *matVar) (*matReader, error) {
	section := io.NewSectionReader(m.at, v.offset, v.length)
	r := &matReader{order: m.order, mem: m.in.Mem, backed: v.length}
	if !v.compressed {
		r.r = bufio.NewReaderSize(section, 1<<14)
		return r, nil
	}
	var err error
	if r.zip, err = newZlib(bufio.NewReaderSize(section, 1<<16)); err != nil {
		return nil, err
	}
	r.r = bufio.NewReaderSize(r.zip, 1<<14)
	e, err := r.next()
	if err != nil {
		return nil, err
	}
	if e.typ != miMatrix {
		return nil, errMat("the compressed element holds no array")
	}
	return r, nil
}

// errMat is damage inside an element; the caller adds the place.
type errMat string

func (e errMat) Error() string { return string(e) }

// scanVariable reads a variable's header.
func (m *matFile) scanVariable(v *matVar) error {
	r, err := m.open(v)
	if err == nil {
		err = r.readArrayHeader(v)
	}
	return m.damage(err)
}

// damage makes an errMat a sentence.
func (m *matFile) damage(err error) error {
	var e errMat
	if errors.As(err, &e) {
		return m.in.Fail("", "%s, the file is damaged; copy or download it again", string(e))
	}
	return err
}

// describe sets the shape and the use of a variable from its class and dimensions.
func (v *matVar) describe(flags uint32) {
	v.rows, v.cols = v.dims[0], v.dims[1]
	v.sparse = v.class == mxSparse
	v.logical = flags&matLogical != 0
	isNumeric := v.class >= mxSparse && v.class <= mxUint64
	switch {
	case len(v.dims) > 2 && slices.Max(v.dims[2:]) != 1:
		v.problem = fmt.Sprintf("an array of %d dimensions", len(v.dims))
	case isNumeric && flags&matComplex != 0:
		v.problem = "complex"
	case isNumeric:
		v.numeric = true
	case v.class == mxCell || v.class == mxChar:
		v.text = true
		v.problem = matClasses[v.class]
	default:
		v.problem = matClasses[v.class]
		if v.problem == "" {
			v.problem = fmt.Sprintf("of the unknown class %d", v.class)
		}
	}
}

package shards

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/npy"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// File is an opened file, whole or in parts.
type File interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// Open opens a regular file, or a table (.csv) or matrix (.npy) that is in parts, and returns its
// size in bytes. The parts have the bytes of the one file: one heading, then the records, or the
// rows. Errors are those of [regular.Open] and of [Parts], and of parts that do not belong together
// (fs.ErrInvalid).
func Open(path string) (File, int64, error) {
	parts, err := Parts(path)
	if err != nil {
		return nil, 0, err
	}
	if parts == nil {
		return regular.Open(path)
	}
	j := &joined{}
	switch filepath.Ext(path) {
	case ".csv":
		err = j.tables(parts)
	case ".npy":
		err = j.matrices(parts)
	default:
		err = &regular.Error{Path: path, Why: "is in parts, which cannot be read as one file: name its folder"}
	}
	if err != nil {
		j.Close()
		return nil, 0, err
	}
	j.Reader = io.NewSectionReader(j, 0, j.size)
	return j, j.size, nil
}

// joined is sections of files one after the other.
type joined struct {
	io.Reader
	files    []*os.File
	sections []*io.SectionReader
	ends     []int64 // where each section ends
	size     int64
}

// add appends a section.
func (j *joined) add(r io.ReaderAt, from, size int64) {
	j.sections = append(j.sections, io.NewSectionReader(r, from, size))
	j.size += size
	j.ends = append(j.ends, j.size)
}

// open opens a part.
func (j *joined) open(path string) (*os.File, int64, error) {
	f, size, err := regular.Open(path)
	if err == nil {
		j.files = append(j.files, f)
	}
	return f, size, err
}

// tables joins tables of one heading, which has no line break.
func (j *joined) tables(parts []string) error {
	var first string
	for k, path := range parts {
		f, size, err := j.open(path)
		if err != nil {
			return err
		}
		head, err := bufio.NewReader(io.NewSectionReader(f, 0, size)).ReadString('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if k == 0 {
			first = head
			j.add(f, 0, size)
			continue
		}
		if head != first {
			return refused(path, "its heading is not that of %s: the parts are not of one run", filepath.Base(parts[0]))
		}
		j.add(f, int64(len(head)), size-int64(len(head)))
	}
	return nil
}

// matrices joins matrices of as many columns.
func (j *joined) matrices(parts []string) error {
	type matrix struct {
		f          *os.File
		from, size int64
	}
	var list []matrix
	rows, columns := 0, 0
	for k, path := range parts {
		f, size, err := j.open(path)
		if err != nil {
			return err
		}
		n, d, from, err := header(f)
		if err != nil || size != from+8*int64(n)*int64(d) {
			return refused(path, "it is no whole .npy file of float64: make the result again")
		}
		if k > 0 && d != columns {
			return refused(path, "it has %d columns, and %s has %d: the parts are not of one run", d, filepath.Base(parts[0]), columns)
		}
		rows, columns = rows+n, d
		list = append(list, matrix{f, from, size - from})
	}
	head := npy.Header(npy.Float64, rows, columns)
	j.add(bytes.NewReader(head), 0, int64(len(head)))
	for _, m := range list {
		j.add(m.f, m.from, m.size)
	}
	return nil
}

var shape = pattern.Lazy(`'descr': '<f8', 'fortran_order': False, 'shape': \((\d+), (\d+)\)`)

// header reads the header of a matrix of float64 that we wrote.
func header(r io.ReaderAt) (rows, columns int, size int64, err error) {
	head := make([]byte, 10)
	if _, err := r.ReadAt(head, 0); err != nil {
		return 0, 0, 0, err
	}
	text := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := r.ReadAt(text, 10); err != nil {
		return 0, 0, 0, err
	}
	m := shape().FindSubmatch(text)
	if m == nil || !bytes.HasPrefix(head, []byte("\x93NUMPY\x01\x00")) {
		return 0, 0, 0, fs.ErrInvalid
	}
	if rows, err = strconv.Atoi(string(m[1])); err == nil {
		columns, err = strconv.Atoi(string(m[2]))
	}
	return rows, columns, 10 + int64(len(text)), err
}

// ReadAt implements io.ReaderAt.
func (j *joined) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	for k := sort.Search(len(j.ends), func(k int) bool { return off < j.ends[k] }); k < len(j.ends) && n < len(p); k++ {
		s := j.sections[k]
		want := min(int64(len(p)-n), j.ends[k]-off)
		got, err := s.ReadAt(p[n:n+int(want)], off-(j.ends[k]-s.Size()))
		n, off = n+got, off+int64(got)
		if int64(got) < want {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close implements io.Closer.
func (j *joined) Close() error {
	for _, f := range j.files {
		f.Close()
	}
	return nil
}

package folder

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"path/filepath"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
)

// Part is a file of the set that is written piece by piece, beside others. A nil part takes
// everything and writes nothing.
type Part struct {
	o     *Folder
	f     *atomicfile.File
	buf   *bufio.Writer
	path  string
	sum   hash.Hash
	count int64
}

// NewPart begins a file of the set, which is not visible before Commit. The caller ends it by
// [Part.Close] or [Part.Abort]. Errors: *WriteError. Of a nil folder it is nil.
func NewPart(o *Folder, name string) (*Part, error) {
	if o == nil {
		return nil, nil
	}
	path := filepath.Join(o.Dir, name)
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, &WriteError{Err: err}
	}
	return &Part{o: o, f: f, buf: bufio.NewWriterSize(f, 1<<16), path: path, sum: sha256.New()}, nil
}

// Write implements io.Writer. Errors: *WriteError.
func (p *Part) Write(b []byte) (int, error) {
	if p == nil {
		return len(b), nil
	}
	n, err := p.buf.Write(b)
	p.sum.Write(b[:n])
	p.count += int64(n)
	if err != nil {
		return n, &WriteError{Err: err}
	}
	return n, nil
}

// Close makes the file whole and a part of the set. Errors: *WriteError.
func (p *Part) Close() error {
	if p == nil || p.f == nil {
		return nil
	}
	err := p.buf.Flush()
	if err == nil {
		err = p.f.Seal()
	}
	if err != nil {
		p.Abort()
		return &WriteError{Err: err}
	}
	p.o.include(p.f, p.path, entry{Bytes: p.count, SHA256: hex.EncodeToString(p.sum.Sum(nil))})
	p.f = nil
	return nil
}

// Abort removes the file, unless it was closed.
func (p *Part) Abort() {
	if p != nil && p.f != nil {
		p.f.Abort()
		p.f = nil
	}
}

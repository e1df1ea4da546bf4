package folder

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"path/filepath"
	"syscall"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
)

// Part is a file of the set that is written piece by piece, beside others. A nil part takes
// everything and writes nothing. Where the process may open no more files, a part is held in memory
// until it is closed, and so until those closed before it have left a descriptor free.
type Part struct {
	o     *Folder
	f     *atomicfile.File
	held  *bytes.Buffer // in place of f
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
	p := &Part{o: o, path: filepath.Join(o.Dir, name), sum: sha256.New()}
	f, err := atomicfile.Create(p.path)
	switch {
	case tooManyOpen(err):
		p.held = new(bytes.Buffer)
		p.buf = bufio.NewWriter(p.held)
	case err != nil:
		return nil, &WriteError{Err: err}
	default:
		p.f, p.buf = f, bufio.NewWriterSize(f, 1<<16)
	}
	return p, nil
}

// tooManyOpen reports that a file was not opened because the process, or the machine, has as many
// open as it may.
func tooManyOpen(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
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
	if p == nil || p.f == nil && p.held == nil {
		return nil
	}
	err := p.buf.Flush()
	if err == nil && p.held != nil {
		if p.f, err = atomicfile.Create(p.path); err == nil {
			_, err = p.held.WriteTo(p.f)
		}
	}
	p.held = nil
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
	if p == nil {
		return
	}
	if p.held = nil; p.f != nil {
		p.f.Abort()
		p.f = nil
	}
}

// Package atomicfile writes files that are either complete or absent.
//
// A file is written under a temporary name in its own folder and renamed when it is whole and on
// the disk, so that a reader, a full disk or an interrupt never meets half of it. Temporary files
// in the making are remembered: [RemovePending] takes them away when the program must stop at once.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// File is a file in the making, for one goroutine. It buffers.
type File struct {
	path, name string // where it shall stand, where it stands now
	tmp        *os.File
	buf        *bufio.Writer
	sealed     bool // complete and on the disk under name
	over       bool // committed or aborted
}

var pending = struct {
	sync.Mutex
	names map[string]struct{}
}{names: make(map[string]struct{})}

// Create starts a file that will appear at path on [File.Commit]. A folder in its place is refused
// here, before anything is written.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
	}
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		// Not os.CreateTemp: its files are private to the owner, ours get what the umask allows.
		tmp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		if err != nil {
			return nil, inPlace(err, path)
		}
		pending.Lock()
		pending.names[name] = struct{}{}
		pending.Unlock()
		return &File{path: path, name: name, tmp: tmp, buf: bufio.NewWriterSize(tmp, 1<<16)}, nil
	}
}

// Write implements io.Writer. Its errors, like those of the other methods, name the file asked for.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	return n, inPlace(err, f.path)
}

// Seal completes the contents and brings them to the disk, still under the temporary name. Commit
// does it too; a set of files that belong together is sealed whole before the first is committed.
func (f *File) Seal() error {
	if f.sealed || f.over {
		return nil
	}
	err := f.buf.Flush()
	if err == nil {
		err = f.tmp.Sync()
	}
	if e := f.tmp.Close(); err == nil {
		err = e
	}
	f.sealed = true
	if err != nil {
		f.Abort()
	}
	return inPlace(err, f.path)
}

// Commit seals the file and gives it its name, replacing what stood there.
func (f *File) Commit() error {
	if f.over {
		return &fs.PathError{Op: "write", Path: f.path, Err: fs.ErrClosed}
	}
	if err := f.Seal(); err != nil {
		return err
	}
	if err := os.Rename(f.name, f.path); err != nil {
		f.Abort()
		return inPlace(err, f.path)
	}
	f.over = true
	forget(f.name)
	return nil
}

// Abort removes what was written. After Commit it does nothing, so that it can be deferred.
func (f *File) Abort() {
	if f.over {
		return
	}
	f.over = true
	if !f.sealed {
		f.tmp.Close()
	}
	os.Remove(f.name)
	forget(f.name)
}

// Write makes the file at path from what write puts into w: all of it, or on an error nothing.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// RemovePending removes every temporary file in the making: the last act of a program that is told
// to stop at once. Files still being written then fail in Commit.
func RemovePending() {
	pending.Lock()
	defer pending.Unlock()
	for name := range pending.names {
		os.Remove(name)
		delete(pending.names, name)
	}
}

// RemoveStale removes from dir the temporary files of programs that were killed while they wrote one of the named
// files: regular files with exactly the name that [Create] gives, last written before the given time. Those of this
// process stay. What cannot be removed stays too: it is in nobody's way.
func RemoveStale(dir string, before time.Time, names ...string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !slices.ContainsFunc(names, func(base string) bool { return isTemporary(e.Name(), base) }) {
			continue
		}
		info, err := e.Info()
		name := filepath.Join(dir, e.Name())
		pending.Lock()
		_, ours := pending.names[name]
		pending.Unlock()
		if err == nil && !ours && info.ModTime().Before(before) {
			os.Remove(name)
		}
	}
}

// isTemporary tells whether name is one that Create gives to a file in the making that will be called base.
func isTemporary(name, base string) bool {
	digits, isTmp := strings.CutSuffix(name, ".tmp")
	digits, isOfBase := strings.CutPrefix(digits, "."+base+".")
	return isTmp && isOfBase && len(digits) == 8 && strings.Trim(digits, "0123456789abcdef") == ""
}

func forget(name string) {
	pending.Lock()
	delete(pending.names, name)
	pending.Unlock()
}

// inPlace makes err name the file that the caller asked for instead of the temporary one.
func inPlace(err error, path string) error {
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}

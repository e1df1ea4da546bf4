// Package atomicfile writes files that are either complete or absent.
//
// It writes a file under a temporary name in the same folder and renames it after all data is on
// the disk. A reader, a full disk or an interrupt therefore never leaves or sees half a file. The
// package keeps a list of unfinished temporary files; [RemovePending] removes them when the program
// must stop at once.
package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// File is an unfinished file with a write buffer. Use it from one goroutine.
type File struct {
	path, name string // final path, and the current temporary path
	tmp        *os.File
	buf        *bufio.Writer
	sealed     bool // complete and on the disk under name
	over       bool // committed or aborted
}

var pending = struct {
	sync.Mutex
	names map[string]struct{}
}{names: make(map[string]struct{})}

// Create starts a file that appears at path after [File.Commit]. It fails if path is a folder,
// before anything is written.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
	}
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		// os.CreateTemp is not used because its files are private to the owner. These files get the
		// permissions that the umask allows.
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

// Write implements io.Writer. Its errors, like the other methods' errors, name the final path.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	return n, inPlace(err, f.path)
}

// Seal writes all data to the disk, still under the temporary name. Commit calls it if needed. To
// write several files that belong together, seal all of them before the first Commit.
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

// Commit seals the file and renames it to its final path. It replaces an existing file.
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

// Abort removes the temporary file. After Commit it does nothing, so it can be deferred.
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

// Temporary is the path of the file until Commit.
func (f *File) Temporary() string { return f.name }

// Release leaves a sealed file to another process, which takes it by [Adopt].
func (f *File) Release() {
	f.over = true
	forget(f.name)
}

// Adopt takes the file that another process sealed and released under a temporary name; it appears
// at path after [File.Commit]. Errors: there is no such file, or it is not of this size.
func Adopt(path, temporary string, size int64) (*File, error) {
	info, err := os.Stat(temporary)
	if err != nil {
		return nil, inPlace(err, path)
	}
	if info.Size() != size {
		return nil, &fs.PathError{Op: "write", Path: path, Err: io.ErrUnexpectedEOF}
	}
	pending.Lock()
	pending.names[temporary] = struct{}{}
	pending.Unlock()
	return &File{path: path, name: temporary, sealed: true}, nil
}

// Write writes the file at path with the data that write puts into w. On an error no file appears.
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

// While returns a writer that fails once ctx is done, so that writing stops between two buffers.
func While(ctx context.Context, w io.Writer) io.Writer { return &cancelWriter{ctx, w} }

type cancelWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancelWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// RemovePending removes every unfinished temporary file. Call it last, before the program stops.
// Files that are still being written then fail in Commit.
func RemovePending() {
	pending.Lock()
	defer pending.Unlock()
	for name := range pending.names {
		os.Remove(name)
		delete(pending.names, name)
	}
}

// RemoveStale removes temporary files from dir that killed programs left behind. It removes a
// regular file only if its name is exactly one that [Create] gives for a final name that satisfies
// of, if it was last written before the given time or more than a day from now (the clock was set
// back), and if it does not belong to this process. It ignores files that it cannot remove.
func RemoveStale(dir string, before time.Time, of func(base string) bool) {
	removeTemporary(dir, before, of)
}

// RemoveAbandoned removes temporary files of any age from dir whose final names satisfy of, except
// this process's own. Call it only if no other process writes such files there.
func RemoveAbandoned(dir string, of func(base string) bool) {
	removeTemporary(dir, time.Now().Add(time.Hour), of)
}

func removeTemporary(dir string, before time.Time, of func(base string) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	tomorrow := time.Now().Add(24 * time.Hour)
	for _, e := range entries {
		if base, temporary := finalName(e.Name()); !temporary || !e.Type().IsRegular() || !of(base) {
			continue
		}
		info, err := e.Info()
		name := filepath.Join(dir, e.Name())
		pending.Lock()
		_, ours := pending.names[name]
		pending.Unlock()
		if err == nil && !ours && (info.ModTime().Before(before) || info.ModTime().After(tomorrow)) {
			os.Remove(name)
		}
	}
}

// finalName is the final name of a file that Create gave a temporary name, if name is such a one.
func finalName(name string) (base string, temporary bool) {
	name, hidden := strings.CutPrefix(name, ".")
	name, isTmp := strings.CutSuffix(name, ".tmp")
	dot := strings.LastIndexByte(name, '.')
	if !hidden || !isTmp || dot < 1 || len(name)-dot-1 != 8 || strings.Trim(name[dot+1:], "0123456789abcdef") != "" {
		return "", false
	}
	return name[:dot], true
}

func forget(name string) {
	pending.Lock()
	delete(pending.names, name)
	pending.Unlock()
}

// inPlace makes err name the final path instead of the temporary one.
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

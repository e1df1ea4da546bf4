// Package folder is a folder of results: files that appear together or not at all, one writer at a
// time.
package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
)

// Folder is an open folder of results. Its files are written whole under temporary names first and
// get their names together in Commit. A nil folder takes nothing.
type Folder struct {
	Dir string
	// Earlier says that it held results of an earlier run when it was opened.
	Earlier bool
	// Until, if it is set, is the time from which on long files are left out: after an interrupt.
	Until time.Time

	names  []string // of all files that a run can write
	held   *os.File // locked for the run; nil if the system has no locks
	made   []string // folders that were missing, innermost first
	opened time.Time
	files  []*atomicfile.File
	paths  []string
}

// WriteError is a failure to write results: of the work, even if the cause (a closed or invalid
// file) would elsewhere be the caller's.
type WriteError struct{ Err error }

// Error implements error.
func (e *WriteError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// probe is the file that proves that files can be made.
const probe = "probe"

// Open makes the folder, locks it against other runs and proves that files can be made in it. names
// are all files that runs write there; results are those whose presence means an earlier run. Runs
// that write different files may share the folder.
//
// Errors (fs.ErrInvalid): the path is a file, another run holds it, no file can be made in it.
func Open(dir string, names, results []string, shared bool) (*Folder, error) {
	o := &Folder{Dir: dir, names: names, opened: time.Now()}
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		info, err := os.Stat(d)
		if err == nil && !info.IsDir() {
			return nil, invalid.Errorf("%s: it is a file, and the results need a folder", d)
		}
		missing := errors.Is(err, fs.ErrNotExist)
		if !missing && !errors.Is(err, syscall.ENOTDIR) || d == filepath.Dir(d) {
			break
		}
		if missing {
			o.made = append(o.made, d)
		}
	}
	if err := o.take(shared); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(filepath.Join(dir, probe))
	if err != nil {
		o.Discard()
		return nil, refused(dir, err)
	}
	f.Abort()
	o.Earlier = slices.ContainsFunc(results, o.has)
	return o, nil
}

func (o *Folder) has(name string) bool {
	_, err := os.Stat(filepath.Join(o.Dir, name))
	return err == nil
}

// take makes the folder and locks it. A run that failed may just be removing the folder that it
// made.
func (o *Folder) take(shared bool) error {
	for try := 0; ; try++ {
		if err := os.MkdirAll(o.Dir, 0o777); err != nil {
			return refused(o.Dir, err)
		}
		held, err := lock.Dir(o.Dir, shared)
		switch {
		case errors.Is(err, fs.ErrNotExist) && try < 10:
			continue
		case errors.Is(err, lock.ErrHeld):
			return invalid.Errorf("another eigenmap is writing to %s: wait for it, or choose another folder", o.Dir)
		case err != nil:
			return refused(o.Dir, err)
		}
		o.held = held
		return nil
	}
}

func refused(dir string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return invalid.Errorf("%s: no file can be written there (%v): choose another folder", dir, err)
}

// Add writes a file of the set, which is not visible yet. Errors: the context's, and *WriteError.
func (o *Folder) Add(ctx context.Context, name string, write func(io.Writer) error) error {
	if o == nil {
		return nil
	}
	path := filepath.Join(o.Dir, name)
	f, err := atomicfile.Create(path)
	if err != nil {
		return &WriteError{err}
	}
	o.files = append(o.files, f)
	o.paths = append(o.paths, path)
	err = write(&hastyWriter{ctxWriter{ctx, f}, o.Until, 0})
	if errors.Is(err, errLate) {
		f.Abort()
		o.files, o.paths = o.files[:len(o.files)-1], o.paths[:len(o.paths)-1]
		return nil
	}
	if err == nil {
		err = f.Seal()
	}
	if stopped := ctx.Err(); stopped != nil {
		return stopped
	}
	if err != nil {
		return &WriteError{err}
	}
	return nil
}

// Commit gives the files their names and returns their paths. Files of an earlier run that this one
// did not write are removed, except those in keep; so are the temporary files of killed runs.
func (o *Folder) Commit(keep ...string) ([]string, error) {
	if o == nil {
		return nil, nil
	}
	for _, f := range o.files {
		if err := f.Commit(); err != nil {
			return nil, &WriteError{err}
		}
	}
	for _, name := range o.names {
		path := filepath.Join(o.Dir, name)
		if slices.Contains(o.paths, path) || slices.ContainsFunc(keep, func(k string) bool { return Same(k, path) }) {
			continue
		}
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			if err := os.Remove(path); err != nil {
				return nil, &WriteError{err}
			}
		}
	}
	atomicfile.RemoveStale(o.Dir, o.opened, append([]string{probe}, o.names...)...)
	saved := o.paths
	o.files, o.paths = nil, nil
	return saved, nil
}

// RemoveStale removes temporary files of killed runs that were to have one of the names.
func (o *Folder) RemoveStale(names ...string) {
	atomicfile.RemoveStale(o.Dir, o.opened, names...)
}

// Drop removes the files that were not committed.
func (o *Folder) Drop() {
	for _, f := range o.files {
		f.Abort()
	}
	o.files, o.paths = nil, nil
}

// Discard removes what was not committed and the folders that were made if they are empty, and
// unlocks the folder.
func (o *Folder) Discard() {
	if o == nil {
		return
	}
	o.Drop()
	o.RemoveEmpty()
	o.held.Close() // a nil file has nothing to close
}

// RemoveEmpty removes the folders that were made, as far as they are empty.
func (o *Folder) RemoveEmpty() {
	if o == nil {
		return
	}
	for _, d := range o.made {
		if os.Remove(d) != nil {
			return
		}
	}
}

// Same says whether two paths are one file or folder.
func Same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// ctxWriter fails when the context is done, so that writing stops between two buffers.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// errLate says that a file was too long to be finished after an interrupt.
var errLate = errors.New("too late")

// hastyWriter gives up at a time, if there is one, unless the file is short.
type hastyWriter struct {
	w       io.Writer
	until   time.Time
	written int
}

func (h *hastyWriter) Write(p []byte) (int, error) {
	const short = 1 << 20
	if h.written += len(p); h.written > short && !h.until.IsZero() && time.Now().After(h.until) {
		return 0, errLate
	}
	return h.w.Write(p)
}

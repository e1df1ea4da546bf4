package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/lock"
)

// output is the folder of --out. Its files are written whole under temporary names first and get
// their names together at the end, so that the folder never mixes two runs. A nil output takes nothing.
type output struct {
	dir     string
	held    *os.File // locked for the run; nil where there are no locks
	made    []string // folders that were missing, innermost first; fixed once it is open
	opened  time.Time
	earlier bool      // it held a run's clusters or embedding before
	until   time.Time // after an interrupt: files that are long are left out from then on
	files   []*atomicfile.File
	paths   []string
}

// openOutput opens the folder of --out, and remembers it in case the work is abandoned. Runs that write different files may share it.
func (a *app) openOutput(shared bool) (*output, error) {
	o, err := openOutput(a.opt.out, shared)
	a.out.Store(o)
	return o, err
}

// openOutput makes the folder, locks it against other runs and proves that files can be made in it, before the long work.
func openOutput(dir string, shared bool) (*output, error) {
	if dir == "" {
		return nil, nil
	}
	o := &output{dir: dir, opened: time.Now()}
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		info, err := os.Stat(d)
		if err == nil && !info.IsDir() {
			return nil, requestf("%s: it is a file, and --out wants a folder", d)
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
	probe, err := atomicfile.Create(filepath.Join(dir, probeFile))
	if err != nil {
		o.discard()
		return nil, outputRefused(dir, err)
	}
	probe.Abort()
	for _, name := range []string{"clusters.csv", "embedding.npy", "embedding.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			o.earlier = true
		}
	}
	return o, nil
}

// take makes the folder and locks it. A run that failed may just be removing the folder that it made.
func (o *output) take(shared bool) error {
	for try := 0; ; try++ {
		if err := os.MkdirAll(o.dir, 0o777); err != nil {
			return outputRefused(o.dir, err)
		}
		held, err := lock.Dir(o.dir, shared)
		switch {
		case errors.Is(err, fs.ErrNotExist) && try < 10:
			continue
		case errors.Is(err, lock.ErrHeld):
			return requestf("another eigenmap is writing to %s: wait for it, or choose another --out", o.dir)
		case err != nil:
			return outputRefused(o.dir, err)
		}
		o.held = held
		return nil
	}
}

func outputRefused(dir string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return requestf("%s: no file can be written there (%v): choose another --out", dir, err)
}

// add writes a file of the set, not visible yet.
func (o *output) add(ctx context.Context, name string, write func(io.Writer) error) error {
	if o == nil {
		return nil
	}
	path := filepath.Join(o.dir, name)
	f, err := atomicfile.Create(path)
	if err != nil {
		return &writeError{err, "--out"}
	}
	o.files = append(o.files, f)
	o.paths = append(o.paths, path)
	err = write(&hastyWriter{ctxWriter{ctx, f}, o.until, 0})
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
		return &writeError{err, "--out"}
	}
	return nil
}

// errLate says that a file was too long to be finished after an interrupt.
var errLate = errors.New("too late")

// hastyWriter gives up after a time, where there is one, unless the file is short.
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

// resultFiles are all files that --out can get, and the one that tries whether it can.
var resultFiles = []string{probeFile, "clusters.csv", "posterior.npy", "uncertain.csv", "directions.csv", "embedding.npy", "embedding.csv", modelName, "config.yaml",
	"scatter.png", "report.html", "affinity.npz", "affinity.mtx"}

const probeFile = "probe"

// commit gives the files their names and returns these. What a killed run left half-written goes.
func (o *output) commit() ([]string, error) {
	if o == nil {
		return nil, nil
	}
	for _, f := range o.files {
		if err := f.Commit(); err != nil {
			return nil, &writeError{err, "--out"}
		}
	}
	atomicfile.RemoveStale(o.dir, o.opened, resultFiles...)
	saved := o.paths
	o.files, o.paths = nil, nil
	return saved, nil
}

// drop removes the files that were not committed.
func (o *output) drop() {
	for _, f := range o.files {
		f.Abort()
	}
	o.files, o.paths = nil, nil
}

// discard removes what was not committed, and the folders that were made if they are empty, and unlocks the folder.
func (o *output) discard() {
	if o == nil {
		return
	}
	o.drop()
	o.removeEmpty()
	o.held.Close() // a nil file has nothing to close
}

// removeEmpty removes the folders that were made, as far as nothing stands in them.
func (o *output) removeEmpty() {
	if o == nil {
		return
	}
	for _, d := range o.made {
		if os.Remove(d) != nil {
			return
		}
	}
}

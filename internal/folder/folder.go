// Package folder is a folder of results: files that appear together or not at all, one writer at a
// time.
package folder

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// Folder is an open folder of results. Its files are written whole under temporary names first and
// get their names together in Commit. A nil folder takes nothing.
type Folder struct {
	Dir string
	// Earlier says that it held results of an earlier run when it was opened.
	Earlier bool
	// Until, if it is set, is the time from which on long files are left out: after an interrupt.
	Until time.Time
	// Origin is the run, for the manifest.
	Origin Origin
	// Series, if it is set, says of a name that is not among the fixed ones whether runs write files
	// of that name: one of a series as long as the run needs.
	Series func(name string) bool

	names   []string // of all files that a run can write; none: the folder has no manifest
	held    *os.File // locked for the run; nil if the system has no locks
	made    []string // folders that were missing, innermost first
	opened  time.Time
	files   []*atomicfile.File
	paths   []string
	entries []entry // of the files, but for their names
	foreign []string
	fresh   []string // paths that Commit gave to files where there were none
	mixed   bool     // Commit replaced or removed a file of an earlier run
	stage   stages
}

// WriteError is a failure to write results: of the work, even if the cause (a closed or invalid
// file) would elsewhere be the caller's.
type WriteError struct {
	Err error
	// Mixed says that the folder holds files of this run and of an earlier one. Check refuses them
	// until another run has made the folder whole. Otherwise the folder is as it was before.
	Mixed bool
}

// Error implements error.
func (e *WriteError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Probe is the name of a file that proves that files can be made. None gets this name.
const Probe = "probe"

// Open makes the folder, locks it against other runs and proves that files can be made in it. names
// are all files that runs write there; results are those whose presence means an earlier run. Runs
// that write different files may share the folder. Without names the folder has no manifest.
//
// Errors (fs.ErrInvalid): the path is a file, another run holds it, no file can be made in it, the
// manifest in it is none, or it has files of the names without a manifest.
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
	f, err := atomicfile.Create(filepath.Join(dir, Probe))
	if err != nil {
		o.Discard()
		return nil, refused(dir, err)
	}
	f.Abort()
	if err := o.checkFiles(); err != nil {
		o.Discard()
		return nil, err
	}
	o.Earlier = slices.ContainsFunc(results, o.has)
	return o, nil
}

func (o *Folder) has(name string) bool {
	_, err := shards.Stat(filepath.Join(o.Dir, name))
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
			return &HeldError{o.Dir}
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
	return o.AddAll(ctx, Content{name, write})
}

// Content is a file for a folder: its name, and what writes it.
type Content struct {
	Name  string
	Write func(io.Writer) error
}

// AddAll writes files of the set side by side, as [Folder.Add] one. Its error is the first in the
// order of the files. After [Folder.Abandon] no file is begun.
func (o *Folder) AddAll(ctx context.Context, files ...Content) error {
	if o == nil {
		return nil
	}
	type written struct {
		file *atomicfile.File
		entry
		err error
	}
	done := make([]written, len(files))
	stopped := parallel.For(ctx, len(files), 1, func(_, i, _ int) error {
		if o.abandoned() { // nobody would remove another file
			return context.Canceled
		}
		w := &done[i]
		w.file, w.entry, w.err = sealed(ctx, o.path(files[i]), o.Until, files[i].Write)
		return nil
	})
	var failed error
	for i, w := range done {
		if stopped == nil && w.file == nil && tooManyOpen(w.err) { // one at a time, where side by side are too many
			w.file, w.entry, w.err = sealed(ctx, o.path(files[i]), o.Until, files[i].Write)
		}
		switch {
		case w.file == nil:
			failed = cmp.Or(failed, w.err)
		case errors.Is(w.err, errLate):
			w.file.Abort()
		default:
			o.include(w.file, o.path(files[i]), w.entry)
			failed = cmp.Or(failed, w.err)
		}
	}
	if stopped = cmp.Or(stopped, ctx.Err()); stopped != nil {
		return stopped
	}
	if failed != nil {
		return &WriteError{Err: failed}
	}
	return nil
}

func (o *Folder) path(c Content) string { return filepath.Join(o.Dir, c.Name) }

// include makes a sealed file one of the set.
func (o *Folder) include(f *atomicfile.File, path string, e entry) {
	o.files, o.paths, o.entries = append(o.files, f), append(o.paths, path), append(o.entries, e)
}

// sealed writes a file under its temporary name; until is that of Folder. f is nil if none was
// begun.
func sealed(ctx context.Context, path string, until time.Time, write func(io.Writer) error) (f *atomicfile.File, e entry, err error) {
	if f, err = atomicfile.Create(path); err != nil {
		return nil, entry{}, err
	}
	sum, count := sha256.New(), &counter{}
	if err = write(&hastyWriter{atomicfile.While(ctx, io.MultiWriter(f, sum, count)), until, 0}); err == nil {
		err = f.Seal()
	}
	return f, entry{Bytes: count.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// Commit gives the files their names and returns their paths, the manifest's last. Files of an
// earlier run that this one did not write are removed, except those in keep, which the run has
// read; so are the temporary files of killed runs.
//
// All files, the manifest included, are complete and on the disk before the first name changes. A
// manifest that lists the files of both runs is put in place first, and the manifest of this run
// last. A run that is stopped in between leaves the earlier files, the new ones, or a folder that
// Check refuses. If a name cannot be changed, the folder is left as it was, unless a file of an
// earlier run is already gone ([WriteError]).
//
// Errors: *WriteError, fs.ErrInvalid for a file in keep that would be written over, and
// context.Canceled after [Folder.Abandon].
func (o *Folder) Commit(keep ...string) ([]string, error) {
	if o == nil {
		return nil, nil
	}
	keep = inParts(keep)
	for _, path := range o.paths {
		if slices.ContainsFunc(keep, func(k string) bool { return Same(k, path) }) {
			return nil, invalid.Errorf("%s: the run has read this file and would write over it: choose another folder for the results", path)
		}
	}
	if err := o.beginCommit(); err != nil {
		return nil, err
	}
	saved, err := o.commit(keep)
	o.endCommit(err)
	if err != nil {
		return nil, &WriteError{Err: err, Mixed: o.mixed}
	}
	o.RemoveStale(append([]string{Probe, ManifestName}, o.names...)...)
	o.foreign = o.others(keep)
	o.files, o.paths, o.entries = nil, nil, nil
	return saved, nil
}

// inParts are the paths with the parts of those files that are in parts.
func inParts(paths []string) []string {
	all := slices.Clone(paths)
	for _, path := range paths {
		if path == "" {
			continue
		}
		if parts, err := shards.Parts(path); err == nil {
			all = append(all, parts...)
		}
	}
	return all
}

func (o *Folder) commit(keep []string) ([]string, error) {
	kept := func(path string) bool {
		return slices.Contains(o.paths, path) || slices.ContainsFunc(keep, func(k string) bool { return Same(k, path) })
	}
	earlier, err := os.ReadFile(filepath.Join(o.Dir, ManifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	o.fresh, o.mixed = nil, false
	saved, err := o.rename(kept)
	if err != nil && !o.mixed {
		o.mixed = o.undo(earlier) != nil
	}
	return saved, err
}

// rename changes the names in the folder, in the order that Commit describes.
func (o *Folder) rename(kept func(path string) bool) ([]string, error) {
	last, old, err := o.announce(kept)
	if err != nil {
		return nil, err
	}
	if last != nil {
		defer last.Abort()
	}
	for i, f := range o.files {
		if err := at("rename", o.paths[i]); err != nil {
			return nil, err
		}
		_, missing := os.Lstat(o.paths[i])
		if err := f.Commit(); err != nil {
			return nil, err
		}
		if missing == nil {
			o.mixed = true
		}
		o.fresh = append(o.fresh, o.paths[i])
	}
	if err := o.removeOld(old, kept); err != nil {
		return nil, err
	}
	if o.names == nil {
		return o.paths, o.sync()
	}
	if err := o.sync(); err != nil {
		return nil, err
	}
	path := filepath.Join(o.Dir, ManifestName)
	if last == nil {
		if len(o.files) == 0 && old != nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		return o.paths, nil
	}
	if err := at("rename", path); err != nil {
		return nil, err
	}
	if err := last.Commit(); err != nil {
		return nil, err
	}
	return append(o.paths, path), o.sync()
}

// announce seals the manifest, which Commit puts in place last, and puts the one in place that
// lists the earlier files beside those to come. old are the earlier files. A folder that gets no
// files has no manifest.
func (o *Folder) announce(kept func(path string) bool) (last *atomicfile.File, old []entry, err error) {
	if o.names == nil {
		return nil, nil, nil
	}
	before, err := o.present()
	if err != nil {
		return nil, nil, err
	}
	old = before.Files
	if len(o.files) == 0 {
		return nil, old, nil
	}
	now := o.written()
	if last, err = o.seal(now); err != nil {
		return nil, nil, err
	}
	journal := *before
	journal.Files = slices.DeleteFunc(slices.Clone(old), func(e entry) bool {
		path := filepath.Join(o.Dir, e.Name)
		return kept(path) && !slices.Contains(o.paths, path)
	})
	journal.Next = now.Files
	first, err := o.seal(&journal)
	if err == nil {
		defer first.Abort()
		err = at("rename", filepath.Join(o.Dir, ManifestName))
	}
	if err == nil {
		err = first.Commit()
	}
	if err == nil {
		err = o.sync()
	}
	if err != nil {
		last.Abort()
		return nil, nil, err
	}
	return last, old, nil
}

// removeOld removes the files of earlier runs that are not kept: those that runs can write, and
// what the earlier manifest lists as long as it is what that run wrote.
func (o *Folder) removeOld(old []entry, kept func(path string) bool) error {
	names := slices.Clone(o.names)
	for _, e := range old {
		if slices.Contains(names, e.Name) {
			continue
		}
		if have, err := stateOf(context.Background(), filepath.Join(o.Dir, e.Name), []int64{e.Bytes}); err == nil && have == e {
			names = append(names, e.Name)
		}
	}
	for _, name := range names {
		path := filepath.Join(o.Dir, name)
		if kept(path) {
			continue
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := at("remove", path); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		o.mixed = true
	}
	return nil
}

// undo removes the files that got a name and puts the earlier manifest back, if there was one.
func (o *Folder) undo(earlier []byte) error {
	for _, path := range o.fresh {
		if err := at("remove", path); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	if o.names == nil {
		return nil
	}
	path := filepath.Join(o.Dir, ManifestName)
	if now, err := os.ReadFile(path); earlier == nil && errors.Is(err, fs.ErrNotExist) || earlier != nil && bytes.Equal(now, earlier) {
		return nil
	}
	if earlier == nil {
		if err := at("remove", path); err != nil {
			return err
		}
		return os.Remove(path)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(earlier); err != nil {
		return err
	}
	if err := f.Seal(); err != nil {
		return err
	}
	if err := at("rename", path); err != nil {
		return err
	}
	return f.Commit()
}

// others are the visible entries of the folder that no run wrote and that the run did not read.
func (o *Folder) others(keep []string) []string {
	if o.names == nil {
		return nil
	}
	entries, _ := os.ReadDir(o.Dir)
	var names []string
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(o.Dir, e.Name())
		if name == ManifestName || strings.HasPrefix(name, ".") || slices.Contains(o.paths, path) ||
			slices.ContainsFunc(keep, func(k string) bool { return Same(k, path) }) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// Foreign are the names of what Commit found in the folder beside the run's files: files and
// folders that runs of this program did not write. They stay.
func (o *Folder) Foreign() []string {
	if o == nil {
		return nil
	}
	return o.foreign
}

// RemoveStale removes temporary files of killed runs that were to have one of the names, or one of
// Series.
func (o *Folder) RemoveStale(names ...string) {
	atomicfile.RemoveStale(o.Dir, o.opened, func(base string) bool {
		return slices.Contains(names, base) || o.Series != nil && o.Series(base)
	})
}

// Drop removes the files that were not committed.
func (o *Folder) Drop() {
	for _, f := range o.files {
		f.Abort()
	}
	o.files, o.paths, o.entries = nil, nil, nil
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

// Inside says whether a path, which need not exist, lies in a folder or is that folder.
func Inside(path, dir string) bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	rest := ""
	for d := path; ; d = filepath.Dir(d) { // symbolic links are followed as far as there is something
		if real, err := filepath.EvalSymlinks(d); err == nil {
			path = filepath.Join(real, rest)
			break
		}
		if d == filepath.Dir(d) {
			break
		}
		rest = filepath.Join(filepath.Base(d), rest)
	}
	for d := path; ; d = filepath.Dir(d) {
		if Same(d, dir) {
			return true
		}
		if d == filepath.Dir(d) {
			return false
		}
	}
}

// Is reports whether there is a folder of that name.
func Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Same says whether two paths are one file or folder.
func Same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// counter counts what is written.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
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

package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/internal/words"
)

// ManifestName is the file of a folder of results that lists the others with their checksums. It is
// written last: files that do not match it are not of one run.
const ManifestName = "run.json"

// manifestKind begins the format of every version; manifestFormat is the one that is written.
const (
	manifestKind   = "eigenmap results "
	manifestFormat = manifestKind + "1"
)

// Origin is the run that wrote the files of a folder.
type Origin struct {
	Command string `json:"command"`
	Method  string `json:"method,omitempty"`
	Version string `json:"version"`
	// Versions are those of the program's parts, as JSON shows them; nil if they are not kept. Here
	// and below is nothing that differs from run to run, such as times, so that equal runs give equal
	// bytes.
	Versions any `json:"versions,omitempty"`
	// File is the corpus as the run was given it.
	File string `json:"file,omitempty"`
	// Documents is how many documents there are; 0 if they are not kept.
	Documents int `json:"documents,omitempty"`
	// Seed is that of every random choice; nil if the run makes none.
	Seed *uint64 `json:"seed,omitempty"`
	// Clusters is how many clusters there are; 0 if none were made.
	Clusters int `json:"clusters,omitempty"`
	// Scored is how many documents with a true label Metrics rest on, and AccuracyBy how Metrics
	// take clusters for classes; 0, nil and "" without such labels.
	Scored     int    `json:"scored,omitempty"`
	Metrics    any    `json:"metrics,omitempty"`
	AccuracyBy string `json:"accuracy_by,omitempty"`
	// Choice is how the method was chosen, as JSON shows it; nil if it was named.
	Choice any `json:"method_choice,omitempty"`
	// Search is how the number of clusters was chosen, as JSON shows it; nil if it was given.
	Search any `json:"k_search,omitempty"`
	// Coherence is how well the terms of the clusters belong together, as JSON shows it; nil if
	// they have none.
	Coherence any `json:"coherence,omitempty"`
	// Notes are the sentences for the user that the run has at its end.
	Notes []string `json:"notes,omitempty"`
}

// entry is a file as it was written.
type entry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// manifest lists the files of a run. While the next run puts its files in place, Next lists those:
// the folder then holds one of the two sets, or a mixture.
type manifest struct {
	Format string `json:"format"`
	Origin
	Files []entry `json:"files"`
	Next  []entry `json:"next,omitempty"`
}

// checkFiles refuses a file that has the manifest's name and is something else, and in a folder
// without a manifest files of the names that runs write, which a run would replace or remove.
func (o *Folder) checkFiles() error {
	if o.names == nil {
		return nil
	}
	if !o.has(ManifestName) {
		var others []string
		for _, name := range o.names {
			if info, err := os.Lstat(filepath.Join(o.Dir, name)); err == nil && !info.IsDir() {
				others = append(others, name)
			}
		}
		if others == nil {
			return nil
		}
		return invalid.Errorf("%s: it has files of the names of results, which a run would replace or remove, and no %s, which every run writes: %s; choose another folder, or move the files away",
			o.Dir, ManifestName, words.Few(others, 6))
	}
	if m, err := readManifest(o.Dir); m != nil || err != nil {
		return err
	}
	return invalid.Errorf("%s: it is not the list of files that eigenmap keeps in a folder of results: move it away, or choose another folder",
		filepath.Join(o.Dir, ManifestName))
}

// readManifest reads the manifest of a folder; nil if there is none or if a file of that name is
// something else.
//
// Errors (fs.ErrInvalid): it is damaged, or of a later version.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, ManifestName)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	damaged := invalid.Errorf("%s: the list of the folder's files is damaged: run again with another folder, or move this file away to use the others unchecked", path)
	if info.Size() > 8<<20 { // ours has 200 bytes per file, and three parts of each of 4,096 ranks
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, damaged
	}
	switch {
	case !strings.HasPrefix(m.Format, manifestKind):
		return nil, nil
	case m.Format != manifestFormat:
		return nil, invalid.Errorf("%s: it is of a later version of eigenmap (%q): use that version, or move this file away to use the others unchecked", path, m.Format)
	}
	for _, e := range slices.Concat(m.Files, m.Next) {
		if e.Name != filepath.Base(e.Name) || strings.HasPrefix(e.Name, ".") || e.Name == ManifestName {
			return nil, damaged
		}
	}
	return &m, nil
}

// states keeps the files of a folder as they are, each read once.
type states struct {
	ctx   context.Context
	dir   string
	known map[string]entry // without a name: there is no such file
}

// of is the file as it is. A file of another length than each of those wanted is not read.
func (s *states) of(name string, lengths ...int64) (entry, error) {
	if e, ok := s.known[name]; ok {
		return e, nil
	}
	e, err := stateOf(s.ctx, filepath.Join(s.dir, name), lengths)
	if errors.Is(err, fs.ErrNotExist) {
		e, err = entry{}, nil
	}
	if err == nil {
		s.known[name] = e
	}
	return e, err
}

// stateOf reads a file. With lengths, a file of another length is not read and has no checksum.
func stateOf(ctx context.Context, path string, lengths []int64) (entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return entry{}, err
	}
	e := entry{Name: filepath.Base(path), Bytes: info.Size()}
	if !info.Mode().IsRegular() || lengths != nil && !slices.Contains(lengths, e.Bytes) {
		return e, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(atomicfile.While(ctx, sum), f); err != nil {
		return entry{}, err
	}
	e.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return e, nil
}

// strangers are the names of files that do not belong to the set want where the other set was to
// replace it or to be replaced: files that differ, and files of the other set that want lacks. A
// file of want may be missing if all is false: a user may remove what is of no use.
func (s *states) strangers(want, other []entry, all bool) ([]string, error) {
	var names []string
	for _, e := range want {
		lengths := []int64{e.Bytes}
		if o := find(other, e.Name); o != nil {
			lengths = append(lengths, o.Bytes)
		}
		have, err := s.of(e.Name, lengths...)
		if err != nil {
			return nil, err
		}
		if have.Name == "" && all || have.Name != "" && have != e {
			names = append(names, e.Name)
		}
	}
	for _, e := range other {
		if find(want, e.Name) != nil {
			continue
		}
		have, err := s.of(e.Name, e.Bytes)
		if err != nil {
			return nil, err
		}
		if have.Name != "" {
			names = append(names, e.Name)
		}
	}
	return names, nil
}

func find(list []entry, name string) *entry {
	if i := slices.IndexFunc(list, func(e entry) bool { return e.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// Check refuses a file of a folder of results whose files are not of one run, since a run was
// stopped while it put them in place or since they were changed. Files that no manifest lists, and
// folders without one, are not checked; a file in parts needs one, because nothing else says that
// the parts are of one run. Every listed file of the folder is read once, at the speed of SHA-256.
//
// Errors: fs.ErrInvalid for such a folder, errors of reading, and the context's.
func Check(ctx context.Context, path string) error {
	whole := path
	path = shards.First(path) // of a file in parts: all listed files of the folder are read
	if path != whole {
		if err := listsPart(path); err != nil {
			return err
		}
	}
	err := check(ctx, path, false)
	if err == nil {
		// The place where a symbolic link leads to counts as well.
		if real, failed := filepath.EvalSymlinks(path); failed == nil && !Same(filepath.Dir(real), filepath.Dir(path)) {
			err = check(ctx, real, false)
		}
	}
	return err
}

// listsPart refuses the first part of a file that is read as one if no manifest lists it.
func listsPart(part string) error {
	m, err := readManifest(filepath.Dir(part))
	if err != nil || m != nil && (find(m.Files, filepath.Base(part)) != nil || find(m.Next, filepath.Base(part)) != nil) {
		return err
	}
	lists := "lies without"
	if m != nil {
		lists = "is not listed in"
	}
	return invalid.Errorf("%s: this part %s the %s of its run, which says what parts belong together: copy all parts and that file from the folder that the run wrote", part, lists, ManifestName)
}

// check is Check of the folder that path lies in; held says that this process has opened it.
func check(ctx context.Context, path string, held bool) error {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // whoever reads it says what is wrong
	}
	m, err := readManifest(dir)
	if m == nil || err != nil {
		return err
	}
	if find(m.Files, name) == nil && find(m.Next, name) == nil {
		return nil
	}
	s := &states{ctx, dir, map[string]entry{}}
	wrong, err := s.strangers(m.Files, m.Next, false)
	if err != nil || wrong == nil {
		return err
	}
	if m.Next != nil {
		if next, err := s.strangers(m.Next, m.Files, true); err != nil || next == nil {
			return err
		}
	}
	if !held {
		if taken, err := lock.Dir(dir, true); errors.Is(err, lock.ErrHeld) {
			return invalid.Errorf("%s: another eigenmap is writing to %s: wait for it", path, dir)
		} else if taken != nil {
			taken.Close()
		}
	}
	what, cause := "is not the file that", "it was changed after the run, or a later run was stopped before it was done"
	if len(wrong) > 1 {
		what, cause = "are not the files that", "they were changed after the run, or a later run was stopped before it was done"
	}
	if m.Next != nil {
		cause = "a run was stopped while it put its files in place"
	}
	return invalid.Errorf("%s: the files in %s do not belong to one run: %s %s %s lists (%s): run again, or copy the file to another folder to use it as it is",
		path, dir, words.Few(wrong, 5), what, ManifestName, cause)
}

// written is the manifest of the files that the folder has taken.
func (o *Folder) written() *manifest {
	m := &manifest{Format: manifestFormat, Origin: o.Origin, Files: []entry{}}
	for i, path := range o.paths {
		e := o.entries[i]
		e.Name = filepath.Base(path)
		m.Files = append(m.Files, e)
	}
	return m
}

// present is the manifest of what the folder holds before the new files come; of results of a
// version without manifests, the list of these. keep are files that a run may not touch.
func (o *Folder) present() (*manifest, error) {
	m, err := readManifest(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &states{context.Background(), o.Dir, map[string]entry{}}
	if m == nil {
		m = &manifest{Format: manifestFormat, Files: []entry{}}
		for _, name := range o.names {
			if info, err := os.Lstat(filepath.Join(o.Dir, name)); err != nil || !info.Mode().IsRegular() {
				continue
			}
			e, err := s.of(name)
			if err != nil {
				return nil, err
			}
			m.Files = append(m.Files, e)
		}
		return m, nil
	}
	if m.Next != nil { // an earlier run was stopped: it may have been done but for the last step
		if wrong, err := s.strangers(m.Next, m.Files, true); err != nil {
			return nil, err
		} else if wrong == nil {
			m.Files = m.Next
		}
		m.Next = nil
	}
	return m, nil
}

// seal writes a manifest under a temporary name.
func (o *Folder) seal(m *manifest) (*atomicfile.File, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(filepath.Join(o.Dir, ManifestName))
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(append(text, '\n')); err == nil {
		err = f.Seal()
	}
	if err != nil {
		f.Abort()
		return nil, err
	}
	return f, nil
}

// sync brings the names in the folder to the disk. Systems and file systems that cannot do that for
// a folder are no failure.
func (o *Folder) sync() error {
	if err := at("sync", o.Dir); err != nil {
		return err
	}
	f, err := os.Open(o.Dir)
	if err != nil {
		return nil // write permission without read permission
	}
	defer f.Close()
	if err := f.Sync(); errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return nil
}

// Step is called before every change of a name in a folder of results, with what is done and the
// path. Tests stop the program there; nil otherwise.
var Step func(what, path string) error

func at(what, path string) error {
	if Step == nil {
		return nil
	}
	return Step(what, path)
}

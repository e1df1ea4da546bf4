package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Shard is a file of the set that a process wrote which has not opened the folder: another rank of
// the run. It is on the disk under a temporary name until the folder adopts it.
type Shard struct {
	Name, Temporary, SHA256 string
	Bytes                   int64

	file *atomicfile.File
}

// WriteShard writes a file into dir, which exists, for [Adopt]. Errors: the context's, and
// *WriteError.
func WriteShard(ctx context.Context, dir, name string, write func(io.Writer) error) (*Shard, error) {
	f, e, err := sealed(ctx, filepath.Join(dir, name), time.Time{}, write)
	if err == nil {
		return &Shard{name, f.Temporary(), e.SHA256, e.Bytes, f}, nil
	}
	if f != nil {
		f.Abort()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &WriteError{Err: err}
}

// Abort removes the file, unless it was released.
func (s *Shard) Abort() { s.file.Abort() }

// Release leaves the file to the process that has the folder.
func (s *Shard) Release() { s.file.Release() }

// Adopt makes a file that another rank wrote and released one of the set of an open folder. Errors:
// *WriteError, and fs.ErrInvalid for a file that is not here, since the rank has another disk.
func Adopt(o *Folder, s *Shard) error {
	path := filepath.Join(o.Dir, s.Name)
	f, err := atomicfile.Adopt(path, filepath.Join(o.Dir, filepath.Base(s.Temporary)), s.Bytes)
	if errors.Is(err, fs.ErrNotExist) {
		return invalid.Errorf("%s: a rank wrote this file, and rank 0 does not find it: give a folder that all machines of the run have in common", path)
	}
	if err != nil {
		return &WriteError{Err: err}
	}
	o.include(f, path, entry{Bytes: s.Bytes, SHA256: s.SHA256})
	return nil
}

// there reports whether there is a file at path.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Contents are the files that a folder of results has, of those that its manifest lists, and the
// run that wrote them. own, if it is not nil, is a folder that the caller has opened, which may be
// this one. Errors (fs.ErrInvalid): it has no manifest, or its files are not of one run.
func Contents(ctx context.Context, dir string, own *Folder) ([]string, Origin, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, Origin{}, err
	}
	if m == nil {
		return nil, Origin{}, fmt.Errorf("%s: %w", dir, invalid.Errorf("it is no folder of results: it has no %s", ManifestName))
	}
	held := own != nil && Same(own.Dir, dir)
	var names []string
	for _, e := range slices.Concat(m.Files, m.Next) { // all that are there are checked together
		if path := filepath.Join(dir, e.Name); there(path) {
			if err := check(ctx, path, held); err != nil {
				return nil, Origin{}, err
			}
			break
		}
	}
	if m, err = (&Folder{Dir: dir}).present(); err != nil {
		return nil, Origin{}, err
	}
	for _, e := range m.Files {
		if there(filepath.Join(dir, e.Name)) { // a user may remove what is of no use
			names = append(names, e.Name)
		}
	}
	return names, m.Origin, nil
}

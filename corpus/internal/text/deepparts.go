package text

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// deepParts is the files of Parquet in the folders below a folder, as Hugging Face and Spark keep
// them, in the order of their paths; nil if there are others than these, media and words on them.
func deepParts(dir string) (paths []string, err error) {
	const parquet = "parquet"
	other := errors.New("another file")
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil { // e may be nil
			return err
		}
		name := e.Name()
		hidden := input.IsHidden(name) || strings.HasPrefix(name, "_")
		switch {
		case e.IsDir() && hidden && path != dir:
			return fs.SkipDir
		case e.IsDir() || hidden || IsAbout(name) || IsMedia(name):
		case extensionOf(name) == parquet:
			paths = append(paths, path)
		default:
			return other
		}
		return nil
	})
	if errors.Is(err, other) {
		return nil, nil
	}
	if err != nil {
		return nil, input.OpenError(dir, err)
	}
	return paths, nil
}

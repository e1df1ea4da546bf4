package papers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
)

// Dataset is one of the papers' corpora.
type Dataset struct {
	Name    string
	File    string
	Classes int // the largest classes that the papers use; the files number them by size, from 1
}

// The corpora of the paper, as prepared by Deng Cai: term counts with class numbers.
var (
	TDT2    = Dataset{Name: "TDT2", File: "TDT2.mat", Classes: 30}
	Reuters = Dataset{Name: "Reuters-21578", File: "Reuters21578.mat", Classes: 30}
)

// DataError says that a folder does not hold a corpus. It satisfies errors.Is(err, fs.ErrNotExist).
type DataError struct {
	Dir  string
	File string
}

func (e *DataError) Error() string {
	return fmt.Sprintf("there is no %s in %s: put the original file there (Deng Cai's TDT2.mat and Reuters21578.mat), or name its folder with --data", e.File, e.Dir)
}

// Is makes DataError a kind of fs.ErrNotExist.
func (e *DataError) Is(target error) bool { return target == fs.ErrNotExist }

// Load reads a corpus from the folder dir, keeps the classes that the papers use, the largest first, and
// scales the documents' counts to unit length.
func (d Dataset) Load(ctx context.Context, dir string) (*corpus.Corpus, error) {
	path := filepath.Join(dir, d.File)
	if _, err := os.Stat(path); err != nil {
		return nil, &DataError{dir, d.File}
	}
	c, err := corpus.Read(ctx, path, corpus.ReadOptions{})
	if err != nil {
		return nil, err
	}
	classes := make([]string, d.Classes)
	for i := range classes {
		classes[i] = fmt.Sprint(i + 1)
	}
	if c, err = c.Select(classes); err != nil {
		return nil, err
	}
	c.X, err = c.Weighted("tf", "l2")
	return c, err
}

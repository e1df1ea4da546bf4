package papers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// Dataset is one of the papers' corpora.
type Dataset struct {
	Name      string
	File      string
	Also      []string // other names of the file, for example in other packings
	Classes   int      // number of classes used, the largest, which files number from 1; 0: all
	Weighting string   // of counts, "tf"
	Normalize string   // of documents, "l2"
	Made      bool     // drawn by the program: there is no file
	// Shipped is the file's place in the repository, which is looked at from the working directory
	// if the folder does not hold it; "": it is not part of the repository.
	Shipped string
	// Parts are the corpora of an experiment that has several; Name and File then list theirs.
	Parts []Dataset

	// read replaces corpus.Read.
	read func(ctx context.Context, path string) (*corpus.Corpus, error)
}

// The corpora of the papers, as prepared by Deng Cai: term counts with class numbers, and pixels.
var (
	TDT2    = Dataset{Name: "TDT2", File: "TDT2.mat", Classes: 30, Weighting: "tf", Normalize: "l2"}
	Reuters = Dataset{Name: "Reuters-21578", File: "Reuters21578.mat", Classes: 30, Weighting: "tf", Normalize: "l2"}
	USPS    = Dataset{Name: "USPS", File: "USPS.mat", Classes: 10, Weighting: "tf", Normalize: "none"}
	COIL20  = Dataset{Name: "COIL20", File: "COIL20.mat", Classes: 20, Weighting: "tf", Normalize: "none"}
)

// DataError is the error of a folder that does not hold a corpus. It satisfies errors.Is(err,
// fs.ErrNotExist).
type DataError struct {
	Dir  string
	File string
}

func (e *DataError) Error() string {
	if e.Dir == "" {
		return fmt.Sprintf("the original file %s is needed: name the folder that holds it with --data", e.File)
	}
	return fmt.Sprintf("there is no %s in %s: put the original file there, or name its folder with --data", e.File, e.Dir)
}

// Is makes DataError a kind of fs.ErrNotExist.
func (e *DataError) Is(target error) bool { return target == fs.ErrNotExist }

// In returns an error if a folder does not hold the corpus, or, of several, any of them.
func (d Dataset) In(dir string) error {
	if d.Made {
		return nil
	}
	for _, p := range d.Parts {
		if p.In(dir) == nil {
			return nil
		}
	}
	if d.Parts != nil {
		return &DataError{dir, strings.ReplaceAll(d.File, ", ", " or ")}
	}
	if _, ok := d.path(dir); !ok {
		return &DataError{dir, d.File}
	}
	return nil
}

// path is the first of the corpus' file names that dir holds, or its place in the repository.
func (d Dataset) path(dir string) (string, bool) {
	var places []string
	if dir != "" {
		for _, name := range append([]string{d.File}, d.Also...) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	if d.Shipped != "" {
		places = append(places, filepath.FromSlash(d.Shipped))
	}
	for _, path := range places {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, true
		}
	}
	return filepath.Join(dir, d.File), false
}

// Load reads the corpus from the folder dir, keeps the classes that the papers use, the largest
// first, and weighs the documents.
func (d Dataset) Load(ctx context.Context, dir string) (*corpus.Corpus, error) {
	if err := d.In(dir); err != nil {
		return nil, err
	}
	read := d.read
	if read == nil {
		read = readFile
	}
	path, _ := d.path(dir)
	c, err := read(ctx, path)
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
	c.X, err = c.Weighted(d.Weighting, d.Normalize)
	return c, err
}

func readFile(ctx context.Context, path string) (*corpus.Corpus, error) {
	return corpus.Read(ctx, path, corpus.ReadOptions{})
}

// Checksum is the SHA-256 of the corpus' file in dir.
func (d Dataset) Checksum(dir string) (string, error) {
	if err := d.In(dir); err != nil {
		return "", err
	}
	path, _ := d.path(dir)
	f, _, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

package suggesting

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/shards"
	"gonum.org/v1/gonum/mat"
)

// Results are the documents of a clustering as the files of its folder have them, in the order of
// the corpus. A slice is nil if the result does not have it; the others have one length.
type Results struct {
	Dir        string // the folder; "" of a run in memory
	IDs        []string
	Clusters   []int     // Rejected for none
	Classes    []string  // class of the known labels that the document's cluster is, "" for none
	Known      []string  // the label that the run was given, "" for none
	Confidence []float64 // 0 to 1, NaN if not known
	Placed     []string  // PlacedYes, ...
	CopyOf     []string  // the first document with the same terms, "" for none
	Texts      []string  // beginnings of the texts, as the report has them
	// Places has a row per document: the map, else the embedding; nil if there is neither.
	Places *mat.Dense

	typicality []float64 // the larger, the more a document is like many others; nil if not known
}

// ReadResults reads the folder that a clustering was saved in. Errors (fs.ErrInvalid): it is no
// folder of a clustering, its files are of different runs, or one of them is damaged.
func ReadResults(ctx context.Context, dir string) (*Results, error) {
	r, err := readResults(ctx, dir)
	return r, fault.Wrap(err)
}

func readResults(ctx context.Context, dir string) (*Results, error) {
	given := dir
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // a file of the folder
		dir = filepath.Dir(dir)
	}
	file := filepath.Join(dir, artefact.ClustersName)
	if _, err := shards.Stat(file); err != nil {
		if dir != given && errors.Is(err, fs.ErrNotExist) {
			return nil, invalid.Errorf("%s: it is no folder of results and no file in one: give the folder that a clustering wrote", given)
		}
		if folder.Is(dir) && errors.Is(err, fs.ErrNotExist) {
			return nil, invalid.Errorf("%s: it is a folder without %s: give one that a clustering wrote", dir, artefact.ClustersName)
		}
		return nil, err
	}
	if err := job.CheckFiles(ctx, file); err != nil {
		return nil, err
	}
	r := &Results{Dir: dir}
	if err := r.readTable(ctx, file); err != nil {
		return nil, err
	}
	if err := r.readPlaces(ctx); err != nil {
		return nil, err
	}
	page, err := report.Read(filepath.Join(dir, artefact.ReportName))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	} else if err != nil {
		return nil, err
	}
	if len(page.Snippets) == len(r.IDs) { // else the page has a sample
		r.Texts = page.Snippets
	}
	if len(page.Typicality) == len(r.IDs) {
		r.typicality = page.Typicality
	}
	return r, nil
}

// Numbered reports whether the documents' names are their numbers from 1, as of a corpus without
// names. A file of labels then needs Source.IDsFrom "1" where its numbers fit those from 0 too.
func (r *Results) Numbered() bool {
	for i, id := range r.IDs {
		if id != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}

// readTable reads the columns of clusters.csv.
func (r *Results) readTable(ctx context.Context, file string) error {
	l, err := corpus.ReadLabeling(ctx, file, "cluster")
	if err != nil {
		return err
	}
	if l.IDs == nil {
		return invalid.Errorf("%s: it has no column id: give the folder that a clustering wrote", file)
	}
	r.IDs, r.Clusters = l.IDs, make([]int, len(l.IDs))
	for i, text := range l.Labels {
		if r.Clusters[i], err = strconv.Atoi(text); err != nil || r.Clusters[i] < result.Rejected {
			return invalid.Errorf("%s: line %d: the cluster %q is no number of a cluster", file, l.Lines[i], text)
		}
	}
	column := func(name string) ([]string, error) {
		if !slices.Contains(l.Header, name) {
			return nil, nil
		}
		own, err := corpus.ReadLabeling(ctx, file, name)
		if err != nil {
			return nil, err
		}
		return own.Labels, nil
	}
	for name, to := range map[string]*[]string{"class": &r.Classes, "given": &r.Known, "placed": &r.Placed, "duplicate_of": &r.CopyOf} {
		if *to, err = column(name); err != nil {
			return err
		}
	}
	numbers, err := column("confidence")
	if err != nil || numbers == nil {
		return err
	}
	r.Confidence = make([]float64, len(numbers))
	for i, text := range numbers {
		if r.Confidence[i] = math.NaN(); text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return invalid.Errorf("%s: line %d: the confidence %q is no number between 0 and 1", file, l.Lines[i], text)
		}
		r.Confidence[i] = v
	}
	return nil
}

// readPlaces reads the map, or else the embedding.
func (r *Results) readPlaces(ctx context.Context) error {
	for _, name := range []string{"embedding2d.npy", "embedding.npy"} {
		file := filepath.Join(r.Dir, name)
		if _, err := shards.Stat(file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := folder.Check(ctx, file); err != nil {
			return err
		}
		c, err := corpus.ReadVectors(ctx, file, corpus.ReadOptions{})
		if err != nil {
			return err
		}
		x, ok := c.X.(*mat.Dense)
		if n, _ := c.X.Dims(); !ok || n != len(r.IDs) {
			return invalid.Errorf("%s: it has %d rows, and %s has %d documents: cluster again", file, n, artefact.ClustersName, len(r.IDs))
		}
		r.Places = x
		return nil
	}
	return nil
}

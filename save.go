package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
)

// Folder is an open folder of results, whose files get their names together when it is committed.
type Folder = folder.Folder

// OpenFolder opens a folder for the results of a run: it makes the folder if it is missing and
// locks it against other runs. The caller discards it.
func OpenFolder(dir string) (*Folder, error) {
	out, err := artefact.OpenFolder(dir)
	return out, fault.Wrap(err)
}

// CheckOut refuses a folder for the results of a command ("cluster", "embed", "graph", "predict",
// "update") if files that the run reads would be written over there, or if it lies in a folder of
// documents that the run reads. dir may be "", and inputs may be empty or missing; links are
// followed. The files that a list names are inputs of their own ([corpus.Files]).
func CheckOut(dir, command string, inputs ...string) error {
	return fault.Wrap(artefact.CheckOut(dir, command, inputs...))
}

// CheckWork refuses a folder for finished stages that lies in a folder of documents that the run
// reads. dir may be "", and inputs may be empty or missing; links are followed.
func CheckWork(dir string, inputs ...string) error {
	return fault.Wrap(artefact.CheckWork(dir, inputs...))
}

// Save writes the results into a folder, made if it is missing: the files that the command line
// writes. They appear together, and files of an earlier run are removed.
func (r *Run) Save(dir string) error {
	out, err := OpenFolder(dir)
	if err != nil {
		return err
	}
	defer out.Discard()
	_, err = r.SaveIn(context.Background(), out)
	return err
}

// SaveIn writes the results into an open folder and returns the paths of the files.
func (r *Run) SaveIn(ctx context.Context, out *Folder) ([]string, error) {
	files, err := artefact.SaveIn(ctx, r.run, out)
	return files, fault.Wrap(err)
}

// SaveResults writes the results without the report: what there is of a partial run.
func (r *Run) SaveResults(ctx context.Context, out *Folder) ([]string, error) {
	files, err := artefact.SaveResults(ctx, r.run, out)
	return files, fault.Wrap(err)
}

// EmbeddingAsCSV makes Save write the embedding as embedding.csv in place of embedding.npy.
func (r *Run) EmbeddingAsCSV() { r.run.AsCSV = true }

// RawTexts makes Save write ids, classes and terms into CSV files as they are. Without it those
// that a spreadsheet would run as formulas get an apostrophe in front; clusters.csv then has the
// column escaped, and embedding.csv the column "escaped id" in place of id, by which what reads
// them takes the apostrophes off again.
func (r *Run) RawTexts() { r.run.Raw = true }

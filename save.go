package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Folder is an open folder of results, whose files get their names together when it is committed.
type Folder = folder.Folder

// FolderContent is a file for [Folder.AddAll].
type FolderContent = folder.Content

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
	return saveIn(dir, OpenFolder, r.SaveIn)
}

// saveIn opens a folder and writes into it.
func saveIn(dir string, open func(dir string) (*Folder, error), write func(context.Context, *Folder) ([]string, error)) error {
	out, err := open(dir)
	if err != nil {
		return err
	}
	defer out.Discard()
	_, err = write(context.Background(), out)
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

// SaveShards writes the results of a run whose documents ranks divide into a folder that all of
// them have in common: each rank the parts of its own documents, rank 0 what is of all. So no rank
// takes memory for the documents of others, as it does by [Run.Collect], but where Options.Map or
// Options.Levels ask for what is drawn of all: rank 0 then takes the graph and the coordinates. The
// functions that read results and models read the parts as one file, and [JoinShards] makes one of
// them. All ranks call it; out is the folder that rank 0 has opened in dir, nil on the others.
func (r *Run) SaveShards(ctx context.Context, dir string, out *Folder) ([]string, error) {
	files, err := artefact.SaveShards(ctx, r.run, dir, out)
	return files, fault.Wrap(err)
}

// JoinShards writes the files in parts of a folder of results as one file each, and the others as
// they are, into an open folder, which may be the same one. It returns the paths of the files. It
// holds no file in memory.
//
// Errors (fs.ErrInvalid): dir is no folder of results, it has no file in parts, or a part is
// missing or damaged.
func JoinShards(ctx context.Context, dir string, out *Folder) ([]string, error) {
	files, err := artefact.Join(ctx, dir, out)
	return files, fault.Wrap(err)
}

// InCommon returns to all ranks of the context an error if one of them does not see in dir what
// rank 0 writes there. All ranks call it.
func InCommon(ctx context.Context, dir string) error {
	return fault.Wrap(artefact.InCommon(ctx, ranks.From(ctx), dir))
}

// EmbeddingAsCSV makes Save write the embedding as embedding.csv in place of embedding.npy.
func (r *Run) EmbeddingAsCSV() { r.run.AsCSV = true }

// RawTexts makes Save write ids, classes and terms into CSV files as they are. Without it those
// that a spreadsheet would run as formulas get an apostrophe in front; clusters.csv then has the
// column escaped, and embedding.csv the column "escaped id" in place of id, by which what reads
// them takes the apostrophes off again.
func (r *Run) RawTexts() { r.run.Raw = true }

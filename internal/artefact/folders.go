package artefact

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// OpenFolder opens a folder for the results of a run: it makes the folder if it is missing and
// locks it against other runs. The caller discards it.
func OpenFolder(dir string) (*folder.Folder, error) {
	var names, results []string
	for _, a := range artefacts {
		if names = append(names, a.name); a.result {
			results = append(results, a.name)
		}
	}
	out, err := folder.Open(dir, names, results, false)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	out.Series = func(name string) bool { return report.IsTile(name) || isShard(name) }
	return out, nil
}

// CheckOut refuses a folder for the results of a command ("cluster", "embed", "graph", "predict",
// "update") if files that the run reads would be written over there, or if it lies in a folder of
// documents that the run reads. dir may be "", and inputs may be empty or missing; links are
// followed. The files that a list names are inputs of their own ([corpus.Files]).
func CheckOut(dir, command string, inputs ...string) error {
	if dir == "" {
		return nil
	}
	for _, in := range inputs {
		if in == "" {
			continue
		}
		if folder.Is(in) {
			if folder.Inside(dir, in) {
				return fault.Wrap(invalid.Errorf("%s: it lies in %s, whose files are the documents: the next run would read the results as documents; choose another ‹out›", dir, in))
			}
			continue
		}
		for _, a := range artefacts {
			if path := filepath.Join(dir, a.name); slices.Contains(strings.Fields(a.by), command) && readsOver(in, path) {
				return fault.Wrap(invalid.Errorf("%s: the run reads it, and its results would replace it as %s: choose another ‹out›", in, path))
			}
		}
	}
	return nil
}

// readsOver reports whether in, which a run reads, is the file of a result at path, or that file in
// parts, or one of the parts.
func readsOver(in, path string) bool {
	if file, _, _, ok := shards.Parse(filepath.Base(in)); ok {
		return file == filepath.Base(path) && folder.Same(filepath.Dir(in), filepath.Dir(path))
	}
	return folder.Same(shards.First(in), shards.First(path))
}

// CheckWork refuses a folder for finished stages that lies in a folder of documents that the run
// reads. dir may be "", and inputs may be empty or missing; links are followed.
func CheckWork(dir string, inputs ...string) error {
	for _, in := range inputs {
		if dir != "" && in != "" && folder.Is(in) && folder.Inside(dir, in) {
			return fault.Wrap(invalid.Errorf("%s: it lies in %s, whose files are the documents: the next run would read the finished stages as documents; choose another ‹work›", dir, in))
		}
	}
	return nil
}

package eigenmap

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/gonum/mat"
)

// ModelName is the file of a model in a folder of results.
const ModelName = "model.npz"

// artefact is a file that a run may write.
type artefact struct {
	name string
	// result says that the file holds a result: a folder that has one is that of an earlier run.
	result bool
	// write returns what writes the file, nil if the run has no such file.
	write func(r *Run) func(io.Writer) error
}

// artefacts are all files that runs write, in their order: what a run writes, and what it must
// remove of an earlier one. The report comes last: it may be left out after an interrupt.
var artefacts = []artefact{
	{"clusters.csv", true, func(r *Run) func(io.Writer) error {
		return only(r.Labels != nil && r.command != "embed", r.writeClusters)
	}},
	{"posterior.npy", false, func(r *Run) func(io.Writer) error {
		return only(r.Posterior != nil && r.Labels != nil, npy(r.Posterior))
	}},
	{"uncertain.csv", false, func(r *Run) func(io.Writer) error { return only(r.Posterior != nil && r.Labels != nil, r.writeDoubts) }},
	{"embedding.npy", true, func(r *Run) func(io.Writer) error { return only(r.Embedding != nil && !r.asCSV, npy(r.Embedding)) }},
	{"embedding.csv", true, func(r *Run) func(io.Writer) error { return only(r.Embedding != nil && r.asCSV, r.writeCoordinates) }},
	{"directions.csv", false, func(r *Run) func(io.Writer) error {
		return only(r.directions() != nil && !r.topics(), r.writeDirections)
	}},
	{"topics.csv", false, func(r *Run) func(io.Writer) error {
		return only(r.directions() != nil && r.topics(), r.writeDirections)
	}},
	{"soft_labels.npy", false, func(r *Run) func(io.Writer) error {
		return only(r.Fitted != nil && r.Fitted.Soft != nil && r.command == "cluster", func(w io.Writer) error { return npy(r.Fitted.Soft)(w) })
	}},
	{ModelName, false, func(r *Run) func(io.Writer) error { return only(r.Fitted != nil, r.writeModel) }},
	{"config.yaml", false, func(r *Run) func(io.Writer) error {
		return only(r.Fitted != nil, func(w io.Writer) error { return writeConfig(w, r.command, r.Settings()) })
	}},
	{"scatter.png", false, func(r *Run) func(io.Writer) error {
		return only(r.page != nil && r.page.All != nil, func(w io.Writer) error { _, err := w.Write(r.page.All); return err })
	}},
	{"report.html", false, func(r *Run) func(io.Writer) error {
		return only(r.page != nil, func(w io.Writer) error { return report.Write(w, r.page) })
	}},
	{"affinity.npz", false, nil},
	{"affinity.mtx", false, nil},
}

// only is the writer of a file if the run has it.
func only(has bool, write func(io.Writer) error) func(io.Writer) error {
	if has {
		return write
	}
	return nil
}

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
	return out, wrapped(err)
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
func (r *Run) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	if r.command == "cluster" && r.Fitted != nil {
		var err error
		if r.page, err = r.reportPage(ctx); err != nil {
			return nil, wrapped(err)
		}
	}
	return r.SaveResults(ctx, out)
}

// SaveResults writes the results without the report: what there is of a partial run.
func (r *Run) SaveResults(ctx context.Context, out *folder.Folder) ([]string, error) {
	for _, a := range artefacts {
		if a.write == nil {
			continue
		}
		if write := a.write(r); write != nil {
			if err := out.Add(ctx, a.name, write); err != nil {
				return nil, wrapped(err)
			}
		}
	}
	saved, err := out.Commit(r.j.files()...)
	return saved, wrapped(err)
}

// files are the files that a run reads: a folder of results must not lose them.
func (j *job) files() []string {
	return []string{j.file, j.Labels, j.Constraints, j.Source.Truth, j.Text.Vocabulary, j.Text.StopWords}
}

// EmbeddingAsCSV makes Save write the embedding as embedding.csv in place of embedding.npy.
func (r *Run) EmbeddingAsCSV() { r.asCSV = true }

// SaveIn writes the graph as affinity.npz or affinity.mtx, and config.yaml.
func (r *GraphRun) SaveIn(ctx context.Context, out *folder.Folder, format string) ([]string, error) {
	err := out.Add(ctx, "affinity."+format, func(w io.Writer) error { return corpus.WriteMatrix(w, format, r.Graph.W) })
	if err == nil {
		err = out.Add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "graph", r.Settings()) })
	}
	if err != nil {
		return nil, wrapped(err)
	}
	saved, err := out.Commit(r.j.files()...)
	return saved, wrapped(err)
}

// writeClusters writes id,cluster; class if clusters are classes of the labels given; label if the
// corpus has labels; given if the method was given labels, empty for documents without one; then
// distance,confidence,placed. The file depends on the result alone: one seed gives the same
// bytes on any number of threads.
func (r *Run) writeClusters(w io.Writer) error {
	given := r.j.known.labels != nil
	head := slices.Clone(clusterHead)
	for _, column := range []struct {
		name string
		has  bool
	}{{"class", r.Classes != nil}, {"label", r.Corpus.Labels != nil}, {"given", given}} {
		if column.has {
			head = append(head, column.name)
		}
	}
	head = append(head, certaintyHead...)
	return writeTable(w, head, len(r.Labels), func(i int, record []string) []string {
		k := r.Labels[i]
		record = append(record, r.Corpus.ID(i), strconv.Itoa(k))
		if r.Classes != nil {
			record = append(record, r.className(k))
		}
		if r.Corpus.Labels != nil {
			label := ""
			if l := r.Corpus.Labels[i]; l >= 0 {
				label = r.Corpus.ClassNames[l]
			}
			record = append(record, label)
		}
		if given {
			record = append(record, r.j.known.name(i))
		}
		return append(record, r.certaintyCells(i)...)
	})
}

// className is the class of the labels given that a cluster is, "" for none.
func (r *Run) className(cluster int) string {
	if cluster < 0 {
		return ""
	}
	return r.Classes[cluster]
}

// writeCoordinates writes id,x1,x2,... with all digits.
func (r *Run) writeCoordinates(w io.Writer) error {
	n, dims := r.Embedding.Dims()
	head := []string{"id"}
	for d := range dims {
		head = append(head, "x"+strconv.Itoa(d+1))
	}
	return writeTable(w, head, n, func(i int, record []string) []string {
		record = append(record, r.Corpus.ID(i))
		for _, v := range r.Embedding.RawRowView(i) {
			record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
		}
		return record
	})
}

// writeDirections writes direction,term,weight, the heaviest first; of topics
// topic,term,probability, numbered as their clusters are.
func (r *Run) writeDirections(w io.Writer) error {
	head, from := []string{"direction", "term", "weight"}, 1
	if r.topics() {
		head, from = []string{"topic", "term", "probability"}, 0
	}
	t := csv.NewWriter(w)
	if err := t.Write(head); err != nil {
		return err
	}
	for i, d := range r.directions() {
		for _, v := range d {
			if err := t.Write([]string{strconv.Itoa(i + from), v.Term, strconv.FormatFloat(v.Weight, 'g', 9, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

// writeTable writes a head and n records as CSV; row appends record i to an empty slice.
func writeTable(w io.Writer, head []string, n int, row func(i int, record []string) []string) error {
	t := csv.NewWriter(w)
	if err := t.Write(head); err != nil {
		return err
	}
	var record []string
	for i := range n {
		record = row(i, record[:0])
		if err := t.Write(record); err != nil {
			return err
		}
	}
	t.Flush()
	return t.Error()
}

func npy(m mat.Matrix) func(io.Writer) error {
	return func(w io.Writer) error { return corpus.WriteMatrix(w, "npy", m) }
}

package eigenmap

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// clustersName is the table of documents with their clusters in a folder of results.
const clustersName = "clusters.csv"

// reportName is the page of a clustering in a folder of results.
const reportName = "report.html"

// artefact is a file that a run may write.
type artefact struct {
	name string
	// result says that the file holds a result: a folder that has one belongs to an earlier run.
	result bool
	// by are the commands that may write it.
	by string
	// write returns what writes the file, nil if the run has no such file.
	write func(r *Run) func(io.Writer) error
}

// artefacts are all files that runs write, in their order: what a run writes, and what it must
// remove of an earlier one. The report comes last: it may be left out after an interrupt.
var artefacts = []artefact{
	{clustersName, true, "cluster predict update", func(r *Run) func(io.Writer) error {
		return only(r.Labels != nil && r.command != "embed", r.writeClusters)
	}},
	{"posterior.npy", false, "cluster predict update", func(r *Run) func(io.Writer) error {
		return only(r.Posterior != nil && r.Labels != nil, npy(r.Posterior))
	}},
	{"uncertain.csv", false, "cluster predict update", func(r *Run) func(io.Writer) error { return only(r.Posterior != nil && r.Labels != nil, r.writeDoubts) }},
	{"embedding.npy", true, "cluster embed predict update", func(r *Run) func(io.Writer) error { return only(r.hasEmbedding() && !r.asCSV, npy(r.Embedding)) }},
	{"embedding.csv", true, "embed", func(r *Run) func(io.Writer) error {
		return only(r.hasEmbedding() && r.asCSV, r.writeCoordinates(r.Embedding))
	}},
	{"embedding2d.npy", false, "cluster predict update", func(r *Run) func(io.Writer) error { return only(r.Map != nil && !r.asCSV, npy(r.Map)) }},
	{"embedding2d.csv", false, "cluster predict update", func(r *Run) func(io.Writer) error { return only(r.Map != nil && r.asCSV, r.writeCoordinates(r.Map)) }},
	{"levels.csv", false, "cluster", func(r *Run) func(io.Writer) error { return only(r.Levels != nil, r.writeLevels) }},
	{"level_clusters.csv", false, "cluster", func(r *Run) func(io.Writer) error { return only(r.Levels != nil, r.writeLevelClusters) }},
	{"directions.csv", false, "cluster embed", func(r *Run) func(io.Writer) error {
		return only(r.directions() != nil && !r.topics(), r.writeDirections)
	}},
	{"topics.csv", false, "cluster embed", func(r *Run) func(io.Writer) error {
		lists := r.topicTerms()
		return only(lists != nil, r.writeTopics(lists))
	}},
	{"topics-over-time.csv", false, "cluster", func(r *Run) func(io.Writer) error { return only(r.OverTime != nil, r.writeOverTime) }},
	{"soft_labels.npy", false, "cluster", func(r *Run) func(io.Writer) error {
		return only(r.Fitted != nil && r.Fitted.Soft != nil && r.command == "cluster", func(w io.Writer) error { return npy(r.Fitted.Soft)(w) })
	}},
	{ModelName, false, "cluster embed update", func(r *Run) func(io.Writer) error { return only(r.Fitted != nil, r.writeModel) }},
	{"config.yaml", false, "cluster embed graph", func(r *Run) func(io.Writer) error {
		return only(r.Fitted != nil, func(w io.Writer) error { return writeConfig(w, r.command, r.Settings()) })
	}},
	{"scatter.png", false, "cluster", func(r *Run) func(io.Writer) error {
		return only(r.page != nil && r.page.All != nil, func(w io.Writer) error { _, err := w.Write(r.page.All); return err })
	}},
	{reportName, false, "cluster", func(r *Run) func(io.Writer) error {
		return only(r.page != nil, func(w io.Writer) error { return report.Write(w, r.page) })
	}},
	{"affinity.npz", false, "graph", nil},
	{"affinity.mtx", false, "graph", nil},
	{"compare.csv", true, "compare", nil},
	{"aligned.csv", true, "compare", nil},
	{"compare.json", false, "compare", nil},
	{"compare.html", false, "compare", nil},
}

// only is the writer of a file if the run has it.
func only(has bool, write func(io.Writer) error) func(io.Writer) error {
	if has {
		return write
	}
	return nil
}

// hasEmbedding reports whether the coordinates of all documents are here.
func (r *Run) hasEmbedding() bool { return r.Embedding != nil && (!r.j.share.Divided() || r.whole) }

// Folder is an open folder of results, whose files get their names together when it is committed.
type Folder = folder.Folder

// OpenFolder opens a folder for the results of a run: it makes the folder if it is missing and
// locks it against other runs. The caller discards it.
func OpenFolder(dir string) (*Folder, error) {
	var names, results []string
	for _, a := range artefacts {
		if names = append(names, a.name); a.result {
			results = append(results, a.name)
		}
	}
	out, err := folder.Open(dir, names, results, false)
	return out, wrapped(err)
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
		if isFolder(in) {
			if folder.Inside(dir, in) {
				return wrapped(invalid.Errorf("%s: it lies in %s, whose files are the documents: the next run would read the results as documents; choose another ‹out›", dir, in))
			}
			continue
		}
		for _, a := range artefacts {
			if path := filepath.Join(dir, a.name); slices.Contains(strings.Fields(a.by), command) && folder.Same(in, path) {
				return wrapped(invalid.Errorf("%s: the run reads it, and its results would replace it as %s: choose another ‹out›", in, path))
			}
		}
	}
	return nil
}

// CheckWork refuses a folder for finished stages that lies in a folder of documents that the run
// reads. dir may be "", and inputs may be empty or missing; links are followed.
func CheckWork(dir string, inputs ...string) error {
	for _, in := range inputs {
		if dir != "" && in != "" && isFolder(in) && folder.Inside(dir, in) {
			return wrapped(invalid.Errorf("%s: it lies in %s, whose files are the documents: the next run would read the finished stages as documents; choose another ‹work›", dir, in))
		}
	}
	return nil
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
	if r.command == "cluster" && r.Fitted != nil {
		if err := r.FindLevels(ctx); err != nil {
			return nil, wrapped(err)
		}
		var err error
		if r.j.wantsMap(true) {
			if err = r.DrawMap(ctx); err != nil {
				return nil, wrapped(err)
			}
		}
		if r.page, err = r.reportPage(ctx); err != nil {
			return nil, wrapped(err)
		}
	}
	return r.SaveResults(ctx, out)
}

// SaveResults writes the results without the report: what there is of a partial run.
func (r *Run) SaveResults(ctx context.Context, out *Folder) ([]string, error) {
	for _, a := range artefacts {
		if a.write == nil || slices.Contains(r.elsewhere, a.name) {
			continue
		}
		if write := a.write(r); write != nil {
			if err := out.Add(ctx, a.name, write); err != nil {
				return nil, wrapped(err)
			}
		}
	}
	return r.j.commit(out, r.command)
}

// commit gives the files of a folder their names and notes what else is in it.
func (j *job) commit(out *Folder, command string) ([]string, error) {
	if out == nil {
		return nil, nil
	}
	out.Origin = folder.Origin{Command: command, Method: j.spec.Name, Version: Versions().Version}
	if j.choice != nil {
		out.Origin.Choice = j.choice
	}
	if j.search != nil {
		out.Origin.Search = j.search
	}
	if j.coherence != nil {
		out.Origin.Coherence = j.coherence
	}
	saved, err := out.Commit(j.files()...)
	if names := out.Foreign(); err == nil && names != nil {
		j.note(fmt.Sprintf("In %s there are files of others, which stay: %s", out.Dir, words.Few(names, 5)))
	}
	return saved, wrapped(err)
}

// EmbeddingAsCSV makes Save write the embedding as embedding.csv in place of embedding.npy.
func (r *Run) EmbeddingAsCSV() { r.asCSV = true }

// SaveIn writes the graph as affinity.npz or affinity.mtx, and config.yaml.
func (r *GraphRun) SaveIn(ctx context.Context, out *Folder, format string) ([]string, error) {
	err := out.Add(ctx, "affinity."+format, func(w io.Writer) error { return r.writeGraph(w, format) })
	if err == nil {
		err = out.Add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "graph", r.Settings()) })
	}
	if err != nil {
		return nil, wrapped(err)
	}
	return r.j.commit(out, "graph")
}

// writeClusters writes id,cluster; class if clusters are classes of the known labels; label if
// the corpus has labels; given if the method was given labels, empty for documents without one;
// distance,confidence,placed, and second if a second cluster is known; duplicate_of if documents
// equal others, which is the first equal one, empty for others; terms, the best three of the
// cluster, if clusters have terms; and escaped if a text is escaped
// for spreadsheets. The file depends on the result alone: one seed gives the same bytes on any
// number of threads.
func (r *Run) writeClusters(w io.Writer) error {
	head, row := r.clusterTable(r.escapes())
	return writeTable(w, head, len(r.Labels), row)
}

// clusterTable is the head of clusters.csv and what appends the record of a document; marked says
// that some record of the table has an escaped text.
func (r *Run) clusterTable(marked bool) (head []string, row func(i int, record []string) []string) {
	given := r.j.known.labels != nil
	head = slices.Clone(clusterHead)
	for _, column := range []struct {
		name string
		has  bool
	}{{"class", r.Classes != nil}, {"label", r.Corpus.Labels != nil}, {"given", given}} {
		if column.has {
			head = append(head, column.name)
		}
	}
	head = append(head, r.certaintyHead()...)
	if r.hasCopies() {
		head = append(head, "duplicate_of")
	}
	if r.HasTerms() {
		head = append(head, "terms")
	}
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	return head, func(i int, record []string) []string {
		k := r.Labels[i]
		escaped := ""
		add := func(text string) {
			cell := r.cell(text)
			if cell != text {
				escaped = spreadsheet.Changed
			}
			record = append(record, cell)
		}
		add(r.Corpus.ID(i))
		record = append(record, strconv.Itoa(k))
		if r.Classes != nil {
			add(r.className(k))
		}
		if r.Corpus.Labels != nil {
			label := ""
			if l := r.Corpus.Labels[i]; l >= 0 {
				label = r.Corpus.ClassNames[l]
			}
			add(label)
		}
		if given {
			add(r.j.known.name(i))
		}
		record = append(record, r.certaintyCells(i)...)
		if r.hasCopies() {
			add(r.copyOf(i))
		}
		if r.HasTerms() {
			add(r.clusterTerms(k))
		}
		if marked {
			record = append(record, escaped)
		}
		return record
	}
}

// writeCoordinates writes id,x1,x2,... with all digits; "escaped id" in place of id if one is
// escaped for spreadsheets.
func (r *Run) writeCoordinates(m *mat.Dense) func(io.Writer) error {
	return func(w io.Writer) error {
		n, dims := m.Dims()
		head := []string{r.idHead()}
		for d := range dims {
			head = append(head, "x"+strconv.Itoa(d+1))
		}
		return writeTable(w, head, n, func(i int, record []string) []string {
			record = append(record, r.cell(r.Corpus.ID(i)))
			for _, v := range m.RawRowView(i) {
				record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
			}
			return record
		})
	}
}

// idHead is the head of a column of ids.
func (r *Run) idHead() string {
	if !r.rawTexts && spreadsheet.Changes(r.Corpus.IDs...) {
		return spreadsheet.MarkedID
	}
	return "id"
}

// writeDirections writes direction,term,weight, the heaviest first.
func (r *Run) writeDirections(w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"direction", "term", "weight"}); err != nil {
		return err
	}
	for i, d := range r.directions() {
		for _, v := range d {
			if err := t.Write([]string{strconv.Itoa(i + 1), r.cell(v.Term), strconv.FormatFloat(v.Weight, 'g', 9, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

func npy(m mat.Matrix) func(io.Writer) error {
	return func(w io.Writer) error { return corpus.WriteMatrix(w, "npy", m) }
}

// Package artefact writes the files of a result: the list of them, their tables, and the model.
package artefact

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
)

// ClustersName is the table of documents with their clusters in a folder of results.
const ClustersName = "clusters.csv"

// ReportName is the page of a clustering in a folder of results.
const ReportName = "report.html"

// artefact is a file that a run may write.
type artefact struct {
	name string
	// result says that the file holds a result: a folder that has one belongs to an earlier run.
	result bool
	// by are the commands that may write it.
	by string
	// write returns what writes the file, nil if the run has no such file.
	write func(r *result.Run) func(io.Writer) error
}

// artefacts are all files that runs write, in their order: what a run writes, and what it must
// remove of an earlier one. The report comes last: it may be left out after an interrupt.
var artefacts = []artefact{
	{ClustersName, true, "cluster predict update", func(r *result.Run) func(io.Writer) error {
		return only(r.Labels != nil && r.Command != "embed", func(w io.Writer) error { return writeClusters(r, w) })
	}},
	{"posterior.npy", false, "cluster predict update", func(r *result.Run) func(io.Writer) error {
		return only(r.Posterior != nil && r.Labels != nil, npy(r.Posterior))
	}},
	{DoubtsName, false, "cluster predict update", func(r *result.Run) func(io.Writer) error {
		return only(r.Posterior != nil && r.Labels != nil, func(w io.Writer) error { return writeDoubts(r, w) })
	}},
	{"embedding.npy", true, "cluster embed predict update", func(r *result.Run) func(io.Writer) error { return only(r.HasEmbedding() && !r.AsCSV, npy(r.Embedding)) }},
	{"embedding.csv", true, "embed", func(r *result.Run) func(io.Writer) error {
		return only(r.HasEmbedding() && r.AsCSV, writeCoordinates(r, r.Embedding, 0))
	}},
	{"embedding2d.npy", false, "cluster predict update", func(r *result.Run) func(io.Writer) error { return only(r.Map != nil && !r.AsCSV, npy(r.Map)) }},
	{"embedding2d.csv", false, "cluster predict update", func(r *result.Run) func(io.Writer) error {
		return only(r.Map != nil && r.AsCSV, writeCoordinates(r, r.Map, 0))
	}},
	{"levels.csv", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.Levels != nil, func(w io.Writer) error { return writeLevels(r, w) })
	}},
	{"level_clusters.csv", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.Levels != nil, func(w io.Writer) error { return writeLevelClusters(r, w) })
	}},
	{"runner-up.csv", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.RunnerUp != nil, func(w io.Writer) error { return writeRunnerUp(r, w) })
	}},
	{"directions.csv", false, "cluster embed", func(r *result.Run) func(io.Writer) error {
		return only(r.Directions() != nil && !r.Topics(), func(w io.Writer) error { return writeDirections(r, w) })
	}},
	{"topics.csv", false, "cluster embed", func(r *result.Run) func(io.Writer) error {
		lists := topicTerms(r)
		return only(lists != nil, writeTopics(r, lists))
	}},
	{"topics-over-time.csv", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.OverTime != nil, func(w io.Writer) error { return writeOverTime(r, w) })
	}},
	{"soft_labels.npy", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.Fitted != nil && r.Fitted.Soft != nil && r.Command == "cluster", func(w io.Writer) error { return npy(r.Fitted.Soft)(w) })
	}},
	{ModelName, false, "cluster embed update", func(r *result.Run) func(io.Writer) error {
		return only(r.Fitted != nil, func(w io.Writer) error { return writeModel(r, w) })
	}},
	{"config.yaml", false, "cluster embed graph", func(r *result.Run) func(io.Writer) error {
		return only(r.Fitted != nil, func(w io.Writer) error {
			list, cameTo := r.Repeating()
			return view.WriteConfig(w, r.Command, list, cameTo...)
		})
	}},
	{"scatter.png", false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.Page != nil && r.Page.All != nil, func(w io.Writer) error { _, err := w.Write(r.Page.All); return err })
	}},
	{ReportName, false, "cluster", func(r *result.Run) func(io.Writer) error {
		return only(r.Page != nil, func(w io.Writer) error { return report.Write(w, r.Page) })
	}},
	{"affinity.npz", false, "graph", nil},
	{"affinity.mtx", false, "graph", nil},
	{"affinity.graphml", false, "graph", nil},
	{"compare.csv", true, "compare", nil},
	{"aligned.csv", true, "compare", nil},
	{"compare.json", false, "compare", nil},
	{"compare.html", false, "compare", nil},
	{"compare.tex", false, "compare", nil},
}

// only is the writer of a file if the run has it.
func only(has bool, write func(io.Writer) error) func(io.Writer) error {
	if has {
		return write
	}
	return nil
}

// SaveIn writes the results into an open folder and returns the paths of the files.
func SaveIn(ctx context.Context, r *result.Run, out *folder.Folder) ([]string, error) {
	if err := r.Calibrate(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	if r.Command == "cluster" && r.Fitted != nil {
		if err := r.FindLevels(ctx); err != nil {
			return nil, fault.Wrap(err)
		}
		if err := r.FindRunnerUp(ctx); err != nil {
			return nil, fault.Wrap(err)
		}
		var err error
		if r.J.WantsMap(true) {
			if err = r.DrawMap(ctx); err != nil {
				return nil, fault.Wrap(err)
			}
		}
		if r.Page, err = view.ReportPage(ctx, r); err != nil {
			return nil, fault.Wrap(err)
		}
	}
	return SaveResults(ctx, r, out)
}

// SaveResults writes the results without the report: what there is of a partial run.
func SaveResults(ctx context.Context, r *result.Run, out *folder.Folder) ([]string, error) {
	if err := r.Calibrate(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	var files []folder.Content
	for _, a := range artefacts {
		if a.write == nil || slices.Contains(r.Elsewhere, a.name) {
			continue
		}
		if a.name == ReportName && r.Page != nil {
			files = append(files, tiles(r.Page)...)
		}
		if write := a.write(r); write != nil {
			files = append(files, folder.Content{Name: a.name, Write: write})
		}
	}
	if err := out.AddAll(ctx, files...); err != nil {
		return nil, fault.Wrap(err)
	}
	origin := folder.Origin{Command: r.Command, Clusters: len(r.Sizes), Notes: r.NotesAs(view.FlagName)}
	if r.Corpus != nil {
		origin.Documents = r.Corpus.Len()
	}
	if r.Fitted != nil {
		origin.Seed = &r.J.Seed
	}
	if r.Scores != nil {
		origin.Scored, origin.Metrics, origin.AccuracyBy = r.Scored, r.Scores, r.ScoresBy
	}
	if r.Choice != nil {
		origin.Choice = r.Choice
	}
	if r.Search != nil {
		origin.Search = r.Search
	}
	if r.Coherence != nil {
		origin.Coherence = r.Coherence
	}
	return Commit(r.J, out, origin)
}

// computedWith is what a run computes with, as far as it may change results: threads do not.
type computedWith struct {
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Backend  string `json:"backend"`
	Library  string `json:"library"`
	Core     string `json:"core,omitempty"`
	LAPACK   string `json:"lapack"`
	ARPACK   bool   `json:"arpack"`
}

// Commit gives the files of a folder their names and notes what else is in it. origin is what made
// them, besides method and version.
func Commit(j *job.Job, out *folder.Folder, origin folder.Origin) ([]string, error) {
	if out == nil {
		return nil, nil
	}
	versions := version.Current()
	origin.Method, origin.Version, origin.File = j.Spec.Name, versions.Version, j.File
	origin.Versions = computedWith{versions.Revision, versions.Go, versions.Platform, versions.Backend, versions.Library, versions.Core, versions.LAPACK, versions.ARPACK}
	out.Origin = origin
	saved, err := out.Commit(j.Files()...)
	if names := out.Foreign(); err == nil && names != nil {
		j.Note(fmt.Sprintf("In %s there are files of others, which stay: %s", out.Dir, words.Few(names, 5)))
	}
	return saved, fault.Wrap(err)
}

// tiles are the files of documents beside the page.
func tiles(p *report.Page) []folder.Content {
	var files []folder.Content
	for _, tile := range p.Tiles() {
		files = append(files, folder.Content{Name: tile.Name(), Write: func(w io.Writer) error { return p.Documents.WriteTile(w, &tile) }})
	}
	return files
}

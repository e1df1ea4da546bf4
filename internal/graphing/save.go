package graphing

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
)

// writeGraph writes the affinities. A file of format npz also says how they were found.
func (r *Run) writeGraph(w io.Writer, format string) error {
	if format == "graphml" {
		c := r.j.Corpus
		columns := r.columns
		if c.Labels != nil {
			columns = append(columns, corpus.NodeColumn{Name: "class", Value: func(i int) string {
				if c.Labels[i] < 0 {
					return ""
				}
				return c.ClassNames[c.Labels[i]]
			}})
		}
		return corpus.WriteGraphML(w, r.Graph.W, c.ID, columns)
	}
	if r.j.X == nil || format != "npz" {
		return corpus.WriteMatrix(w, format, r.Graph.W)
	}
	record := job.GraphRecord{Format: job.GraphFormat, Version: job.GraphVersion, Documents: store.Rows(r.j.X).String(), IDs: job.HashOfIDs(r.j.Corpus.IDs), Options: r.own.Graph,
		Reach: r.Graph.Reach, Scales: r.Graph.Scales, HeatWidth: r.Graph.HeatWidth}
	option.Default(&record.Options) // the same bytes whether a default was given or not
	return corpus.WriteMatrix(w, format, r.Graph.W, corpus.Member{Name: job.GraphMember, Write: func(w io.Writer) error {
		return json.NewEncoder(w).Encode(record)
	}})
}

// TakeResult gives the nodes of a graph in GraphML the clusters of a folder of results of the same
// corpus and, where it has a map, their places in it, x and y.
func (r *Run) TakeResult(ctx context.Context, dir string) error {
	at := filepath.Join(dir, artefact.ClustersName)
	l, err := corpus.ReadLabeling(ctx, at, "cluster")
	if err != nil {
		return fault.Wrap(err)
	}
	n := r.j.Corpus.Len()
	if len(l.Labels) != n || len(l.IDs) != n {
		return fault.Wrap(invalid.Errorf("%s: it has %s, and the corpus %s: name the result of this corpus", at, words.Plural(len(l.Labels), "document", "documents"), words.Plural(n, "document", "documents")))
	}
	for i, id := range l.IDs {
		if own := r.j.Corpus.ID(i); id != own {
			return fault.Wrap(invalid.Errorf("%s: line %d: it has the document %s, and the corpus %s there: name the result of this corpus", at, l.Lines[i], words.Clip(id, 40), words.Clip(own, 40)))
		}
	}
	r.columns = append(r.columns, corpus.NodeColumn{Name: "cluster", Value: func(i int) string { return l.Labels[i] }})
	place := filepath.Join(dir, "embedding2d.npy")
	if _, err := os.Stat(place); err != nil {
		r.j.Note(fmt.Sprintf("%s has no embedding2d.npy, so that the nodes have no places.", dir))
		return nil
	}
	read, err := corpus.Read(ctx, place, corpus.ReadOptions{MaxBytes: r.j.MaxBytes})
	if err != nil {
		return fault.Wrap(err)
	}
	if rows, cols := read.X.Dims(); rows != n || cols != 2 {
		return fault.Wrap(invalid.Errorf("%s: it is %d×%d, where %d×2 is needed: name the result of this corpus", place, rows, cols, n))
	}
	for k, name := range []string{"x", "y"} {
		r.columns = append(r.columns, corpus.NodeColumn{Name: name, Numbers: true, Value: func(i int) string { return strconv.FormatFloat(read.X.At(i, k), 'g', 6, 64) }})
	}
	return nil
}

// SaveIn writes the graph as affinity.npz, affinity.mtx or affinity.graphml, and config.yaml.
func (r *Run) SaveIn(ctx context.Context, out *folder.Folder, format string) ([]string, error) {
	err := out.Add(ctx, "affinity."+format, func(w io.Writer) error { return r.writeGraph(w, format) })
	if err == nil {
		err = out.Add(ctx, "config.yaml", func(w io.Writer) error { return view.WriteConfig(w, "graph", r.Settings()) })
	}
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return artefact.Commit(r.j, out, folder.Origin{Command: "graph", Documents: r.j.Corpus.Len(), Notes: r.NotesAs(view.FlagName)})
}

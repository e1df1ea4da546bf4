package graphing

import (
	"context"
	"encoding/json"
	"io"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/view"
)

// writeGraph writes the affinities. A file of format npz also says how they were found.
func (r *Run) writeGraph(w io.Writer, format string) error {
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

// SaveIn writes the graph as affinity.npz or affinity.mtx, and config.yaml.
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

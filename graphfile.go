package eigenmap

import (
	"encoding/json"
	"io"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/store"
)

// writeGraph writes the affinities. A file of format npz also says how they were found.
func (r *GraphRun) writeGraph(w io.Writer, format string) error {
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

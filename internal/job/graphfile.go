package job

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// The member of an affinity.npz that says how the graph was built.
const (
	GraphMember  = "eigenmap.json"
	GraphFormat  = "eigenmap-graph"
	GraphVersion = 1
	// graphNumberBytes bounds a number of the member, and graphTextBytes the rest of it.
	graphNumberBytes = 26
	graphTextBytes   = 1 << 20
)

// GraphRecord is the member: what is needed to join new documents as the graph joined its own.
type GraphRecord struct {
	Format    string        `json:"format"`
	Version   int           `json:"format_version"`
	Documents string        `json:"documents"`     // hash of the weighted rows
	IDs       string        `json:"ids,omitempty"` // hash of the documents' ids; "" without ids
	Options   graph.Options `json:"options"`
	Reach     []float64     `json:"reach,omitempty"`
	Scales    []float64     `json:"scales,omitempty"`
	HeatWidth float64       `json:"heat_width,omitempty"`
}

// readGraph reads the graph of the documents, if one was given.
func (j *Job) readGraph(ctx context.Context) error {
	if j.Graph == "" {
		return nil
	}
	defer j.Stage("read")()
	if err := CheckFiles(ctx, j.Graph); err != nil {
		return err
	}
	c, err := corpus.Read(ctx, j.Graph, corpus.ReadOptions{Observer: j.Observe})
	if err != nil {
		return err
	}
	w, ok := c.X.(*sparse.CSR)
	if !ok {
		if w, err = sparse.FromMatrix(c.X); err != nil {
			return inGraph(j.Graph, err)
		}
	}
	n, _ := j.X.Dims()
	if w.NumRows != n {
		return invalid.Errorf("%s: it is a graph of %s, and %s holds %s: give the graph of these documents", j.Graph, words.Counted(w.NumRows, "document"), j.File, words.Thousands(n))
	}
	if j.Affinity, err = graph.TakeAffinity(w); err != nil {
		return inGraph(j.Graph, err)
	}
	record, err := readGraphRecord(j.Graph, c.Format, n)
	switch {
	case err != nil:
		return inGraph(j.Graph, err)
	case record == nil:
		j.Note("The graph of " + j.Graph + " was made elsewhere: the model takes no new documents, because the file does not say how it joined the documents")
		return nil
	case record.Documents != store.Rows(j.X).String():
		return j.takeOtherGraph(record)
	}
	j.Affinity.Reach, j.Affinity.Scales, j.Affinity.HeatWidth = record.Reach, record.Scales, record.HeatWidth
	j.Joined = &record.Options
	return nil
}

// takeOtherGraph takes a graph that was made of other rows than the run's, such as vectors of the
// documents: if both have ids, these must be the same.
func (j *Job) takeOtherGraph(record *GraphRecord) error {
	how := "their numbers agree, and not both files have ids"
	if own := HashOfIDs(j.Corpus.IDs); own != "" && record.IDs != "" {
		if own != record.IDs {
			return invalid.Errorf("%s: its documents have other ids than the documents of %s: give the graph of the same documents, in the same order", j.Graph, j.File)
		}
		how = "their ids agree"
	}
	j.Note(fmt.Sprintf("The graph of %s was made of other rows than the documents' weighted terms, and is taken as theirs because %s: the model takes no new documents", j.Graph, how))
	return nil
}

// HashOfIDs is a hash of a list of ids; "" of none.
func HashOfIDs(ids []string) string {
	if ids == nil {
		return ""
	}
	h := store.NewHasher("ids")
	for _, id := range ids {
		h.Text(id)
	}
	return h.Key().String()
}

// inGraph names the graph's file in an error.
func inGraph(file string, err error) error { return fmt.Errorf("%s: %w", file, err) }

// readGraphRecord reads how the graph of n documents was built; nil if the file does not say so.
func readGraphRecord(file, format string, n int) (*GraphRecord, error) {
	if format != "npz" {
		return nil, nil
	}
	f, size, err := regular.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, err
	}
	for _, m := range z.File {
		if m.Name == GraphMember {
			return decodeGraphRecord(m, n)
		}
	}
	return nil, nil
}

func decodeGraphRecord(m *zip.File, n int) (*GraphRecord, error) {
	most := graphTextBytes + 2*graphNumberBytes*int64(n)
	if m.UncompressedSize64 > uint64(most) {
		return nil, invalid.Errorf("its %s has %d bytes, more than any graph of %s needs: make the graph again", GraphMember, m.UncompressedSize64, words.Counted(n, "document"))
	}
	in, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, most))
	record := new(GraphRecord)
	if err == nil {
		err = json.Unmarshal(text, record)
	}
	switch {
	case err != nil:
		return nil, invalid.Errorf("its %s is damaged (%s): make the graph again", GraphMember, words.WrongJSON(err))
	case record.Format != GraphFormat:
		return nil, invalid.Errorf("its %s does not belong to a graph: make the graph again", GraphMember)
	case record.Version > GraphVersion:
		return nil, invalid.Errorf("it is a graph of a later version of the program (format %d): update the program", record.Version)
	}
	return record, record.check(n)
}

// check refuses a record whose parts do not fit a graph of n documents.
func (r *GraphRecord) check(n int) error {
	local := r.Options.Weight == graph.Heat && r.Options.HeatRule == graph.LocalWidth
	if r.Options.Epsilon == 0 && len(r.Reach) != n || local && len(r.Scales) != n || r.Scales != nil && len(r.Scales) != n {
		return invalid.Errorf("its parts do not fit each other: make the graph again")
	}
	return r.Options.Validate()
}

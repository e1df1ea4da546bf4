package model

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// Format marks the files, and Version changes when the meaning of what is in them does.
//
// Version 3 keeps the mean of the rows beside a projection; a reader of version 2 passes over it
// and would place documents wrongly. Version 4 keeps the terms of the clusters, without which a
// reader of version 3 would put documents into other clusters. Version 5 has the terms and their
// directions beside vectors and columns, where earlier ones had the directions alone.
const (
	Format  = "eigenmap-model"
	Version = 5
	// oldest is the first version that is still read, and joinedVersion that of models with vectors or
	// columns beside the texts.
	oldest        = 2
	joinedVersion = 5
)

const (
	documentName = "model.json"
	termsName    = "terms.json"
	stemsName    = "stems.json"
	// directionsName is the array of Rows.Directions.
	directionsName = "view_directions"
	// maxDocument bounds model.json, which holds nothing that grows with the corpus.
	maxDocument = 64 << 20
)

// document is model.json.
type document struct {
	Format    string                     `json:"format"`
	Version   int                        `json:"format_version"`
	Method    string                     `json:"method"`
	Documents int                        `json:"documents"`
	Seed      uint64                     `json:"seed"`
	Rows      Rows                       `json:"rows"`
	Terms     bool                       `json:"terms"`           // terms.json is there
	Stems     bool                       `json:"stems,omitempty"` // stems.json is there
	Part      map[string]json.RawMessage `json:"part"`            // null: the model takes no new documents
	Why       string                     `json:"takes_no_new_documents,omitempty"`
	Sizes     []int                      `json:"cluster_sizes,omitempty"`
	Reject    float64                    `json:"reject_below,omitempty"`
	Arrays    []arrayEntry               `json:"arrays"`
	Summary   json.RawMessage            `json:"summary,omitempty"`
	Shard     *shard                     `json:"shard,omitempty"` // of one of several files that are the model
}

// Write writes the model to a file, which appears whole or not at all. The same model gives the
// same bytes.
func Write(path string, m *Model) error {
	return atomicfile.Write(path, func(w io.Writer) error { return m.Encode(w) })
}

// Encode writes the model's file into w.
func (m *Model) Encode(w io.Writer) error {
	if err := m.Check(); err != nil {
		return err
	}
	f, d, err := m.visit()
	if err != nil {
		return err
	}
	return d.encode(w, f.arrays, m.lists())
}

// lists write the lists of the model's rows.
func (m *Model) lists() map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		termsName: func(w io.Writer) error { return json.NewEncoder(w).Encode(m.Rows.Terms) },
		stemsName: func(w io.Writer) error { return json.NewEncoder(w).Encode(m.Rows.Stems) },
	}
}

// visit collects what the file has, and describes it.
func (m *Model) visit() (*Fields, *document, error) {
	f := &Fields{write: true, settings: map[string]json.RawMessage{}}
	d := &document{Format: Format, Version: Version, Method: m.Method, Documents: m.Documents, Seed: m.Seed, Rows: m.Rows,
		Terms: m.Rows.Terms != nil, Stems: m.Rows.Stems != nil, Why: m.Why, Summary: m.Summary, Reject: m.Reject, Arrays: []arrayEntry{}}
	f.Floats("idf", &m.Rows.IDF)
	if m.Rows.TermsFirst() {
		f.Dense(directionsName, &m.Rows.Directions)
	}
	if m.Clusters != nil {
		d.Sizes = m.Clusters.Sizes
		m.Clusters.fields(f)
	}
	if m.Part != nil {
		m.Part.Fields(f)
		d.Part = f.settings
	}
	if m.Novelty != nil {
		m.Novelty.fields(f)
	}
	if m.Map != nil {
		m.Map.fields(f)
	}
	if m.Calibration != nil {
		m.Calibration.fields(f)
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	for _, a := range f.arrays {
		if err := a.check(); err != nil {
			return nil, nil, err
		}
	}
	return f, d, nil
}

// encode writes the file of a model that d describes but for its arrays. lists write terms.json and
// stems.json, if d says that these are there.
func (d *document) encode(w io.Writer, arrays []array, lists map[string]func(io.Writer) error) error {
	d.Arrays = []arrayEntry{}
	for _, a := range arrays {
		d.Arrays = append(d.Arrays, a.arrayEntry)
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	if err := member(z, documentName, func(w io.Writer) error { _, err := text.WriteTo(w); return err }); err != nil {
		return err
	}
	if d.Terms {
		if err := member(z, termsName, lists[termsName]); err != nil {
			return err
		}
	}
	if d.Stems {
		if err := member(z, stemsName, lists[stemsName]); err != nil {
			return err
		}
	}
	for _, a := range arrays {
		if err := member(z, a.Name+".npy", a.writeTo); err != nil {
			return err
		}
	}
	return z.Close()
}

// text is model.json.
func (d *document) text() (*bytes.Buffer, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return &text, e.Encode(d)
}

// member adds a file to the archive, as it is: numbers hardly shrink, and the size of what is
// stored plainly can be believed.
func member(z *zip.Writer, name string, write func(io.Writer) error) error {
	// A fixed time makes equal models equal files; the earliest of zip is 1980.
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	return write(w)
}

// Is reports, by its first bytes and its table of contents, whether a file is a model of this
// package, whole or not. A model in parts is named as the one file that they are together.
func Is(path string) bool {
	f, size, err := regular.Open(shards.First(path))
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 30+len(documentName))
	if _, err := io.ReadFull(f, head); err == nil && bytes.HasPrefix(head, []byte("PK\x03\x04")) && string(head[30:]) == documentName {
		return true
	}
	z, err := zip.NewReader(f, size)
	if err != nil {
		return false
	}
	for _, m := range z.File {
		if m.Name == documentName {
			return true
		}
	}
	return false
}

// Read reads a model, in one file or in parts (package shards). blank returns an empty part of a
// method, to be filled from the file; nil if the method is unknown. Memory: the bytes of the file,
// vocabulary and model.json a few times.
//
// Errors satisfy errors.Is(err, fs.ErrInvalid) if the file is at fault (it is no model, of a
// later version, damaged, cut off), else they are the system's or the context's.
func Read(ctx context.Context, path string, blank func(method string) Part) (*Model, error) {
	parts, err := shards.Parts(path)
	if err != nil {
		return nil, err
	}
	var m *Model
	if parts != nil {
		m, err = readShards(ctx, parts, blank)
	} else {
		var f *os.File
		var size int64
		if f, size, err = regular.Open(path); err != nil {
			return nil, err
		}
		defer f.Close()
		m, err = read(ctx, f, size, blank)
	}
	switch {
	case err == nil:
		return m, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s: %w", path, err)
}

// Decode reads a model from the bytes of its file. The model does not share them. Errors are as for
// [Read].
func Decode(ctx context.Context, file []byte, blank func(method string) Part) (*Model, error) {
	m, err := read(ctx, bytes.NewReader(file), int64(len(file)), blank)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return m, err
}

// archive is an opened file of a model, or several that are one together.
type archive struct {
	ctx     context.Context
	size    int64
	members map[string]*zip.File
	entries map[string]*arrayEntry
	joins   []*archive // the files of one model; then there are no members
	kept    *keeping   // what a copy of a model takes in place of members
	divided []string   // arrays of which each of these has a part
}

func read(ctx context.Context, at io.ReaderAt, size int64, blank func(string) Part) (*Model, error) {
	z, d, err := openArchive(ctx, at, size)
	if err != nil {
		return nil, err
	}
	if d.Shard != nil {
		return nil, invalid.Errorf("it is part %d of a model of %d parts: name the folder that has all of them", d.Shard.Number, d.Shard.Of)
	}
	return z.model(d, blank)
}

// openArchive opens the file of a model and reads its description.
func openArchive(ctx context.Context, at io.ReaderAt, size int64) (*archive, *document, error) {
	z := &archive{ctx: ctx, size: size, members: map[string]*zip.File{}, entries: map[string]*arrayEntry{}}
	r, err := zip.NewReader(at, size)
	if err != nil {
		return nil, nil, z.damaged(err)
	}
	for _, f := range r.File {
		switch {
		case z.members[f.Name] != nil:
			return nil, nil, invalid.Errorf("the model holds %q twice, the file is damaged: make the model again", clip(f.Name))
		case f.Method != zip.Store || f.UncompressedSize64 != f.CompressedSize64:
			return nil, nil, invalid.Errorf("the model's member %q is compressed, as no model is written: make the model again", clip(f.Name))
		case f.CompressedSize64 > uint64(size):
			return nil, nil, z.damaged(io.ErrUnexpectedEOF)
		}
		z.members[f.Name] = f
	}
	if z.members[documentName] == nil {
		return nil, nil, invalid.Errorf("it is not a model: it holds no %s", documentName)
	}
	var d document
	if err := z.json(documentName, maxDocument, &d); err != nil {
		return nil, nil, err
	}
	switch {
	case d.Format != Format && (d.Format != shardFormat || d.Shard == nil):
		return nil, nil, invalid.Errorf("it is not a model of this program: its \"format\" is not %q", Format)
	case d.Version > Version:
		return nil, nil, invalid.Errorf("it is a model of a later version (format %d, this program reads up to %d): update the program", d.Version, Version)
	case d.Version < oldest:
		return nil, nil, invalid.Errorf("it is a model of format %d, which this program does not know: make the model again", d.Version)
	case d.Version < joinedVersion && (d.Rows.Beside > 0 || d.Rows.View != nil):
		return nil, nil, invalid.Errorf("it is a model of format %d, in which vectors and columns beside the texts counted otherwise: make the model again", d.Version)
	}
	return z, &d, z.list(d.Arrays)
}

// model reads the model that d describes.
func (z *archive) model(d *document, blank func(string) Part) (*Model, error) {
	m := &Model{Method: d.Method, Documents: d.Documents, Rows: d.Rows, Why: d.Why, Seed: d.Seed, Reject: d.Reject, Summary: d.Summary}
	if d.Terms {
		if err := z.json(termsName, z.size, &m.Rows.Terms); err != nil {
			return nil, err
		}
	}
	if d.Stems {
		if err := z.json(stemsName, z.size, &m.Rows.Stems); err != nil {
			return nil, err
		}
	}
	f := &Fields{settings: d.Part, from: z}
	f.Floats("idf", &m.Rows.IDF)
	if d.Rows.TermsFirst() {
		f.Dense(directionsName, &m.Rows.Directions)
	}
	if d.Sizes != nil {
		m.Clusters = &Clusters{Sizes: d.Sizes}
		m.Clusters.fields(f)
	}
	if d.Part != nil {
		if m.Part = blank(d.Method); m.Part == nil {
			return nil, invalid.Errorf("it is a model of the method %q, which this program does not know: update the program", clip(d.Method))
		}
		m.Part.Fields(f)
	}
	if f.Has("novelty_distances") {
		m.Novelty = &Novelty{Means: &sparse.CSR{NumRows: m.Frame().Clusters, NumCols: m.Rows.Width()}}
		m.Novelty.fields(f)
	}
	if f.Has("map_places") {
		m.Map = new(Map)
		m.Map.fields(f)
	}
	if f.Has("calibration_scores") {
		m.Calibration = new(Calibration)
		m.Calibration.fields(f)
	}
	if f.err != nil {
		return nil, withWayOut(f.err)
	}
	return m, withWayOut(m.Check())
}

// list checks every array's description against the archive before anything is read.
func (z *archive) list(entries []arrayEntry) error {
	for i := range entries {
		e := &entries[i]
		count, ok := e.count()
		if !ok || e.Type != typeFloat && e.Type != typeInt && e.Type != typeIndex {
			return invalid.Errorf("the model's array %q has no possible shape or type, the file is damaged: make the model again", clip(e.Name))
		}
		f := z.members[e.Name+".npy"]
		if f == nil {
			return invalid.Errorf("the model lacks its array %q, the file is damaged: make the model again", clip(e.Name))
		}
		if f.UncompressedSize64 != uint64(int64(len(e.header()))+count*e.width()) || z.entries[e.Name] != nil {
			return invalid.Errorf("the model's array %q is not of the size that its description says, the file is damaged: make the model again", clip(e.Name))
		}
		z.entries[e.Name] = e
	}
	return nil
}

func (z *archive) open(name string) (io.ReadCloser, error) {
	if z.joins != nil {
		return z.openJoined(name)
	}
	f := z.members[name]
	if f == nil {
		return nil, invalid.Errorf("the model lacks %q, the file is damaged: make the model again", clip(name))
	}
	r, err := f.Open()
	if err != nil {
		return nil, z.damaged(err)
	}
	return r, nil
}

// json reads a member of at most limit bytes.
func (z *archive) json(name string, limit int64, v any) error {
	if z.joins != nil { // the first has them
		return z.joins[0].json(name, limit, v)
	}
	if z.kept != nil {
		return z.kept.json(name, v)
	}
	r, err := z.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	size := int64(z.members[name].UncompressedSize64)
	if size > limit {
		return invalid.Errorf("the model's %s is of %d bytes, more than any model has: make the model again", name, size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return z.damaged(err)
	}
	if err := z.end(r); err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return invalid.Errorf("the model's %s is damaged (%s): make the model again", name, words.WrongJSON(err))
	}
	return nil
}

// withWayOut adds what to do to what is wrong with the content of a model.
func withWayOut(err error) error {
	const way = ": make the model again"
	if err == nil || strings.HasSuffix(err.Error(), " again") || !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return invalid.Errorf("%w%s", err, way)
}

// end reads to the end of a member, where its checksum is compared.
func (z *archive) end(r io.Reader) error {
	n, err := io.Copy(io.Discard, r)
	if err == nil && n > 0 {
		err = errors.New("a member goes on after its end")
	}
	if err != nil {
		return z.damaged(err)
	}
	return nil
}

// damaged says in one sentence what is wrong with an archive; errors of the system stay what they
// are.
func (z *archive) damaged(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return invalid.Errorf("the model is damaged or cut off (%w): copy or make it again", err)
}

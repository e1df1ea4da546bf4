package graphing

import (
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
)

// JSON is a graph as one JSON object.
type JSON struct {
	File      string         `json:"file"`
	Documents int            `json:"documents"`
	Terms     int            `json:"terms"`
	Graph     summary.Graph  `json:"graph"`
	Notes     []string       `json:"notes"`
	Files     []string       `json:"files"`
	Timings   job.Timings    `json:"timings"`
	Config    map[string]any `json:"config"`
	Versions  version.Info   `json:"versions"`
}

// JSON is the graph as an object for JSON.
func (r *Run) JSON(name func(string) string, files []string) JSON {
	return JSON{File: r.j.File, Documents: r.j.Corpus.Len(), Terms: r.j.Columns(), Graph: summary.OfGraph(r.Graph), Notes: words.NotNil(r.NotesAs(name)),
		Files: words.NotNil(files), Timings: r.Timings, Config: job.Config(r.Settings()), Versions: version.Current()}
}

// NotesAs are the notes with the names of options as the function writes them.
func (r *Run) NotesAs(name func(string) string) []string { return r.j.Notes.As(name, true) }

// Warnings are the notes that warn, such as of documents that are left out.
func (r *Run) Warnings(name func(string) string) []job.Warning { return r.j.Notes.Warnings(name) }

// Settings lists what the run used.
func (r *Run) Settings() []job.Setting { return r.j.Settings(r.own) }

// Rows says what was read.
func (r *Run) Rows() [][]string { return r.j.InputRows() }

package eigenmap

import (
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Rows says how the result was made: heading and text of one line per stage.
func (r *Run) Rows() [][]string { return view.Rows(r.run) }

// DirectionRows is the directions or topics as a table for a person; nil if there are none.
func (r *Run) DirectionRows() [][]string { return view.DirectionRows(r.run) }

// Settings lists what the run used, [FileKey] first: given to [Options.Set] they repeat it.
func (r *Run) Settings() []Setting { return r.run.Settings() }

// Notes are sentences about what the run decided or found, options named plainly.
func (r *Run) Notes() []string { return r.run.Notes() }

// Note adds a sentence to the notes of the run.
func (r *Run) Note(text string) { r.run.J.Note(text) }

// NotesAs are the notes with the names of options as the function writes them.
func (r *Run) NotesAs(name func(string) string) []string { return r.run.NotesAs(name) }

// Remedy is an option that may mend what a note of a run says.
type Remedy = result.Remedy

// Remedies are the options that notes of the run say may help, with the values to give: more
// neighbours where the graph falls apart, more iterations where they ended early, rows of length 1
// where one cluster holds most documents. The function writes the names of options in the notes.
func (r *Run) Remedies(name func(string) string) []Remedy { return r.run.Remedies(name) }

// Warnings returns the notes that warn: documents are left out, or iterations ended before they had
// settled. The function writes the names of options.
func (r *Run) Warnings(name func(string) string) []Warning { return r.run.Warnings(name) }

// Placed says how document i came to its cluster.
func (r *Run) Placed(i int) string { return r.run.Placed(i) }

// Duplicates counts the documents that count once with an earlier one, or were left out; nil if
// there are none.
func (r *Run) Duplicates() *DuplicatesJSON { return r.run.Duplicates() }

// Views are what the documents were compared by with their weights, if that is more than one: words
// and vectors, then the columns that were looked at; else nil.
func (r *Run) Views() []View { return r.run.J.Views }

// Uncertain returns the uncertain documents; nil of a hard clustering.
func (r *Run) Uncertain() *Uncertain { return r.run.Uncertain() }

// ScoredOf is "2 labelled of 1,080".
func (r *Run) ScoredOf() string { return r.run.ScoredOf() }

// AllScored says whether every document has a true label.
func (r *Run) AllScored() bool { return r.run.AllScored() }

// UnlabeledSize is the number of documents that Unlabeled rests on.
func (r *Run) UnlabeledSize() int { return r.run.UnlabeledSize() }

// MajorityHead is the heading of the column of majority classes; "" if there are none.
func (r *Run) MajorityHead() string { return r.run.MajorityHead() }

// HasTerms says whether the clusters have terms with names, from the corpus or from the model.
func (r *Run) HasTerms() bool { return r.run.HasTerms() }

// ClusterJSON is a clustering as one JSON object.
type ClusterJSON = view.ClusterJSON

// ClusterJSON is the clustering as an object for JSON. name writes the names of options in the
// notes; files are the paths that were written.
func (r *Run) ClusterJSON(name func(string) string, files []string) ClusterJSON {
	return view.OfClustering(r.run, name, files)
}

// EmbedJSON is an embedding as one JSON object.
type EmbedJSON = view.EmbedJSON

// EmbedJSON is the embedding as an object for JSON.
func (r *Run) EmbedJSON(name func(string) string, files []string) EmbedJSON {
	return view.OfEmbedding(r.run, name, files)
}

// Fact is a name and its value, both formatted for display.
type Fact = report.Fact

// ScoreFacts returns the scores by name, each with four decimals.
func ScoreFacts(s metrics.Scores) []Fact { return view.ScoreFacts(s) }

// ShellWord quotes a word that a shell would read as something else.
func ShellWord(s string) string { return words.ShellWord(s) }

package eigenmap

import (
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
)

// notes are sentences for the user, each once, with a full stop. Details are those about how the
// work was done, which a result that says the same leaves out.
type notes struct {
	mu   sync.Mutex
	list []progress.Event
}

// add keeps the message of an event.
func (n *notes) add(e progress.Event) {
	if e.Message == "" {
		return
	}
	if !strings.HasSuffix(e.Message, ".") {
		e.Message += "."
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.ContainsFunc(n.list, func(old progress.Event) bool { return old.Message == e.Message }) {
		n.list = append(n.list, e)
	}
}

// all are the notes, with the details or without.
func (n *notes) all(details bool) (list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.list {
		if details || !e.Detail {
			list = append(list, e.Message)
		}
	}
	return list
}

// as are the notes with the names of options as the function writes them.
func (n *notes) as(name func(string) string, details bool) []string {
	list := n.all(details)
	for i, text := range list {
		list[i] = words.Rename(text, name)
	}
	return list
}

// warnings are the notes that warn.
func (n *notes) warnings(name func(string) string) []Warning {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := []Warning{}
	for _, e := range n.list {
		if e.Kind != progress.Note {
			list = append(list, Warning{e.Kind, words.Rename(e.Message, name)})
		}
	}
	return list
}

// Warning is a note that the result is not all that was asked for.
type Warning struct {
	// Kind is [progress.Convergence] if iterations ended early, else [progress.Warning].
	Kind progress.Kind `json:"kind"`
	// Text is the sentence, as in the notes.
	Text string `json:"text"`
}

// Notes are sentences about what the run decided or found, options named plainly.
func (r *Run) Notes() []string { return r.NotesAs(func(name string) string { return name }) }

// NotesAs are the notes with the names of options as the function writes them.
func (r *Run) NotesAs(name func(string) string) []string {
	v := (*method.Values)(nil)
	if r.Fitted != nil {
		v = r.Fitted.Values
	}
	return r.j.notes.as(name, v == nil || v.Stats == nil || v.Stats.Why == "")
}

// Warnings returns the notes that warn: documents are left out, or iterations ended before they had
// settled. The function writes the names of options.
func (r *Run) Warnings(name func(string) string) []Warning { return r.j.notes.warnings(name) }

// NotesAs are the notes with the names of options as the function writes them.
func (r *GraphRun) NotesAs(name func(string) string) []string { return r.j.notes.as(name, true) }

package job

import (
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/internal/words"
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

// All are the notes, with the details or without.
func (n *notes) All(details bool) (list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.list {
		if details || !e.Detail {
			list = append(list, e.Message)
		}
	}
	return list
}

// As are the notes with the names of options as the function writes them.
func (n *notes) As(name func(string) string, details bool) []string {
	list := n.All(details)
	for i, text := range list {
		list[i] = words.Rename(text, name)
	}
	return list
}

// Advice are the notes that have an option that may mend what they say.
func (n *notes) Advice() (list []progress.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.list {
		if e.Retry != "" {
			list = append(list, e)
		}
	}
	return list
}

// Warnings are the notes that warn.
func (n *notes) Warnings(name func(string) string) []Warning {
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

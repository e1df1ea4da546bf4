// Package progress defines how long computations report what they do.
//
// Everything that may take more than a second accepts an [Observer] in its options. It sends a
// report when a stage begins, at most a few times per second while the stage runs, and for every
// automatic decision that the user should know (a chosen solver, an omitted document).
//
// Calls of an Observer never overlap. An Observer must return quickly, because the computation
// waits for it. A nil Observer is valid and ignores all events.
package progress

import (
	"fmt"
	"time"
)

// Event is one report.
type Event struct {
	// Stage names the work in a few words, the same for the whole stage: "neighbours",
	// "eigenvectors".
	Stage string
	// Done and Total are counts of Unit; Total is 0 if the end is not known in advance.
	Done, Total int64
	// Unit is what Done counts: "rows", "products", "restarts".
	Unit string
	// Left is the estimated remaining time, if the computation has a better estimate than Done and
	// Total give; else 0.
	Left time.Duration
	// Message, if not empty, is a sentence for the user. Done and Total then have no meaning.
	Message string
	// Detail marks a Message about how the work is done, such as which solver was picked: a caller
	// whose result says the same may drop it.
	Detail bool
	// Retry is the option that may mend what a Message says, and its value: "normalize-rows=true", or
	// "neighbors=*2" for twice what it is; "" if none is known.
	Retry string
	// Kind says what a Message is about.
	Kind Kind
}

// Kind is what a message is about.
type Kind string

// The kinds.
const (
	// Note is a decision or a fact. The zero value.
	Note Kind = ""
	// Warning says that the result is not all that was asked for, or not what it looks like:
	// documents that are left out, coordinates that are 0, labels that reach nothing.
	Warning Kind = "warning"
	// Convergence is a warning that iterations ended before they had settled, or with fewer
	// clusters than they began with.
	Convergence Kind = "convergence"
)

// Observer receives events. A nil Observer ignores them.
type Observer func(Event)

// Report reports that done of total units of a stage are finished.
func (o Observer) Report(stage string, done, total int64, unit string) {
	if o != nil {
		o(Event{Stage: stage, Done: done, Total: total, Unit: unit})
	}
}

// Notef sends the user a message of one sentence.
func (o Observer) Notef(stage, format string, args ...any) {
	o.send(Event{Stage: stage, Message: fmt.Sprintf(format, args...)})
}

// Warnf is Notef of a [Warning].
func (o Observer) Warnf(stage, format string, args ...any) {
	o.send(Event{Stage: stage, Message: fmt.Sprintf(format, args...), Kind: Warning})
}

// Unsettledf is Notef of a warning about [Convergence].
func (o Observer) Unsettledf(stage, format string, args ...any) {
	o.send(Event{Stage: stage, Message: fmt.Sprintf(format, args...), Kind: Convergence})
}

// Advisef is Warnf, or Unsettledf by the kind, of a message with an [Event].Retry.
func (o Observer) Advisef(kind Kind, stage, retry, format string, args ...any) {
	o.send(Event{Stage: stage, Message: fmt.Sprintf(format, args...), Kind: kind, Retry: retry})
}

// Detailf is Notef of a detail.
func (o Observer) Detailf(stage, format string, args ...any) {
	o.send(Event{Stage: stage, Message: fmt.Sprintf(format, args...), Detail: true})
}

func (o Observer) send(e Event) {
	if o != nil {
		o(e)
	}
}

// NotesAlone passes on messages alone, for a part of a stage that is a stage elsewhere.
func (o Observer) NotesAlone() Observer {
	if o == nil {
		return nil
	}
	return func(e Event) {
		if e.Message != "" {
			o(e)
		}
	}
}

// WithoutNotes passes on all events but messages, for further work whose notes are not about the
// result.
func (o Observer) WithoutNotes() Observer {
	if o == nil {
		return nil
	}
	return func(e Event) {
		if e.Message == "" {
			o(e)
		}
	}
}

// WithoutDetails passes on all events but details.
func (o Observer) WithoutDetails() Observer {
	if o == nil {
		return nil
	}
	return func(e Event) {
		if !e.Detail {
			o(e)
		}
	}
}

// Package progress is how long work tells its caller what it is doing.
//
// Everything that may take more than a second accepts an [Observer] in its options and reports
// through it: on entering a stage, a few times a second at most while it lasts, and for every
// decision that the user should hear of (a solver picked, a document left out).
//
// An Observer is called from one goroutine at a time, never concurrently with itself, and must
// return quickly: the work waits for it. A nil Observer is valid and silent.
package progress

import (
	"fmt"
	"time"
)

// Event is one report.
type Event struct {
	// Stage names the work in a few words, stable within one stage: "neighbours", "eigenvectors".
	Stage string
	// Done and Total count Unit; Total is 0 where the end is not known in advance.
	Done, Total int64
	// Unit is what Done counts: "rows", "products", "restarts".
	Unit string
	// Left is how long the rest will take, where the work can tell better than by Done and Total; else 0.
	Left time.Duration
	// Message, where it is not empty, is a sentence for the user; Done and Total then mean nothing.
	Message string
	// Detail marks a Message about how the work is done, such as which solver was picked: a caller whose
	// result says the same may drop it.
	Detail bool
}

// Observer receives events. The zero value (nil) is silent.
type Observer func(Event)

// Report tells that done of total units of a stage are finished.
func (o Observer) Report(stage string, done, total int64, unit string) {
	if o != nil {
		o(Event{Stage: stage, Done: done, Total: total, Unit: unit})
	}
}

// Notef tells the user something in one sentence.
func (o Observer) Notef(stage, format string, args ...any) {
	if o != nil {
		o(Event{Stage: stage, Message: fmt.Sprintf(format, args...)})
	}
}

// Detailf is Notef of a detail.
func (o Observer) Detailf(stage, format string, args ...any) {
	if o != nil {
		o(Event{Stage: stage, Message: fmt.Sprintf(format, args...), Detail: true})
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

package result

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Remedy is an option that may mend what a note of a run says.
type Remedy struct {
	Option string `json:"option"`
	Value  string `json:"value"`
	Why    string `json:"why"` // the note
}

// Remedies are the options that notes of the run name and that can be given to it, each once.
func (r *Run) Remedies(name func(string) string) []Remedy {
	var list []Remedy
	for _, e := range r.J.Notes.Advice() {
		key, value, _ := strings.Cut(e.Retry, "=")
		if value = r.retryValue(key, value); value == "" || slices.ContainsFunc(list, func(x Remedy) bool { return x.Option == key }) {
			continue
		}
		list = append(list, Remedy{key, value, words.Rename(e.Message, name)})
	}
	return list
}

// retryValue is the value to give to an option: of "*2" twice what it is. "" if the run has it
// already, or cannot have it.
func (r *Run) retryValue(key, value string) string {
	f := r.J.Field(key)
	if f == nil {
		return ""
	}
	factor, times := strings.CutPrefix(value, "*")
	if !times {
		if f.String() == value {
			return ""
		}
		return value
	}
	now, err := strconv.Atoi(f.String())
	by, _ := strconv.Atoi(factor)
	if err != nil || now < 1 {
		return ""
	}
	then := now * by
	if key == "neighbors" && r.Fitted != nil && r.Fitted.Graph != nil { // of which it has others
		then = min(then, r.Fitted.Graph.Total()-1)
	}
	if then <= now {
		return ""
	}
	return strconv.Itoa(then)
}

// Retry runs the request once more over the file of a run, with the options that its notes say may
// help, and returns the second run, with a note that says so. It is the first one, with a note,
// where no note names an option or the second run failed. Errors: the context's, beside the first
// run, which is complete. Nothing but notes is added to the first run, so that a caller may abandon
// a second run that does not look at ctx, and use the first one.
func (p *Prepared) Retry(ctx context.Context, first *Run) (*Run, error) {
	plain := func(name string) string { return "‹" + name + "›" }
	list := first.Remedies(plain)
	if len(list) == 0 {
		first.J.Note("‹retry›: no note names an option that may help, so there is no second run")
		return first, nil
	}
	opt := p.options
	var with []string
	for _, remedy := range list {
		if err := opt.Set(remedy.Option, remedy.Value); err != nil {
			first.J.Note(noSecond(fmt.Sprintf("‹%s› %s", remedy.Option, remedy.Value), err))
			return first, nil
		}
		with = append(with, fmt.Sprintf("‹%s› %s", remedy.Option, remedy.Value))
	}
	text := strings.Join(with, ", ")
	again, err := Prepare(opt, p.Request.Command)
	var second *Run
	if err == nil {
		second, err = again.OnFile(ctx, first.J.File)
	}
	if err != nil {
		if stopped := ctx.Err(); stopped != nil {
			err = stopped // whatever failed at that moment
		}
		first.J.Note(noSecond(text, err))
		if stopped := ctx.Err(); stopped != nil {
			return first, fault.Wrap(stopped)
		}
		if errors.Is(err, context.Canceled) {
			return first, fault.Wrap(err)
		}
		return first, nil
	}
	second.J.Note(fmt.Sprintf("‹retry›: this is a second run, with %s, since of the first was said: %s%s", text, list[0].Why, largest(first, second)))
	return second, nil
}

// noSecond says why the first run stays.
func noSecond(with string, err error) string {
	is := "did not end"
	if errors.Is(err, fs.ErrInvalid) {
		is = "is not possible"
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Sprintf("‹retry›: a second run with %s was interrupted, and these are the results of the first", with)
	}
	return fmt.Sprintf("‹retry›: a second run with %s %s, and these are the results of the first: %s", with, is, marked(err))
}

// marked is the text of an error in which names of options are marked still.
func marked(err error) string {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f.Text(func(name string) string { return "‹" + name + "›" })
	}
	return err.Error()
}

// largest compares the shares of the largest clusters of two runs.
func largest(first, second *Run) string {
	if len(first.Sizes) == 0 || len(second.Sizes) == 0 {
		return ""
	}
	return fmt.Sprintf(" The largest cluster has %s of the documents, and had %s.",
		words.Percent(slices.Max(second.Sizes), len(second.Labels)), words.Percent(slices.Max(first.Sizes), len(first.Labels)))
}

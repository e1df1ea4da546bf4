package result

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// noteIsolated warns of documents that have nothing in common with any other. Copies count too.
func (r *Run) noteIsolated() {
	if n := len(r.Isolated); n > 0 {
		r.J.Warn(fmt.Sprintf("Isolated documents, with nothing in common with another one, so that their places and clusters are arbitrary: %s of %s%s.",
			words.Thousands(n), words.Thousands(r.Corpus.Len()), r.swollen()))
	}
}

// manyIsolated is the share of isolated documents from which the size of a cluster misleads, and
// mostSwollen the number of such clusters that a note names.
const (
	manyIsolated = .1
	mostSwollen  = 3
)

// swollen names the clusters whose sizes mislead because many of their documents are isolated, the
// ones with most of them first, as the end of a sentence; "" for none.
func (r *Run) swollen() string {
	if r.Labels == nil { // an embedding
		return ""
	}
	isolated := make([]int, len(r.Sizes))
	var list []int
	for _, i := range r.Isolated {
		if c := r.Labels[i]; c >= 0 {
			if isolated[c]++; isolated[c] == 1 {
				list = append(list, c)
			}
		}
	}
	list = slices.DeleteFunc(list, func(c int) bool { return float64(isolated[c]) < manyIsolated*float64(r.Sizes[c]) })
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(isolated[b], isolated[a]), cmp.Compare(a, b)) })
	said := ""
	for _, c := range list[:min(len(list), mostSwollen)] {
		if isolated[c] == r.Sizes[c] {
			said += fmt.Sprintf("; cluster %d holds no others", c)
		} else {
			said += fmt.Sprintf("; cluster %d holds %s of them, and %s", c, words.Thousands(isolated[c]), words.Plural(r.Sizes[c]-isolated[c], "other", "others"))
		}
	}
	return said
}

// Notes are sentences about what the run decided or found, options named plainly.
func (r *Run) Notes() []string { return r.NotesAs(func(name string) string { return name }) }

// NotesAs are the notes with the names of options as the function writes them.
func (r *Run) NotesAs(name func(string) string) []string {
	v := (*method.Values)(nil)
	if r.Fitted != nil {
		v = r.Fitted.Values
	}
	return r.J.Notes.As(name, v == nil || v.Stats == nil || v.Stats.Why == "")
}

// Warnings returns the notes that warn: documents are left out, or iterations ended before they had
// settled. The function writes the names of options.
func (r *Run) Warnings(name func(string) string) []job.Warning { return r.J.Notes.Warnings(name) }

// Settings lists what the run used, [job.FileKey] first: given to [request.Options.Set] they repeat
// it, but for what known labels say of the clusters where these chose the method ([Run.Repeating]).
func (r *Run) Settings() []job.Setting { return r.withFitOn(r.J.Settings()) }

// Repeating lists the settings that repeat the run, [job.FileKey] first, and those that it then
// comes to by itself.
func (r *Run) Repeating() (list, cameTo []job.Setting) {
	list, cameTo = r.J.Repeating(r.J.Settings())
	return r.withFitOn(list), cameTo
}

func (r *Run) withFitOn(list []job.Setting) []job.Setting {
	if r.FitOn > 0 {
		list = append(list, job.Setting{Name: job.FitOnKey, Value: r.FitOn, Text: strconv.Itoa(r.FitOn), Given: true})
	}
	return list
}

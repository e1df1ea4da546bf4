package job

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/method"
)

// FileKey is the one key of a configuration that is not an option: the file to work on.
const FileKey = "file"

// FitOnKey is the flag and the key of a configuration for the number of documents that a clustering
// of more documents than memory holds is fitted on. It is no option of a request.
const FitOnKey = "fit-on"

// Setting is an option with the value that a run used.
type Setting struct {
	Name    string
	Value   any    // as YAML and JSON show it
	Text    string // as Set reads it
	Given   bool   // it was asked for
	Decided bool   // the run decided it from the data
}

// Settings lists every option that the run, its method and its input have a use for and that has a
// value. Decisions that the run took are in the options by then.
func (j *Job) Settings(own ...any) []Setting {
	fields := j.Fields(own...)
	list := []Setting{{Name: FileKey, Value: j.File, Text: j.File}}
	for _, f := range fields {
		if ok, _ := j.Relevant(fields, f, j.Data()); !ok || j.Corpus != nil && !request.TakesFormat(f, j.Corpus.Format) {
			continue
		}
		if v := f.Value(); v != nil {
			text := f.String()
			if text == "" {
				text = f.Default
			}
			list = append(list, Setting{f.Name, v, text, j.Was(f.Name), f.Default == "" && f.IsSet()})
		}
	}
	return list
}

// TakeUsed takes the options that a fit used in place of those before.
func (j *Job) TakeUsed(used method.Options) {
	if j.unsettled == nil {
		j.unsettled = j.MethodOptions
	}
	j.MethodOptions = used
}

// KeepAsked keeps the request as it is, before known labels choose the method.
func (j *Job) KeepAsked() {
	own := *j.Request
	j.asked = &own
}

// KeepRange keeps the range of numbers of clusters before one is chosen for n documents, if
// isolated ones were counted as clusters: where the number is given they are not.
func (j *Job) KeepRange(n int) {
	if !j.alone || n <= fewDocuments {
		return
	}
	for _, f := range j.Fields() {
		if f.Name == "clusters" || f.Name == "k-by" && j.Was(f.Name) {
			j.counted = append(j.counted, Setting{Name: f.Name, Value: f.Value(), Text: f.String(), Given: true})
		}
	}
}

// withRange is used with the range that was kept in place of the number of clusters.
func (j *Job) withRange(used []Setting) []Setting {
	at := slices.IndexFunc(used, func(s Setting) bool { return s.Name == "clusters" })
	if j.counted == nil || at < 0 {
		return used
	}
	return slices.Replace(slices.Clone(used), at, at+1, j.counted...)
}

// Repeating are the settings that repeat the run: those used, or, where known labels chose the
// method, those given, since the choice also names clusters and says how sure they are. cameTo are
// then the other settings used, which the choice comes to again.
func (j *Job) Repeating(used []Setting) (list, cameTo []Setting) {
	if j.asked == nil {
		return j.withRange(j.withoutMeasured(used)), nil
	}
	asked := &Job{Request: j.asked, File: j.File, Corpus: j.Corpus, X: j.X}
	for _, s := range asked.Settings() {
		if s.Name == FileKey || s.Name == "seed" || s.Given && s.Name != "method" {
			list = append(list, s)
		}
	}
	for _, s := range used {
		if !slices.ContainsFunc(list, func(of Setting) bool { return of.Name == s.Name && of.Text == s.Text }) {
			cameTo = append(cameTo, s)
		}
	}
	return list, cameTo
}

// withoutMeasured leaves out the numbers that the method measured in its fit, such as a width of
// the heat kernel: a run measures them again, and fits to parts of the documents, by which
// confidences are calibrated, measure them in theirs. A rule of measuring that was given, which the
// measured number hides, is added.
func (j *Job) withoutMeasured(used []Setting) (list []Setting) {
	if j.unsettled == nil || j.Corpus == nil {
		return used
	}
	before := option.Clone(j.unsettled).(method.Options)
	if d, ok := before.(method.Deciding); ok {
		before = j.Decided(d)
	}
	known := option.Of(before)
	for _, s := range used {
		f := option.Find(known, s.Name)
		if _, real := s.Value.(float64); real && s.Decided && !s.Given && f != nil && !f.IsSet() {
			continue
		}
		list = append(list, s)
	}
	if len(list) == len(used) {
		return list
	}
	for _, f := range known {
		named := func(s Setting) bool { return s.Name == f.Name }
		if ok, _ := j.Relevant(known, f, j.Data()); ok && j.Was(f.Name) && f.IsSet() && !slices.ContainsFunc(list, named) {
			list = append(list, Setting{Name: f.Name, Value: f.Value(), Text: f.String(), Given: true})
		}
	}
	return list
}

// Decided returns options with the decisions that they leave to the size of the data.
func (j *Job) Decided(d method.Deciding) method.Options {
	labelled := 0
	for _, k := range j.Prior.Labels {
		if k >= 0 {
			labelled++
		}
	}
	return d.Decided(j.Corpus.Len(), j.Columns(), labelled, j.Clusters)
}

// Config is the settings by name.
func Config(list []Setting) map[string]any {
	m := make(map[string]any, len(list))
	for _, s := range list {
		m[s.Name] = s.Value
	}
	return m
}

package job

import (
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// NoteDefault says which method was chosen, and why.
func (j *Job) NoteDefault() {
	if j.ByDefault != "" {
		j.Note(fmt.Sprintf("‹method› %s: %s", j.Spec.Name, j.ByDefault))
	}
	if j.Entrants != nil { // only a plan does not let them choose
		j.Note(fmt.Sprintf("The known labels choose the method when the run is made: the fit is planned as that of %s. ‹method› names another", j.Spec.Name))
	}
}

// SettleOptions takes what is left of the method's options once the data are known, and refuses
// those given that have no effect. Where labels choose the method, each candidate does so when it
// is tried.
func (j *Job) SettleOptions() error {
	if j.Entrants != nil {
		return nil
	}
	if err := j.takePaper(); err != nil {
		return err
	}
	if j.ByOthers() {
		if err := j.takeVectorSettings(); err != nil {
			return err
		}
	}
	return j.CheckRelevant(j.Fields(), j.Data())
}

// vectorSettings are the options of graphs of vectors that were not given: as for texts, whose
// cosines are weighed by the same. Of few documents all others are neighbours.
func vectorSettings(documents int) []method.Setting {
	return []method.Setting{{Name: "neighbors", Value: strconv.Itoa(max(1, min(graph.DefaultNeighbors, documents-1)))}, {Name: "edge-weight", Value: "dot"}}
}

// takeVectorSettings takes the settings of graphs of vectors.
func (j *Job) takeVectorSettings() error {
	own := j.Field("neighbors")
	j.usualNeighbors = own != nil && !j.Was("neighbors") && !own.IsSet()
	return j.takeSettings(vectorSettings(j.Share.Among(j.Corpus.Len())))
}

// boundNeighbors takes fewer neighbours where copies left fewer documents than takeVectorSettings
// found.
func (j *Job) boundNeighbors(documents int) error {
	own := j.Field("neighbors")
	if own == nil || !j.usualNeighbors || !own.IsSet() {
		return nil
	}
	return own.Set(vectorSettings(documents)[0].Value)
}

// takePaper sets the options of the method's paper that were not given, if the run asks for them
// and their conditions hold for the data.
func (j *Job) takePaper() error {
	if !j.Paper {
		return nil
	}
	return j.takeSettings(j.Spec.Paper)
}

// takeSettings sets those options of the method that were not given and whose conditions hold for
// the data.
func (j *Job) takeSettings(list []method.Setting) error {
	if j.MethodOptions == nil {
		return nil
	}
	fields := j.Fields()
	for _, s := range list {
		f := option.Find(fields, s.Name)
		if f == nil || j.Was(s.Name) || f.IsSet() {
			continue
		}
		if ok, _ := option.Holds(fields, f, s.When, j.Data()); !ok {
			continue
		}
		if err := f.Set(s.Value); err != nil {
			return fmt.Errorf("%s %q: %w", words.Option(s.Name), s.Value, err)
		}
	}
	return nil
}

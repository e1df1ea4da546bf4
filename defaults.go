package eigenmap

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
)

// The methods of a clustering for which none was named: one that learns from nothing, one that
// learns from labels, and one that learns from constraints. docs/which-method.md has the figures.
const (
	// DefaultMethod clusters without labels.
	DefaultMethod = "diffusion"
	// DefaultMethodLabels learns from labels of a part of the documents.
	DefaultMethodLabels = "semi-le"
	// DefaultMethodConstraints learns from must-links and cannot-links.
	DefaultMethodConstraints = "cle"
)

// chooseDefault chooses the method of a clustering by what it is given to learn from. What decides
// is in the options alone, so that the method is known before anything is read.
func (r *request) chooseDefault() {
	gives := func(name string, field bool) bool {
		return field || slices.ContainsFunc(r.set, func(s setting) bool { return s.name == name })
	}
	r.Method, r.byDefault = DefaultMethod, "no method was named"
	switch {
	case gives("constraints", r.Constraints != "" || r.Links != nil):
		r.Method, r.byDefault = DefaultMethodConstraints, "no method was named, and constraints are given"
	case gives("labels", r.Labels != "" || r.Known != nil), gives("labeled-fraction", r.LabeledFraction > 0):
		r.Method, r.byDefault = DefaultMethodLabels, "no method was named, and labels are given"
	}
}

// noteDefault says which method was chosen, and why.
func (j *job) noteDefault() {
	if j.byDefault != "" {
		j.note(fmt.Sprintf("‹method› %s: %s", j.spec.Name, j.byDefault))
	}
}

// takePaper sets the options of the method's paper that were not given, if the run asks for them
// and their conditions hold for the data.
func (j *job) takePaper() error {
	if !j.Paper || j.config == nil {
		return nil
	}
	fields := j.fields()
	for _, s := range j.spec.Paper {
		f := option.Find(fields, s.Name)
		if f == nil || j.was(s.Name) || f.IsSet() {
			continue
		}
		if ok, _ := option.Holds(fields, f, s.When, j.data()); !ok {
			continue
		}
		if err := f.Set(s.Value); err != nil {
			return fmt.Errorf("%s %q: %w", words.Option(s.Name), s.Value, err)
		}
	}
	return nil
}

package eigenmap

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// noteDefault says which method was chosen, and why.
func (j *job) noteDefault() {
	if j.byDefault != "" {
		j.note(fmt.Sprintf("‹method› %s: %s", j.spec.Name, j.byDefault))
	}
	if j.entrants != nil { // only a plan does not let them choose
		j.note("The known labels choose the method when the run is made, which takes further time: this is the plan of one of the methods. ‹method› names another")
	}
}

// settleOptions takes what is left of the method's options once the data are known, and refuses
// those given that have no effect. Where labels choose the method, each candidate does so when it
// is tried.
func (j *job) settleOptions() error {
	if j.entrants != nil {
		return nil
	}
	if err := j.takePaper(); err != nil {
		return err
	}
	if j.vectors != nil {
		if err := j.takeSettings(vectorSettings); err != nil {
			return err
		}
	}
	return j.checkRelevant(j.fields(), j.data())
}

// takePaper sets the options of the method's paper that were not given, if the run asks for them
// and their conditions hold for the data.
func (j *job) takePaper() error {
	if !j.Paper {
		return nil
	}
	return j.takeSettings(j.spec.Paper)
}

// takeSettings sets those options of the method that were not given and whose conditions hold for
// the data.
func (j *job) takeSettings(list []method.Setting) error {
	if j.config == nil {
		return nil
	}
	fields := j.fields()
	for _, s := range list {
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

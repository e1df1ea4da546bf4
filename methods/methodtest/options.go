package methodtest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
)

// zeroIsOff are options whose zero value means that they have no effect, so that they document no
// default.
var zeroIsOff = map[string]string{
	"epsilon": "0 joins each document to its nearest neighbours in place of all within a distance",
}

var plainName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// checkSpec: a spec says everything about the method, and makes options that are valid.
func checkSpec(s *suite) {
	spec := s.spec
	if !plainName.MatchString(spec.Name) {
		s.badf("the name %q is not of lower-case words joined by dashes", spec.Name)
	}
	for what, text := range map[string]string{"Summary": spec.Summary, "About": spec.About, "Reference": spec.Reference, "Cost": spec.Cost} {
		if strings.TrimSpace(text) == "" {
			s.badf("the spec has no %s", what)
		}
	}
	if strings.Contains(spec.Summary, "\n") || strings.HasSuffix(spec.Summary, ".") {
		s.badf("the summary is not one line without a full stop: %q", spec.Summary)
	}
	if strings.HasSuffix(spec.Closed, ".") {
		s.badf("Closed ends in a full stop: %q", spec.Closed)
	}
	if strings.HasSuffix(spec.Whole, ".") || spec.Divided != (spec.Whole == "") {
		s.badf("Divided is %v, and why ranks do not share its work is %q", spec.Divided, spec.Whole)
	}
	if !spec.Yields.Coordinates && !spec.Yields.Clusters {
		s.badf("the method makes neither coordinates nor clusters")
	}
	if spec.New == nil {
		s.badf("the spec makes no options")
		return
	}
	o := spec.New()
	if v := reflect.ValueOf(o); v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		s.badf("the options are a %T, not a pointer to a struct", o)
		return
	}
	if !reflect.ValueOf(o).Elem().IsZero() {
		s.badf("new options are not zero: %+v", o)
	}
	if err := o.Validate(); err != nil {
		s.badf("new options are refused: %v", err)
	}
}

// checkOptions: every option says what it is, and its default can be read.
func checkOptions(s *suite) {
	list := option.Of(s.spec.New())
	if len(list) == 0 {
		s.badf("the method has no option: do its fields lack their tags?")
	}
	for _, f := range list {
		if !plainName.MatchString(f.Name) {
			s.badf("the option %q is not of lower-case words joined by dashes", f.Name)
		}
		if f.Help == "" || f.Group == "" {
			s.badf("‹%s›: help %q, group %q", f.Name, f.Help, f.Group)
		}
		if strings.Contains(f.Help, "\n") || strings.HasSuffix(f.Help, ".") {
			s.badf("‹%s›: the help is not one line without a full stop: %q", f.Name, f.Help)
		}
		if !documented(f) {
			s.badf("‹%s›: no default is documented: give it a default, sparse, dense or unset tag", f.Name)
		}
		for _, text := range []string{f.Default, f.Sparse, f.Dense} {
			if text == "" {
				continue
			}
			if err := f.Check(text); err != nil {
				s.badf("‹%s›: its default %q is not read: %v", f.Name, text, err)
			}
		}
		if f.IsSet() {
			s.badf("‹%s› is set in new options", f.Name)
		}
		for _, fault := range conditionFaults(list, f) {
			s.badf("‹%s›: %s", f.Name, fault)
		}
	}
	s.refusedValues()
}

// documented says whether it is known what an option is if it is left out.
func documented(f *option.Field) bool {
	if f.Default != "" || f.Unset != "" || f.Sparse != "" && f.Dense != "" {
		return true
	}
	_, off := zeroIsOff[f.Name]
	return off || f.Kind == option.Switch || f.Kind == option.List || f.Path
}

// conditionFaults are faults of the tag `when`: it must have a name that the options have, with
// values that this one can have.
func conditionFaults(list []*option.Field, f *option.Field) (faults []string) {
	for condition := range strings.SplitSeq(f.When, ";") {
		if strings.TrimSpace(condition) == "" {
			continue
		}
		known := false
		for alternative := range strings.SplitSeq(condition, "|") {
			name, values, compared := strings.Cut(alternative, "=")
			name, negated := strings.CutSuffix(strings.TrimSpace(name), "!")
			if name == "data" { // what is clustered, not an option
				known = true
				continue
			}
			other := option.Find(list, name)
			if other == nil {
				known = known || negated || compared && strings.TrimSpace(values) == ""
				continue
			}
			known = true
			for value := range strings.SplitSeq(values, ",") {
				value = strings.TrimSpace(value)
				if other.Choices != nil && value != "" && !slices.Contains(other.Choices, value) {
					faults = append(faults, "its condition "+alternative+" is on a value that ‹"+other.Name+"› cannot have")
				}
			}
		}
		if !known {
			faults = append(faults, "its condition "+condition+" is on no option of the method, so it never has an effect")
		}
	}
	return faults
}

// refusedValues: a value out of range is refused as text, and by Validate if it is set in the
// struct.
func (s *suite) refusedValues() {
	for i, f := range option.Of(s.spec.New()) {
		text := outside(f)
		if text == "" {
			continue
		}
		if err := f.Check(text); err == nil {
			s.badf("‹%s› can be %q", f.Name, text)
		}
		o := s.spec.New()
		if !f.Path && f.Kind == option.Text && forced(option.Of(o)[i], text) {
			if err := s.guarded(o.Validate); !refusal(err) {
				s.badf("‹%s› %q: Validate does not refuse it with fs.ErrInvalid: %v", f.Name, text, err)
			}
		}
	}
}

// outside is a text that cannot be a value, "" if any text can.
func outside(f *option.Field) string {
	switch {
	case f.Kind == option.Text && f.Choices == nil:
		return ""
	case f.Kind == option.Int || f.Kind == option.Number:
		return "x"
	}
	return "-no such value-"
}

// forced stores a text in a field of choices without the check of choices.
func forced(f *option.Field, text string) bool {
	f.Choices = nil
	return f.Set(text) == nil
}

// checkClosed: a method either has a placer, which its models are, or says why it has none.
func checkClosed(s *suite) {
	if (s.spec.Placer == nil) != (s.spec.Closed != "") {
		s.badf("the spec has a placer: %v, and is closed: %q", s.spec.Placer != nil, s.spec.Closed)
	}
	for _, sm := range s.samples(small) {
		out := s.plain(sm)
		if out == nil {
			continue
		}
		switch {
		case out.Placer != nil && (s.spec.Placer == nil || out.Why != ""):
			s.badf("%s: there is a placer, and the method is closed (%q, %q)", sm.name, s.spec.Closed, out.Why)
		case out.Placer != nil && reflect.TypeOf(out.Placer) != reflect.TypeOf(s.spec.Placer()):
			s.badf("%s: the placer is a %T, and the spec reads a %T", sm.name, out.Placer, s.spec.Placer())
		case out.Placer == nil && s.spec.Placer != nil && out.Why == "" && sm.fresh != nil:
			s.badf("%s: there is no placer and no reason", sm.name)
		case strings.HasSuffix(out.Why, "."):
			s.badf("%s: Why ends in a full stop: %q", sm.name, out.Why)
		}
	}
}

// A Use is an option as one method has it.
type Use struct {
	Method string
	Field  *option.Field
}

// Vocabulary lists the options of all methods by name.
func Vocabulary(specs []method.Spec) map[string][]Use {
	uses := map[string][]Use{}
	for _, spec := range specs {
		for _, f := range option.Of(spec.New()) {
			uses[f.Name] = append(uses[f.Name], Use{spec.Name, f})
		}
	}
	return uses
}

// Package request is what a run is asked to do: the options of all runs, their names and texts, and
// the checks that come before anything is read.
package request

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// New applies the options that were set by name and refuses what the command or the method
// has no use for. own are further options, of a run without a method.
func New(opt Options, command string, own ...any) (*Request, error) {
	r := &Request{Options: opt, Command: command}
	r.Source.Classes, r.Source.Split = slices.Clone(opt.Source.Classes), slices.Clone(opt.Source.Split)
	r.Source.TextColumn = slices.Clone(opt.Source.TextColumn)
	if r.WithMethod() {
		if err := r.chooseMethod(); err != nil {
			return nil, err
		}
	}
	fields := r.Fields(own...)
	if err := r.setByName(fields); err != nil {
		return nil, err
	}
	if r.Source.EdgeList {
		if err := r.TakeGraph(); err != nil {
			return nil, err
		}
	}
	for _, f := range option.Of(&r.Options) { // set as fields of the struct
		if !f.IsSet() || f.Name == "seed" || f.Name == "method" {
			continue
		}
		if !r.Takes(f.Name) {
			return nil, r.noUse(fields, f.Name)
		}
		if !slices.Contains(r.given, f.Name) {
			r.given = append(r.given, f.Name)
		}
	}
	return r, r.checkOptions(fields)
}

// TakeGraph makes the file the affinity of the documents, as ‹precomputed› does.
func (r *Request) TakeGraph() error {
	if !r.Takes("precomputed") {
		return invalid.Errorf("the file is a graph, and the method %s needs documents with terms: choose another method", r.Spec.Name)
	}
	r.Source.Precomputed = true
	return nil
}

// setByName sets the options that were set by name.
func (r *Request) setByName(fields []*option.Field) error {
	var on []*option.Field // switches
	for _, s := range r.set {
		f := option.Find(fields, s.name)
		if f == nil {
			if s.name == "method" {
				continue
			}
			if f = option.Former(fields, s.name); f != nil {
				r.Renamed = append(r.Renamed, f)
				s.name = f.Name
			}
		}
		if f == nil {
			return r.noUse(fields, s.name)
		}
		if err := f.Set(s.value); err != nil {
			if r.MethodOptions != nil && f.Kind == option.Text {
				return invalid.Errorf("%s %s: with the method %s %w", words.Option(s.name), s.value, r.Spec.Name, err)
			}
			return invalid.Errorf("%s %q: %w", words.Option(s.name), s.value, err)
		}
		on = slices.DeleteFunc(on, func(g *option.Field) bool { return g == f })
		if f.Kind == option.Switch && !strings.EqualFold(s.value, "true") {
			continue
		}
		r.given = append(r.given, s.name)
		if i := slices.IndexFunc(on, f.Excludes); i >= 0 {
			return invalid.Errorf("%s and %s exclude each other: give one of them", words.Option(on[i].Name), words.Option(f.Name))
		}
		if f.Kind == option.Switch {
			on = append(on, f)
		}
	}
	return nil
}

// noUse refuses an option that the command or the method does not take.
func (r *Request) noUse(fields []*option.Field, name string) error {
	switch {
	case r.MethodOptions == nil:
		return invalid.Errorf("%s has no effect here: leave it out", words.Option(name))
	case name == "precision":
		return invalid.Errorf("the method %s reads the documents in double precision: leave ‹precision› out, or choose one of %s", r.Spec.Name, readSingles())
	case option.Find(fields, name) != nil:
		return invalid.Errorf("the method %s has %s of its own in place of the option of every run: set it by name, or in Config", r.Spec.Name, words.Option(name))
	case r.Command == "embed" && Takes(r.Spec, name) && option.Find(RunFields(&r.Options), name) != nil:
		return invalid.Errorf("%s has no effect on an embedding: leave it out", words.Option(name))
	}
	return invalid.Errorf("the method %s has no use for %s: leave it out%s", r.Spec.Name, words.Option(name), r.methodsFor(name))
}

// methodsFor names, after "leave it out", the methods that take what known labels or constraints
// say; "" for another option.
func (r *Request) methodsFor(name string) string {
	switch name {
	case "constraints", "labels", "labeled-fraction":
		return ", or take a method that learns from it: " + strings.Join(methodsThat(func(s method.Spec) bool { return Takes(s, name) }), ", ")
	}
	return ""
}

package request

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// LabelStarted are the methods whose k-means can start at labels.
func LabelStarted() []string {
	return methodsThat(func(s method.Spec) bool { return s.ThenKMeans() && s.Needs.Labels != method.None })
}

// methodsThat lists the methods of which holds is true.
func methodsThat(holds func(method.Spec) bool) []string {
	var names []string
	for _, s := range registry.Specs {
		if holds(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// everyLevel is the value of Options.Levels that means every number of clusters.
const everyLevel = "all"

// checkLevels refuses what is no list of numbers of clusters.
func (o *Options) checkLevels() error {
	for _, text := range o.Levels {
		if k, err := strconv.Atoi(text); text != everyLevel && (err != nil || k < 1) {
			return invalid.Errorf("‹levels› %q: it is %s, or numbers of clusters such as 3,12,40", text, everyLevel)
		}
	}
	return nil
}

// readSingles lists the methods that read documents in single precision.
func readSingles() string {
	return strings.Join(methodsThat(func(s method.Spec) bool { return s.Single }), ", ")
}

// chooseMethod looks the method up and makes its options.
func (r *Request) chooseMethod() error {
	for _, s := range r.set {
		if s.name == "method" {
			r.Method = s.value
		}
	}
	if r.Method == "" && r.Command != "embed" {
		r.chooseDefault()
	}
	if r.Method == "" {
		return invalid.Errorf("no method was chosen: give ‹method› with one of %s", strings.Join(registry.Names(), ", "))
	}
	r.takeLinks()
	spec, ok := registry.Find(r.Method)
	if !ok {
		return invalid.Errorf("there is no method %q%s: the methods are %s", r.Method, words.Nearest(r.Method, registry.Names()), strings.Join(registry.Names(), ", "))
	}
	if r.Command == "embed" && !spec.Yields.Coordinates {
		return invalid.Errorf("the method %s makes no embedding: the methods that do are %s", spec.Name, embedders())
	}
	r.Spec, r.MethodOptions = spec, spec.New()
	if r.Config == nil {
		return nil
	}
	if v := reflect.ValueOf(r.Config); v.Type() != reflect.TypeOf(r.MethodOptions) || v.IsNil() {
		return invalid.Errorf("the options of the method %s are a %T that is not nil, and Config is a %T: give the method's own", spec.Name, r.MethodOptions, r.Config)
	}
	r.MethodOptions = option.Clone(r.Config).(method.Options)
	return nil
}

// ofLinks are the methods that minimise k-means' objective and take links as pckmeans does, whose
// objective is the same.
var ofLinks = []string{"kmeans", "ckmeans"}

// takeLinks makes k-means under links the method that takes them.
func (r *Request) takeLinks() {
	if r.Config == nil && slices.Contains(ofLinks, r.Method) && (r.linksFile() != "" || r.Links != nil) {
		r.Method, r.ByDefault = DefaultMethodApart, r.Method+" under links is this method"
	}
}

// linksFile is the file of links, "" if there is none.
func (r *Request) linksFile() string {
	file := r.Constraints
	for _, s := range r.set {
		if s.name == "constraints" {
			file = s.value
		}
	}
	return file
}

// chooseDefault chooses the method of a clustering that has no labels to choose it by.
func (r *Request) chooseDefault() {
	r.Method, r.ByDefault = DefaultMethod, "no method was named"
	file, two := r.linksFile(), r.Clusters == 2
	for _, s := range r.set {
		if s.name == "clusters" {
			two = s.value == "2"
		}
	}
	switch apart := slices.ContainsFunc(r.Links, func(c corpus.Constraint) bool { return c.Cannot }); {
	case file == "" && r.Links == nil:
		if r.asksColumnsAlone() && r.takesAll(DefaultMethodColumns) {
			r.Method, r.ByDefault = DefaultMethodColumns, "no method was named, and ‹views› columns compares by columns of words, too"
		}
	case !two && (apart || file != "" && corpus.KeepsApart(context.Background(), file)):
		r.Method, r.ByDefault = DefaultMethodApart, "no method was named, and constraints keep documents apart"
	default:
		r.Method, r.ByDefault = DefaultMethodConstraints, "no method was named, and constraints are given"
	}
}

// asksColumnsAlone reports whether columns are the only view that is asked for, before the options
// that were set by name are applied.
func (r *Request) asksColumnsAlone() bool {
	views := r.Vectors.Views
	for _, s := range r.set {
		if s.name == "views" {
			views = append(slices.Clone(views), s.value)
		}
	}
	return len(views) == 1 && views[0] == "columns"
}

// takesAll reports whether a method takes the options of methods that were given.
func (r *Request) takesAll(name string) bool {
	spec, ok := registry.Find(name)
	if !ok || r.Config != nil {
		return false
	}
	with := *r
	with.Spec, with.MethodOptions = spec, spec.New()
	fields := with.Fields()
	return !slices.ContainsFunc(r.set, func(s setting) bool { return s.name != "method" && option.Find(fields, s.name) == nil })
}

// embedders names the methods that make an embedding.
func embedders() string {
	return strings.Join(methodsThat(func(s method.Spec) bool { return s.Yields.Coordinates }), ", ")
}

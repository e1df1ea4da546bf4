package request

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Become makes the run one of another method, and leaves what was settled about the documents.
func (r *Request) Become(of *Request) {
	r.Method, r.Spec, r.given, r.KMeans = of.Method, of.Spec, of.given, of.KMeans
	r.MethodOptions, r.Entrants = option.Clone(of.MethodOptions).(method.Options), nil
}

// Takes says whether the run has a use for an option of every run.
func (r *Request) Takes(name string) bool {
	if (r.Command == "embed" || r.Command == "graph") && slices.Contains([]string{"clusters", "k-by", "reject", "reject-share", "confidence", "restarts", "init", "kmeans-iter", "nearest-by"}, name) {
		return false
	}
	if slices.Contains([]string{"map", "snippets", "page-columns", "levels", "time-column", "time-period"}, name) && r.Command != "cluster" && r.Command != "plan" {
		return false
	}
	if (name == "views" || name == "view-columns") && r.Command == "predict" { // the model says it
		return false
	}
	if slices.Contains(vectorOptions, name) && !r.WithMethod() && r.Command != "graph" && r.Command != "predict" {
		return false
	}
	if name == "duplicates" && !r.WithMethod() && r.Command != "graph" {
		return false
	}
	if r.MethodOptions == nil {
		return name != "graph" && (name != "precision" || r.Command == "graph")
	}
	return Takes(r.Spec, name)
}

// Takes says whether a method has a use for an option of every run: labels and constraints only if
// it learns from them, options of k-means only if that finds its clusters.
func Takes(s method.Spec, name string) bool {
	switch name {
	case "labels", "labeled-fraction":
		return s.Needs.Labels != method.None
	case "constraints":
		return s.Needs.Links != method.None
	case "vectors", "vectors-column", "vectors-model", "views", "view-columns":
		return !s.Needs.Counts
	case "paper": // the papers weigh counts in files by themselves, and texts by tf-idf
		return len(s.Paper) > 0 || !s.Needs.Counts
	case "precomputed", "graph":
		return s.Needs.Affinity
	case "restarts", "init", "kmeans-iter", "nearest-by":
		return s.ThenKMeans()
	case "precision":
		return s.Single
	}
	return true
}

// Single says whether an option was set to 1.
func (r *Request) Single(name string) bool {
	for _, f := range r.Fields() {
		if f.Name == name {
			return f.String() == "1"
		}
	}
	return false
}

// WantsMap reports whether the run is to make a map, as Options.Map says.
func (r *Request) WantsMap(standard bool) bool {
	if r.Map != nil {
		return *r.Map
	}
	return standard
}

// Request is what a run was asked to do: its options with those set by name applied.
type Request struct {
	Options
	Command       string          // "cluster", "embed" or another one, which runs no method
	Spec          method.Spec     // of the method; the zero value for runs without one
	MethodOptions method.Options  // its options; nil without a method
	given         []string        // names of the options that were given
	Renamed       []*option.Field // of them, those given by the name of the version before
	// ByDefault is why the method was chosen; "" if it was named.
	ByDefault string
	// NoSnippets says that the caller has no use for Options.Snippets, as where no file is written.
	NoSnippets bool
	// Entrants are the methods that known labels choose from; nil if the method is settled.
	Entrants []Entrant
}

// WithMethod says whether the command runs a method.
func (r *Request) WithMethod() bool {
	return r.Command == "cluster" || r.Command == "embed" || r.Command == "plan"
}

// InSingle says whether the documents are stored in single precision.
func (r *Request) InSingle() bool { return r.Precision == "single" }

// Fields are the options in force.
func (r *Request) Fields(own ...any) []*option.Field {
	list := RunFields(&r.Options)
	list = slices.DeleteFunc(list, func(f *option.Field) bool { return !r.Takes(f.Name) })
	if r.MethodOptions != nil {
		list = append(list, option.Of(r.MethodOptions)...)
	}
	for _, p := range own {
		list = append(list, option.Of(p)...)
	}
	return list
}

// Field is the option in force of a name, nil if there is none.
func (r *Request) Field(name string) *option.Field {
	if r.Takes(name) {
		if f := option.Find(named(option.Named(&r.Options, []string{name})), name); f != nil {
			return f
		}
	}
	if r.MethodOptions == nil {
		return nil
	}
	return option.Find(option.Named(r.MethodOptions, []string{name}), name)
}

// Was says whether an option was given.
func (r *Request) Was(name string) bool { return slices.Contains(r.given, name) }

// Forget returns a copy of the request to which an option was not given. The value stays.
func (r *Request) Forget(name string) *Request {
	own := *r
	own.given = slices.DeleteFunc(slices.Clone(r.given), func(given string) bool { return given == name })
	return &own
}

// WithVectors reports whether documents are compared by vectors.
func (r *Request) WithVectors() bool {
	return r.Vectors.File != "" || r.Vectors.Rows != nil || r.Vectors.Model != ""
}

// WithColumns reports whether documents are compared by columns beside their texts too.
func (r *Request) WithColumns() bool {
	return slices.Contains(r.Vectors.Views, "columns") && !r.ColumnsAlone()
}

// ColumnsAlone reports whether documents are compared by the columns of a table without texts:
// numbers, and words that are categories.
func (r *Request) ColumnsAlone() bool {
	return len(r.Vectors.Views) == 1 && r.Vectors.Views[0] == "columns"
}

// JoinsWords reports whether documents are compared by their terms and by something else.
func (r *Request) JoinsWords() bool {
	return slices.Contains(r.Vectors.Views, "words") && len(r.Vectors.Views) > 1
}

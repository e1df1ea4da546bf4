package request

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
)

// A clustering that names no method and has known labels takes the votes of several methods, or a
// method that places known labels plainly better: each candidate learns from a part of them and is
// judged on the others. candidates.go says which methods are compared, internal/choosing compares
// them, and methods/crossval has folds and verdicts.

// NoMethod is why labels choose.
const NoMethod = "no method was named, and labels are given"

// leavesToLabels says whether the run names no method and gives labels, which then choose it.
func (o *Options) leavesToLabels() bool {
	gives := func(name string, field bool) bool {
		return field || slices.ContainsFunc(o.set, func(s setting) bool { return s.name == name && s.value != "" })
	}
	return !gives("method", o.Method != "") && !gives("constraints", o.Constraints != "" || o.Links != nil) &&
		(gives("labels", o.Labels != "" || o.Known != nil) || gives("labeled-fraction", o.LabeledFraction > 0))
}

// ForRun makes the request of a run. If the run leaves the method to its labels, the
// request holds the candidates.
func ForRun(opt Options, command string) (*Request, error) {
	if (command == "cluster" || command == "plan") && opt.leavesToLabels() {
		return requestByLabels(opt, command)
	}
	return New(opt, command)
}

// requestByLabels makes the request of a run whose method the known labels choose. It asks for a
// method under which the documents can be read, and holds the candidates that take the run's other
// options.
func requestByLabels(opt Options, command string) (*Request, error) {
	list, refused := make([]Entrant, len(candidates)), map[string]error{}
	for i, c := range candidates {
		list[i].candidate = c
		var err error
		if list[i].Request, err = c.request(opt, command); err != nil {
			list[i].Request, list[i].Out, refused[c.method] = nil, words.Plain(strings.TrimSuffix(err.Error(), ".")), err
		}
	}
	r := list[PlaceOf(DefaultMethodLabels)].Request // reads whatever any of them reads
	for i := 0; r == nil && i < len(list); i++ {
		if list[i].Learns() {
			r = list[i].Request
		}
	}
	if r == nil {
		return nil, refused[DefaultMethodLabels]
	}
	own := *r
	own.Entrants, own.ByDefault = list, NoMethod
	return &own, nil
}

// request is the run's request with the candidate as its method. One that does not look at labels
// gets none.
func (c candidate) request(opt Options, command string) (*Request, error) {
	unnamed := func(s setting) bool { return s.name == "method" } // an empty name
	opt.Method, opt.set = c.method, slices.DeleteFunc(slices.Clone(opt.set), unnamed)
	for _, s := range c.set {
		if slices.ContainsFunc(opt.set, func(given setting) bool { return given.name == s.name }) {
			return nil, invalid.Errorf("%s was given", words.Option(s.name))
		}
		opt.set = append(opt.set, s)
	}
	if !c.Learns() {
		byName := slices.ContainsFunc(opt.set, func(s setting) bool { return s.name == "init" && s.value == InitLabels })
		if byName || opt.KMeans.Init == InitLabels {
			return nil, invalid.Errorf("‹init› labels starts from known labels, and it learns from none")
		}
		opt.Labels, opt.LabeledFraction, opt.Known = "", 0, nil
		opt.set = slices.DeleteFunc(opt.set, func(s setting) bool { return s.name == "labels" || s.name == "labeled-fraction" })
	}
	return New(opt, command)
}

// Entrant is a candidate in one run.
type Entrant struct {
	candidate
	Request *Request // nil if the candidate does not take the run's options
	Out     string   // why it is not compared; "" if it is
}

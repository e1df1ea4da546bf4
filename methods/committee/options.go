package committee

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/tsvm"
)

// Options of the method. The zero value is all members with equal votes.
type Options struct {
	// Members vote, divided by commas, each of them NAME or NAME=WEIGHT, how much its vote counts;
	// label propagation does even if it is not named. "" = all of them, with equal votes, but
	// kernel-ridge on dense rows alone, where semi-ldc, tsvm and logistic have half a vote each.
	Members string `json:"members,omitempty" flag:"members" unset:"all of them that can take the data, with equal votes, but kernel-ridge on dense data alone, where semi-ldc, tsvm and logistic have half a vote each" help:"methods that vote, of semi-ldc, tsvm, logistic, kernel-ridge, diffusion and label-propagation, which always does, with how much the vote of each counts if they are not equal: tsvm=3,diffusion=0.5" group:"method"`
	// ClassShares are the shares of the classes by which label propagation, semi-ldc and tsvm decide;
	// "" = auto. The regressions and diffusion take none.
	ClassShares shares.Rule `json:"class_shares,omitempty" flag:"class-shares" default:"auto" help:"shares of the classes among the documents without a label, for label-propagation, semi-ldc and tsvm; other members take none: auto (as the known labels, unless the documents contradict them), labels, estimated, or a list such as a=0.9,b=0.1" group:"method"`
	// Graph of label propagation and diffusion. Its zero values are the defaults of each.
	Graph graph.Options `json:"graph" flags:"*" group:"graph" defaults:"neighbors=(15 of sparse data, 7 of dense data, or all others if there are fewer)"`

	trial bool // members fit in their cheaper forms
}

// Trial implements method.Trialled.
func (o *Options) Trial() method.Options {
	own := *o
	own.trial = true
	return &own
}

// of are the options of a member in a fit.
func (o *Options) of(m member) method.Options {
	own := m.options(o)
	if t, ok := own.(method.Trialled); ok && o.trial {
		return t.Trial()
	}
	return own
}

// Validate implements method.Options.
func (o *Options) Validate() error {
	own := *o
	own.Graph = graph.Options{}
	errs := []error{option.Check(&own), o.Graph.Validate(), o.ClassShares.Validate()}
	seen := map[string]bool{}
	for _, text := range o.list() {
		name, weight, weighed := parsed(text)
		if !slices.ContainsFunc(members, func(m member) bool { return m.spec.Name == name }) {
			errs = append(errs, invalid.Errorf("‹members› %q: the members of a committee are %s", words.Clip(text, 60), strings.Join(Names(), ", ")))
			continue
		}
		if seen[name] {
			errs = append(errs, invalid.Errorf("‹members› names %s twice", name))
		}
		seen[name] = true
		if w, err := strconv.ParseFloat(weight, 64); weighed && (err != nil || !(w > 0 && w <= 1e9)) {
			errs = append(errs, invalid.Errorf("‹members› %q: a vote counts more than 0 and at most 1e9", words.Clip(text, 60)))
		}
	}
	if len(seen) == 1 && seen[carrier] {
		errs = append(errs, invalid.Errorf("‹members› %s alone is no committee: name another member, or choose ‹method› %s", carrier, carrier))
	}
	return invalid.Join(errs...)
}

// parsed is the name of a member as Members has it, and how much its vote counts, if that is said.
func parsed(text string) (name, weight string, weighed bool) {
	name, weight, weighed = strings.Cut(text, "=")
	return strings.TrimSpace(name), strings.TrimSpace(weight), weighed
}

// carrier is the member that always votes: it names the clusters of diffusion, and joins new
// documents to the graph.
const carrier = "label-propagation"

// member is a method that may vote.
type member struct {
	spec    method.Spec
	options func(o *Options) method.Options
	linear  bool // it divides classes by lines
	dense   bool // of sparse rows it votes only where it is named
}

// counts is how much the vote of the member counts on sparse or dense rows where no members are
// named. On dense rows kernel ridge is one more of those that look at rows and not at the graph:
// the linear ones, three of them, count half, so that they do not outvote those of the graph.
func (m member) counts(sparse bool) float64 {
	switch {
	case m.dense && sparse:
		return 0
	case m.linear && !sparse:
		return 0.5
	}
	return 1
}

// members are in the order in which they run: label propagation first.
var members = []member{
	{spec: labelprop.Spec, options: func(o *Options) method.Options {
		return &labelprop.Options{ClassMass: true, ClassShares: o.ClassShares, Graph: o.Graph}
	}},
	{spec: semildc.Spec, options: func(o *Options) method.Options { return &semildc.Options{ClassShares: o.ClassShares} }, linear: true},
	{spec: tsvm.Spec, options: func(o *Options) method.Options { return &tsvm.Options{ClassShares: o.ClassShares} }, linear: true},
	{spec: logistic.Spec, options: func(*Options) method.Options { return new(logistic.Options) }, linear: true},
	{spec: kernelridge.Spec, options: func(*Options) method.Options { return new(kernelridge.Options) }, dense: true},
	{spec: diffusion.Spec, options: func(o *Options) method.Options {
		own := new(diffusion.Options)
		own.Graph = o.Graph
		return own
	}},
}

// Names are the methods that may be members.
func Names() (list []string) {
	for _, m := range members {
		list = append(list, m.spec.Name)
	}
	return list
}

// Counts is how much the vote of a member counts on sparse or dense rows where no members are
// named, beside what it got right; 0 if it has none.
func Counts(name string, sparse bool) float64 {
	for _, m := range members {
		if m.spec.Name == name {
			return m.counts(sparse)
		}
	}
	return 0
}

// learns says whether the member looks at labels.
func (m member) learns() bool { return m.spec.Needs.Labels != method.None }

// list are the members as they are written; nil if none is named.
func (o *Options) list() []string {
	if o.Members == "" {
		return nil
	}
	return strings.Split(o.Members, ",")
}

// weights are how much the vote of each member of the options counts on sparse or dense rows, by
// its name.
func (o *Options) weights(sparse bool) map[string]float64 {
	list := map[string]float64{carrier: 1}
	for _, text := range o.list() {
		name, weight, weighed := parsed(text)
		if list[name] = 1; weighed {
			list[name], _ = strconv.ParseFloat(weight, 64)
		}
	}
	if o.Members == "" {
		for _, m := range members {
			if w := m.counts(sparse); w > 0 {
				list[m.spec.Name] = w
			}
		}
	}
	return list
}

// voting are the members of the options that vote on sparse or dense rows.
func (o *Options) voting(sparse bool) []member {
	weights := o.weights(sparse)
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool { return weights[m.spec.Name] == 0 })
}

// Weighed are the Members of options under which the vote of each counts so much.
func Weighed(weights map[string]float64) string {
	var list []string
	for _, m := range members {
		if w, ok := weights[m.spec.Name]; ok {
			list = append(list, m.spec.Name+"="+strconv.FormatFloat(w, 'g', -1, 64))
		}
	}
	return strings.Join(list, ",")
}

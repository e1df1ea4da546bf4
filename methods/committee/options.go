package committee

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/tsvm"
)

// Options of the method. The zero value is all members.
type Options struct {
	// Members vote beside label propagation, which always does; nil = all of them.
	Members []string `json:"members,omitempty" flag:"members" choices:"semi-ldc|tsvm|logistic|diffusion" unset:"all of them that can take the data" help:"methods that vote beside label propagation, which always does" group:"method"`
	// Graph of label propagation and diffusion. Its zero values are the defaults of each.
	Graph graph.Options `json:"graph" flags:"*" group:"graph"`
}

// Validate implements method.Options.
func (o *Options) Validate() error {
	own := *o
	own.Graph = graph.Options{}
	return invalid.Join(option.Check(&own), o.Graph.Validate())
}

// carrier is the member that always votes: it names the clusters of diffusion, and joins new
// documents to the graph.
const carrier = "label-propagation"

// member is a method that may vote.
type member struct {
	spec    method.Spec
	options func(o *Options) method.Options
}

// members are in the order in which they run: the graph's first, and diffusion last, since the
// others name its clusters.
var members = []member{
	{labelprop.Spec, func(o *Options) method.Options { return &labelprop.Options{ClassMass: true, Graph: o.Graph} }},
	{semildc.Spec, func(*Options) method.Options { return new(semildc.Options) }},
	{tsvm.Spec, func(*Options) method.Options { return new(tsvm.Options) }},
	{logistic.Spec, func(*Options) method.Options { return new(logistic.Options) }},
	{diffusion.Spec, func(o *Options) method.Options {
		own := new(diffusion.Options)
		own.Graph = o.Graph
		return own
	}},
}

// learns says whether the member looks at labels.
func (m member) learns() bool { return m.spec.Needs.Labels != method.None }

// voting are the members of the options.
func (o *Options) voting() []member {
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool {
		return m.spec.Name != carrier && o.Members != nil && !slices.Contains(o.Members, m.spec.Name)
	})
}

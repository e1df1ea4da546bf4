package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"
)

// method is one entry of the table that `cluster` and `embed` choose from.
type method struct {
	name, summary string
	flags         [][]string // groups that it understands besides input, text and weights
	// embed and cluster do the work on j.x, or on the graph that was read. They return what was
	// finished even beside an error. A method without an embedding has a nil embed.
	embed, cluster func(ctx context.Context, j *job) (*outcome, error)
}

// outcome is what a method made; fields that it does not make, or did not come to, are nil.
type outcome struct {
	embedding *mat.Dense
	graph     *graph.Graph
	spectrum  *le.Model // eigenvalues, residuals and statistics
	kmeans    *kmeans.Model
}

// methods lists what is built. A method joins by one entry.
var methods = []method{
	{
		name:    "le",
		summary: "Laplacian Eigenmaps: smallest eigenvectors of the neighbour graph, then k-means",
		flags:   [][]string{{"precomputed"}, graphFlags, eigenFlags, embedFlags, kmeansFlags},
		embed:   embedLE,
		cluster: func(ctx context.Context, j *job) (*outcome, error) { return clusterEmbedding(ctx, j, embedLE) },
	},
	{
		name:    "kmeans",
		summary: "k-means on the weighted documents themselves",
		flags:   [][]string{kmeansFlags},
		cluster: clusterKMeans,
	},
}

func embedLE(ctx context.Context, j *job) (*outcome, error) {
	out := new(outcome)
	g, err := j.affinity(ctx)
	if err != nil {
		return out, err
	}
	out.graph = g
	defer j.stage("eigen")()
	m, err := le.FitGraph(ctx, g, j.opt.leOptions(j.ui.observe))
	if m != nil && err == nil {
		out.spectrum, out.embedding = m, m.Embedding
		if worst := summarizeEigen(m).MaxResidual; worst > j.opt.tol {
			j.ui.note(fmt.Sprintf("The largest residual, %.1e, is what rounding allows; --tol %g cannot be met on this graph.", worst, j.opt.tol))
		}
	}
	return out, inFile(j.file, err)
}

// clusterEmbedding is k-means on the rows of what embed makes.
func clusterEmbedding(ctx context.Context, j *job, embed func(context.Context, *job) (*outcome, error)) (*outcome, error) {
	out, err := embed(ctx, j)
	if err != nil {
		return out, err
	}
	defer j.stage("kmeans")()
	out.kmeans, err = kmeans.Fit(ctx, out.embedding, j.opt.kmeansOptions(j.ui.observe))
	return out, inFile(j.file, err)
}

func clusterKMeans(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("kmeans")()
	m, err := kmeans.Fit(ctx, j.x, j.opt.kmeansOptions(j.ui.observe))
	return &outcome{kmeans: m}, inFile(j.file, err)
}

func methodNames() string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return strings.Join(names, ", ")
}

// methodTable describes the methods in the help text.
func methodTable() string {
	var b strings.Builder
	for _, m := range methods {
		b.WriteString("  " + m.name + strings.Repeat(" ", 10-len(m.name)) + m.summary + "\n")
	}
	return b.String()
}

// chosenMethod looks the method up.
func (o *options) chosenMethod() (method, error) {
	if o.method == "" {
		return method{}, requestf("no method was chosen: give --method %s", strings.ReplaceAll(methodNames(), ", ", " or --method "))
	}
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == o.method })
	if i < 0 {
		return method{}, requestf("there is no method %q: the methods are %s", o.method, methodNames())
	}
	return methods[i], nil
}

// refuse names the first flag given that means nothing to the method: ignoring it would give a
// result that is not what was asked for.
func (m method) refuse(set *pflag.FlagSet) error {
	var err error
	set.Visit(func(f *pflag.Flag) {
		if err == nil && asked(f) && !m.understands(f.Name) {
			err = requestf("the method %s has no use for --%s: leave the flag out", m.name, f.Name)
		}
	})
	return err
}

func (m method) understands(flag string) bool {
	for _, other := range methods {
		for _, group := range other.flags {
			if slices.Contains(group, flag) {
				return slices.ContainsFunc(m.flags, func(own []string) bool { return slices.Contains(own, flag) })
			}
		}
	}
	return true // a flag of the input, the output or the program
}

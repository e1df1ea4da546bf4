package main

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// outcome is what a method made; fields that it does not make, or did not come to, are nil.
type outcome struct {
	embedding *mat.Dense // a row a document
	graph     *graph.Graph
	spectrum  *spectrum
	partition *partition
	// directions are the terms of each coordinate with their weights, the heaviest first; nil where they cannot be read.
	directions [][]spg.Weight
	topics     bool       // directions are the most probable terms of topics, with their probabilities
	soft       *mat.Dense // documents × classes, labels that the method began with; nil where it had none
	// found is what the method found by itself, besides: lines of a table, and the same for JSON by name. Both may be nil.
	found   [][]string
	details map[string]any
	model   any                  // the method's own model, of which the model file keeps what new documents need
	first   kernelkmeans.Options // of kernel k-means, the method itself or its first clustering
	lengths *sparse.CSR          // of the edges that geodesic distances lead along
	reduced *pca.Model           // the principal components that the model is of; nil where it is of the documents themselves
}

// spectrum is the values that belong to the coordinates of an embedding.
type spectrum struct {
	kind      string // "eigenvalue" of a graph's pencil, "singular value", "variance"
	values    []float64
	classes   []string     // whose map each value belongs to; nil where the values are those of one problem, in order
	residuals []float64    // nil where the method tells none
	stats     *eigen.Stats // how they were found
	how       string       // what else is to be told
	own       bool         // eigenvalues are not those of a Laplacian, which lie between 0 and 2
}

// partition is the clusters, numbered from 0 by falling size.
type partition struct {
	labels    []int // cluster of each document
	sizes     []int
	objective float64
	centers   *mat.Dense // in the embedding, a row a cluster; nil where the method has none
	posterior *mat.Dense // documents × clusters, of a soft clustering; nil of a hard one
	classes   []string   // of the labels given that each cluster is, "" where it is none; nil where labels name no clusters
	by, how   string     // what found them, and how: "k-means", "12 clusters, best of 10 starts, objective 843.1"
}

func kmeansPartition(m *kmeans.Model, o *options) *partition {
	if m == nil {
		return nil
	}
	return &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Objective, centers: m.Centers, by: "k-means", how: fmt.Sprintf("%s, best of %s, objective %.6g",
		plural(len(m.Sizes), "cluster", "clusters"), plural(o.restarts, "start", "starts"), m.Objective)}
}

// valuesOf returns the values of one kind, an empty list where the outcome has none.
func (o *outcome) valuesOf(kind string) numbers {
	if o.spectrum == nil || o.spectrum.kind != kind {
		return numbers{}
	}
	return numbers(o.spectrum.values)
}

// worst is the largest residual, 0 where there is none.
func (s *spectrum) worst() float64 {
	if s == nil || len(s.residuals) == 0 {
		return 0
	}
	return slices.Max(s.residuals)
}

// row tells in a table how the values were found; nil where there are none.
func (s *spectrum) row() []string {
	if s == nil || s.stats == nil && s.how == "" {
		return nil
	}
	name := "svd"
	if s.kind == "eigenvalue" {
		name = "eigen"
	}
	if s.stats == nil {
		return []string{"fit", s.how}
	}
	how := summarizeEigen(s).String()
	if s.how != "" {
		how = s.how + ", " + how
	}
	return []string{name, how}
}

// format prints a value: those of a pencil lie between 0 and 2.
func (s *spectrum) format(v float64) string {
	if s.kind == "eigenvalue" && !s.own {
		return fmt.Sprintf("%.8f", v)
	}
	return fmt.Sprintf("%.8g", v)
}

// mapClasses names the class of each coordinate, where each is a map of its own.
func (o *outcome) mapClasses() []string {
	if o.spectrum == nil {
		return nil
	}
	return o.spectrum.classes
}

package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/spg"
)

const namePLSA = "plsa"

// topicTerms is how many terms of a topic topics.csv has: all have all terms.
const topicTerms = 50

// fitTopics fits as many topics as clusters, or as dimensions where there are no clusters.
func fitTopics(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if err := j.checkCounts("plsa is not for such data"); err != nil {
		return out, err
	}
	if n := len(j.given.names); o.dims < n {
		return out, requestf("-d %d is fewer than the %d classes of the labels given, each of which is a topic: leave it out", o.dims, n)
	}
	defer j.stage("plsa")()
	if len(j.given.names) == o.dims {
		o.restarts = 1
	}
	opt := o.plsaOptions()
	opt.K, opt.Kind, opt.Labels, opt.Restarts, opt.Seed, opt.Observer = o.dims, plsa.Kind(o.kind), j.given.labels, o.restarts, o.seed, j.ui.observe
	m, err := plsa.Fit(ctx, j.x, opt)
	if m == nil {
		return out, inFile(j.file, err)
	}
	last := m.LogLikelihoods[len(m.LogLikelihoods)-1]
	out.model = m
	out.partition = &partition{labels: m.Labels, sizes: sizesOf(m.Labels, o.dims), objective: last, posterior: m.Posterior, by: "plsa",
		how: fmt.Sprintf("%s, %s, best of %s, log-likelihood %.6g after %s", counted(o.dims, "topic"), o.kind, counted(o.restarts, "start"), last, counted(m.Iterations, "iteration"))}
	out.details = map[string]any{"log_likelihood": last, "weights": numbers(m.Weights), "iterations": m.Iterations, "converged": m.Converged}
	if j.given.labels != nil {
		out.partition.classes = j.classNames(o.dims)
	}
	out.takeTopics(m, j)
	return out, inFile(j.file, err)
}

// embedTopics makes coordinates of the documents' shares of the topics. The clusters do without them: shares have no plane worth drawing.
func embedTopics(ctx context.Context, j *job) (*outcome, error) {
	out, err := fitTopics(ctx, j)
	if p := out.partition; p != nil {
		out.embedding, out.partition = p.posterior, nil
		out.spectrum = &spectrum{kind: "share of the topic", values: out.model.(*plsa.Model).Weights, how: p.how}
	}
	return out, err
}

// takeTopics takes the most probable terms of each topic.
func (o *outcome) takeTopics(m *plsa.Model, j *job) {
	k, _ := m.Terms.Dims()
	o.topics = true
	for t := range k {
		row := m.Terms.RawRowView(t)
		list := make([]spg.Weight, 0, topicTerms)
		for _, i := range heaviest(row, topicTerms) {
			name := strconv.Itoa(i + 1)
			if j.corpus.Terms != nil {
				name = j.corpus.Terms[i]
			}
			list = append(list, spg.Weight{Column: i, Term: name, Weight: row[i]})
		}
		o.directions = append(o.directions, list)
	}
}

// heaviest returns the places of the n largest values, falling, ties by the lower place. O(len·n) at worst, len + n·log where values come in no order.
func heaviest(values []float64, n int) []int {
	n = min(n, len(values))
	at := make([]int, 0, n+1)
	for i, v := range values {
		if len(at) == n && (n == 0 || v <= values[at[n-1]]) {
			continue
		}
		p := len(at)
		for p > 0 && v > values[at[p-1]] {
			p--
		}
		at = append(at, 0)
		copy(at[p+1:], at[p:])
		at[p] = i
		at = at[:min(len(at), n)]
	}
	return at
}

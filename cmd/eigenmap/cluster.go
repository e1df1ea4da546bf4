package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/spf13/cobra"
)

func (a *app) clusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster FILE --method M [-k K]",
		Short: "Corpus in; clusters, embedding, metrics and a report out",
		Long: `Cluster reads a corpus, weighs its terms, and clusters its documents. Where the file has labels it
compares the clusters with them. With --out it writes clusters.csv, embedding.npy, scatter.png,
report.html, model.npz and config.yaml.

Methods:
` + methodTable(),
		Example: `  eigenmap cluster corpus.jsonl.gz --method le -k 12 --out results
  eigenmap cluster counts.mat --method le --classes 1,4,9 --json
  eigenmap cluster corpus.jsonl.gz --method cle --labels known.csv --out results
  eigenmap cluster corpus.jsonl.gz --method semi-le --labeled-fraction 0.05 --normalize-rows
  eigenmap cluster reuters21578 --reuters-preset ten-topics --method semi-ldc --labeled-fraction 0.02
  eigenmap cluster affinity.mtx --precomputed --method le -k 5 --truth labels.csv
  eigenmap cluster --config results/config.yaml`,
		RunE: a.work(a.cluster, "FILE"),
	}
	a.opt.define(cmd.Flags(), []string{"method", "clusters", "out", "seed"}, inputFlags, weightFlags, textFlags,
		[]string{"precomputed"}, labelFlags, linkFlags, graphFlags, dimsFlags, skipFlags, rowFlags, eigenFlags, pcaFlags, nmfFlags, mixFlags, gmmFlags, lapFlags,
		sparseFlags, spgFlags, firstFlags, kernelFlags[:2], shiftFlags, reachFlags, ratioFlags, gammaFlags, partsFlags, pickFlags, lleFlags,
		topicFlags[:1], plsaFlags[:2], stageFlags, propagationFlags, machineFlags, softFlags, dongleFlags, kmeansFlags)
	return cmd
}

// clustering is everything that `cluster` found, on its way to the outputs.
type clustering struct {
	*job
	method method
	*outcome
	table    *metrics.Table // classes × clusters, nil without labels
	scored   int            // documents with a true label
	rest     *metrics.Table // of the documents whose label was not given; nil without labels given or none such
	restSize int            // of these, those with a true label
	clusters []report.Cluster
	config   map[string]any
	saved    []string
}

func (a *app) cluster(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	m, err := a.opt.chosenMethod()
	if err != nil {
		return err
	}
	m = m.clustering()
	j, out, err := a.open(ctx, cmd, args[0], &m)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := j.decideClusters(m); err != nil {
		return err
	}
	if err := j.settleLinks(j.opt.clusters); err != nil {
		return err
	}
	if m.embed != nil {
		if err := j.decideDims(m); err != nil {
			return err
		}
	}
	c := &clustering{job: j, method: m}
	c.outcome, err = m.cluster(ctx, j)
	if err == nil {
		err = c.score(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = c.write(ctx, out)
	}
	if err = j.inDocuments(err); err != nil {
		finished := c.embedding != nil || c.partition != nil
		return a.salvage(ctx, out, finished, func(ctx context.Context) error {
			return c.addResults(ctx, out, c.settings(m.understands))
		}, err)
	}
	c.times.add("total", time.Since(start))
	a.ui.stop()
	if a.opt.json {
		return a.printJSON(c.json())
	}
	a.printClustering(c)
	return nil
}

// topTerms is how many terms describe a cluster.
const topTerms = 10

// score compares with the labels and finds each cluster's majority class and terms.
func (c *clustering) score(ctx context.Context) error {
	defer c.stage("metrics")()
	p := c.partition
	if c.corpus.Labels != nil && slices.ContainsFunc(c.corpus.Labels, func(l int) bool { return l >= 0 }) {
		t, err := metrics.NewTable(c.corpus.Labels, p.labels)
		if err != nil {
			return err
		}
		c.table = t
		_, unlabelled := c.corpus.ClassSizes()
		c.scored = c.corpus.Len() - unlabelled
		if unlabelled > 0 {
			c.ui.note("The scores and the majority classes rest on " + c.scoredOf() + " documents; the others have no true label.")
		}
		if err := c.scoreRest(); err != nil {
			return err
		}
	}
	c.compareWithGiven()
	majority, names := c.table, c.corpus.ClassNames
	if c.table == nil && c.given.labels != nil {
		t, err := metrics.NewTable(c.given.labels, p.labels)
		if err != nil {
			return err
		}
		majority, names = t, c.given.names
	}
	c.clusters = make([]report.Cluster, len(p.sizes))
	for i, size := range p.sizes {
		c.clusters[i] = report.Cluster{Number: i, Size: size}
		if p.classes != nil {
			c.clusters[i].Class = p.classes[i]
		}
	}
	if majority != nil {
		for col, cluster := range majority.Clusters {
			best, labelled := 0, 0
			for row, counts := range majority.Counts {
				labelled += counts[col]
				if counts[col] > majority.Counts[best][col] {
					best = row
				}
			}
			c.clusters[cluster].Major = names[majority.Classes[best]]
			c.clusters[cluster].MajorCount = majority.Counts[best][col]
			c.clusters[cluster].Labelled = labelled
		}
	}
	if c.x != nil {
		top, err := await(ctx, func() ([][]corpus.TermWeight, error) {
			return c.corpus.TopTerms(p.labels, len(p.sizes), topTerms), nil
		})
		if err != nil {
			return err
		}
		for i, terms := range top {
			for _, t := range terms {
				c.clusters[i].Terms = append(c.clusters[i].Terms, t.Term)
			}
		}
	}
	return nil
}

// scoreRest compares with the labels on the documents whose labels the method was not given.
func (c *clustering) scoreRest() error {
	if c.given.labels == nil {
		return nil
	}
	truth := slices.Clone(c.corpus.Labels)
	for i, k := range c.given.labels {
		if k >= 0 {
			truth[i] = labels.Unknown
		} else if truth[i] >= 0 {
			c.restSize++
		}
	}
	if c.restSize == 0 {
		c.ui.note("Every document with a true label was given one, so the scores say how well the labels were kept, not how well others were found.")
		return nil
	}
	t, err := metrics.NewTable(truth, c.partition.labels)
	c.rest = t
	return err
}

// namesClasses says whether every cluster is named after a class of the corpus. Accuracy and macro-F1 are then by these names.
func (c *clustering) namesClasses() bool {
	for _, name := range c.partition.classes {
		if !slices.Contains(c.corpus.ClassNames, name) {
			return false
		}
	}
	return c.partition.classes != nil
}

// scores are those of a table of the corpus's classes against the clusters.
func (c *clustering) scores(t *metrics.Table) metrics.Scores {
	if !c.namesClasses() {
		return t.Scores()
	}
	to := make([]int, len(t.Clusters))
	for j, cluster := range t.Clusters {
		to[j] = slices.IndexFunc(t.Classes, func(class int) bool { return c.corpus.ClassNames[class] == c.partition.classes[cluster] })
	}
	return t.ScoresAs(to)
}

// scoredOf is "2 labelled of 1,080".
func (c *clustering) scoredOf() string {
	return report.Thousands(c.scored) + " labelled of " + report.Thousands(c.corpus.Len())
}

// majorityHead is the heading of the column of majority classes.
func (c *clustering) majorityHead() string {
	if c.table == nil && c.given.labels != nil {
		return "majority class (of labels given)"
	}
	if c.scored < c.corpus.Len() {
		return "majority class (of labelled)"
	}
	return "majority class"
}

// clusterJSON is the object of `cluster --json`.
type clusterJSON struct {
	Method      string          `json:"method"`
	File        string          `json:"file"`
	Documents   int             `json:"documents"`
	Terms       int             `json:"terms"`
	Clusters    int             `json:"clusters"`
	Classes     int             `json:"classes"`
	Labeled     int             `json:"labeled"` // documents whose labels the method was given
	Links       *linksSummary   `json:"constraints,omitempty"`
	Seed        uint64          `json:"seed"`
	Scored      int             `json:"scored"` // documents with a true label, which the metrics rest on
	Metrics     *metrics.Scores `json:"metrics,omitempty"`
	Unlabeled   *metrics.Scores `json:"metrics_unlabeled,omitempty"` // on the scored documents whose labels were not given
	Eigenvalues numbers         `json:"eigenvalues"`
	Singular    numbers         `json:"singular_values,omitempty"`
	Variances   numbers         `json:"variances,omitempty"`
	Directions  [][]spg.Weight  `json:"directions,omitempty"` // terms of each coordinate with their weights, the heaviest first
	Topics      [][]spg.Weight  `json:"topics,omitempty"`     // the most probable terms of each topic with their probabilities
	Found       map[string]any  `json:"found,omitempty"`      // what the method found by itself
	Objective   float64         `json:"objective"`
	Sizes       []int           `json:"cluster_sizes"`
	Named       []string        `json:"cluster_classes,omitempty"` // class of the labels given that each cluster is
	TopTerms    [][]string      `json:"top_terms,omitempty"`
	Uncertain   *uncertainJSON  `json:"uncertain,omitempty"` // of a soft clustering
	Graph       *graphSummary   `json:"graph,omitempty"`
	Eigen       *eigenSummary   `json:"eigen,omitempty"`
	Notes       []string        `json:"notes"`
	Files       []string        `json:"files"`
	Timings     timings         `json:"timings"`
	Config      map[string]any  `json:"config"`
	Versions    versionInfo     `json:"versions"`
}

func (c *clustering) json() clusterJSON {
	v := clusterJSON{
		Method: c.method.name, File: c.file, Documents: c.corpus.Len(), Terms: c.terms(), Clusters: len(c.partition.sizes),
		Seed: c.opt.seed, Labeled: c.given.count, Links: c.given.links(), Eigenvalues: c.valuesOf("eigenvalue"),
		Singular: c.valuesOf("singular value"), Variances: c.valuesOf("variance"), Objective: c.partition.objective, Sizes: c.partition.sizes,
		Eigen: summarizeEigen(c.spectrum), Notes: nonNil(c.notes(summarizeEigen(c.spectrum))), Files: nonNil(c.saved),
		Timings: c.times, Config: c.config, Versions: versions(), Uncertain: c.uncertain(), Directions: c.directions, Found: c.details, Named: c.partition.classes,
	}
	if c.topics {
		v.Directions, v.Topics = nil, c.directions
	}
	if c.table != nil {
		s := c.scores(c.table)
		v.Metrics, v.Classes, v.Scored = &s, len(c.table.Classes), c.scored
	}
	if c.rest != nil {
		s := c.scores(c.rest)
		v.Unlabeled = &s
	}
	if c.outcome.graph != nil {
		g := summarizeGraph(c.outcome.graph)
		v.Graph = &g
	}
	if c.corpus.Terms != nil && c.x != nil {
		for _, k := range c.clusters {
			v.TopTerms = append(v.TopTerms, nonNil(k.Terms))
		}
	}
	return v
}

// nonNil makes an empty list of nil, so that JSON shows [] and not null.
func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// howRows tells how the result was made, a line a stage.
func (c *clustering) howRows() [][]string {
	rows := [][]string{{"read", c.file + ": " + c.corpusText()}}
	if c.x != nil {
		rows = append(rows, []string{"weights", c.opt.weighting + ", normalize " + c.opt.normalize})
	}
	if row := c.given.row(c.corpus.Len()); row != nil {
		rows = append(rows, row)
	}
	if g := c.outcome.graph; g != nil {
		rows = append(rows, []string{"graph", summarizeGraph(g).String()})
	}
	rows = append(rows, c.found...)
	if row := c.spectrum.row(); row != nil {
		rows = append(rows, row)
	}
	rows = append(rows, []string{c.partition.by, c.partition.how})
	if row := c.uncertainRow(); row != nil {
		rows = append(rows, row)
	}
	return rows
}

// printClustering is the table for a person.
func (a *app) printClustering(c *clustering) {
	a.table(c.howRows())
	a.printf("\n")

	head, named := []string{"cluster", "size"}, c.partition.classes
	if named != nil {
		head = append(head, "class")
	}
	hasMajority := c.table != nil || c.given.labels != nil
	if hasMajority {
		head = append(head, c.majorityHead())
	}
	hasTerms := c.corpus.Terms != nil && c.x != nil
	if hasTerms {
		head = append(head, "top terms")
	}
	rows := [][]string{head}
	for _, k := range c.clusters {
		row := []string{fmt.Sprintf("%7d", k.Number), fmt.Sprintf("%4d", k.Size)}
		if named != nil {
			row = append(row, report.Clip(named[k.Number], 24))
		}
		if hasMajority {
			major := ""
			if k.Labelled > 0 {
				major = fmt.Sprintf("%s (%s)", report.Clip(k.Major, 24), percent(k.MajorCount, k.Labelled))
			}
			row = append(row, major)
		}
		if hasTerms {
			row = append(row, report.Clip(strings.Join(k.Terms, " "), 72))
		}
		rows = append(rows, row)
	}
	a.table(rows)
	a.printf("\n")
	a.printDirections(c.outcome)
	if c.table != nil {
		if c.scored < c.corpus.Len() {
			a.printf("scored on %s documents\n", c.scoredOf())
		}
		scores := scoreRows(c.scores(c.table))
		if c.rest != nil {
			rest := scoreRows(c.scores(c.rest))
			scores = [][]string{append([]string{""}, scores[0]...), append([]string{"all"}, scores[1]...),
				append([]string{"labels not given (" + report.Thousands(c.restSize) + ")"}, rest[1]...)}
		}
		a.table(scores)
		a.printf("\n")
	}
	a.printTail(c.job, summarizeEigen(c.spectrum), c.saved)
}

// scoreRows is the metrics in two lines.
func scoreRows(s metrics.Scores) [][]string {
	head, values := []string{}, []string{}
	for _, f := range scoreFields(s) {
		head = append(head, f.Name)
		values = append(values, f.Value)
	}
	return [][]string{head, values}
}

func scoreFields(s metrics.Scores) []report.Fact {
	f := func(name string, v float64) report.Fact {
		return report.Fact{Name: name, Value: fmt.Sprintf("%.4f", v)}
	}
	return []report.Fact{f("accuracy", s.Accuracy), f("NMI", s.NMI), f("ARI", s.ARI), f("FMI", s.FMI),
		f("purity", s.Purity), f("F", s.FMeasure), f("macro-F1", s.MacroF1)}
}

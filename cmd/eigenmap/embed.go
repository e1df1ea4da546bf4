package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
)

func (a *app) embedCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "embed FILE --method M -d DIM",
		Short: "Corpus in; embedding and eigenvalues out",
		Long: `Embed makes the low-dimensional embedding of a corpus and leaves the clustering out. With --out it
writes embedding.npy (or embedding.csv), model.npz and config.yaml.`,
		Example: `  eigenmap embed corpus.jsonl.gz --method le -d 10 --out results
  eigenmap embed affinity.mtx --precomputed --method le -d 2 --format csv --out results`,
		RunE: a.work(a.embed, "FILE"),
	}
	a.opt.define(cmd.Flags(), []string{"method"}, dimsFlags, skipFlags, rowFlags, []string{"out"})
	cmd.Flags().Lookup("method").Usage = "method: " + strings.Join(embedders(), ", ")
	cmd.Flags().Lookup("dims").Usage = "dimensions of the embedding (default: the number of classes)"
	cmd.Flags().Var(choiceValue{&a.opt.format, []string{"npy", "csv"}}, "format", "format of the embedding in --out (default: npy)")
	a.opt.define(cmd.Flags(), []string{"seed"}, inputFlags, weightFlags, textFlags, []string{"precomputed"}, labelFlags, linkFlags, graphFlags, eigenFlags, pcaFlags, nmfFlags, sparseFlags, spgFlags, firstFlags, kernelFlags[:2],
		reachFlags, ratioFlags, gammaFlags, partsFlags, pickFlags, lleFlags, topicFlags, plsaFlags, stageFlags, propagationFlags)
	return cmd
}

// embedJSON is the object of `embed --json`.
type embedJSON struct {
	Method      string         `json:"method"`
	File        string         `json:"file"`
	Documents   int            `json:"documents"`
	Terms       int            `json:"terms"`
	Dims        int            `json:"dims"`
	Seed        uint64         `json:"seed"`
	Labeled     int            `json:"labeled"` // documents whose labels the method was given
	Links       *linksSummary  `json:"constraints,omitempty"`
	Eigenvalues numbers        `json:"eigenvalues"`
	Singular    numbers        `json:"singular_values,omitempty"`
	Variances   numbers        `json:"variances,omitempty"`
	Residuals   numbers        `json:"residuals"`
	Topics      [][]spg.Weight `json:"topics,omitempty"`      // the most probable terms of each topic with their probabilities
	Found       map[string]any `json:"found,omitempty"`       // what the method found by itself
	MapClasses  []string       `json:"map_classes,omitempty"` // the class of each dimension, where each is a map of its own
	Graph       *graphSummary  `json:"graph,omitempty"`
	Eigen       *eigenSummary  `json:"eigen,omitempty"`
	Notes       []string       `json:"notes"`
	Files       []string       `json:"files"`
	Timings     timings        `json:"timings"`
	Config      map[string]any `json:"config"`
	Versions    versionInfo    `json:"versions"`
}

func (a *app) embed(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	m, err := a.opt.chosenMethod()
	if err != nil {
		return err
	}
	if m.embed == nil {
		return requestf("the method %s makes no embedding: the methods that do are %s", m.name, strings.Join(embedders(), ", "))
	}
	if a.opt.format == "" {
		a.opt.format = "npy"
	}
	j, out, err := a.open(ctx, cmd, args[0], &m)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := j.settleLinks(0); err != nil {
		return err
	}
	if err := j.decideDims(m); err != nil {
		return err
	}
	made, err := m.embed(ctx, j)
	if err = j.inDocuments(err); err != nil {
		return a.salvage(ctx, out, made.embedding != nil, func(ctx context.Context) error {
			list := j.settings(m.understands)
			return j.addEmbedding(ctx, out, made, newModel(j, m, made, asMap(list)), list)
		}, err)
	}
	list := j.settings(m.understands)
	model := newModel(j, m, made, asMap(list))
	saved, err := j.writeEmbedding(ctx, out, made, model, list)
	if err != nil {
		return err
	}
	j.times.add("total", time.Since(start))
	a.ui.stop()
	if a.opt.json {
		var topics [][]spg.Weight
		if made.topics {
			topics = made.directions
		}
		return a.printJSON(embedJSON{Topics: topics, Method: m.name, File: j.file, Documents: model.Documents, Terms: model.Terms, Dims: model.Dims,
			Seed: a.opt.seed, Labeled: j.given.count, Links: j.given.links(), Eigenvalues: made.valuesOf("eigenvalue"),
			Singular: made.valuesOf("singular value"), Variances: made.valuesOf("variance"), Residuals: model.Residuals, Found: made.details, MapClasses: made.mapClasses(), Graph: model.Graph, Eigen: summarizeEigen(made.spectrum),
			Notes: nonNil(j.notes(summarizeEigen(made.spectrum))), Files: nonNil(saved), Timings: j.times, Config: model.Config, Versions: model.Versions})
	}
	a.printEmbedding(j, made, saved)
	return nil
}

func embedders() []string {
	var names []string
	for _, m := range methods {
		if m.embed != nil {
			names = append(names, m.name)
		}
	}
	return names
}

func (j *job) writeEmbedding(ctx context.Context, out *output, made *outcome, model modelJSON, list yaml.MapSlice) ([]string, error) {
	if out == nil {
		j.ui.note("the embedding was not written: give --out DIR for that")
		return nil, nil
	}
	defer j.stage("write")()
	if err := j.addEmbedding(ctx, out, made, model, list); err != nil {
		return nil, err
	}
	return out.commit()
}

func (j *job) addEmbedding(ctx context.Context, out *output, made *outcome, model modelJSON, list yaml.MapSlice) error {
	matrix := npy(made.embedding)
	if j.opt.format == "csv" {
		matrix = func(w io.Writer) error { return j.writeCoordinates(w, made) }
	}
	if err := out.add(ctx, "embedding."+j.opt.format, matrix); err != nil {
		return err
	}
	if err := made.addDirections(ctx, out); err != nil {
		return err
	}
	if err := j.addModel(ctx, out, made, model); err != nil {
		return err
	}
	return out.add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "embed", list) })
}

// writeCoordinates writes id,x1,x2,... with all digits.
func (j *job) writeCoordinates(w io.Writer, made *outcome) error {
	rows, dims := made.embedding.Dims()
	t := csv.NewWriter(w)
	record := make([]string, dims+1)
	record[0] = "id"
	for d := range dims {
		record[d+1] = "x" + strconv.Itoa(d+1)
	}
	if err := t.Write(record); err != nil {
		return err
	}
	for i := range rows {
		record[0] = j.corpus.ID(i)
		for d, v := range made.embedding.RawRowView(i) {
			record[d+1] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		if err := t.Write(record); err != nil {
			return err
		}
	}
	t.Flush()
	return t.Error()
}

func (a *app) printEmbedding(j *job, made *outcome, saved []string) {
	rows := [][]string{{"read", j.file + ": " + j.corpusText()}}
	if j.x != nil {
		rows = append(rows, []string{"weights", j.opt.weighting + ", normalize " + j.opt.normalize})
	}
	if row := j.given.row(j.corpus.Len()); row != nil {
		rows = append(rows, row)
	}
	if made.graph != nil {
		rows = append(rows, []string{"graph", summarizeGraph(made.graph).String()})
	}
	rows = append(rows, made.found...)
	if row := made.spectrum.row(); row != nil {
		rows = append(rows, row)
	}
	if p := made.partition; p != nil { // of a method whose coordinates are clusters already
		rows = append(rows, []string{p.by, p.how})
	}
	a.table(rows)
	a.printf("\n")
	if s := made.spectrum; s != nil {
		rows = [][]string{{"dimension", s.kind}}
		if s.residuals != nil {
			rows[0] = append(rows[0], "residual")
		}
		if s.classes != nil {
			rows[0] = append(rows[0], "map of class")
		}
		for i, v := range s.values {
			row := []string{fmt.Sprintf("%9d", i+1), s.format(v)}
			if s.residuals != nil {
				row = append(row, fmt.Sprintf("%.1e", s.residuals[i]))
			}
			if s.classes != nil {
				row = append(row, report.Clip(s.classes[i], 40))
			}
			rows = append(rows, row)
		}
		a.table(rows)
		a.printf("\n")
	}
	a.printDirections(made)
	a.printTail(j, summarizeEigen(made.spectrum), saved)
}

// printTail ends a table: what was decided, how long it took, what was written.
func (a *app) printTail(j *job, e *eigenSummary, saved []string) {
	for _, n := range j.notes(e) {
		a.printf("note     %s\n", n)
	}
	a.printf("time     %s\n", j.times)
	for _, f := range saved {
		a.printf("wrote    %s\n", f)
	}
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/spf13/cobra"
)

func (a *app) predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict MODEL FILE",
		Short: "New documents into an existing model",
		Long: `Predict puts the documents of FILE into the embedding and the clusters of MODEL, a ` + modelName + ` that cluster
or embed wrote. FILE is read, cut into terms and weighted as the model's corpus was. Where it has labels the clusters are compared with
them. With --out it writes clusters.csv and embedding.npy.`,
		Example: `  eigenmap predict results/model.npz new.jsonl.gz --out new
  eigenmap predict results/model.npz new.npz --truth labels.csv --json`,
		RunE: a.work(a.predict, "MODEL", "FILE"),
	}
	a.opt.define(cmd.Flags(), []string{"out"}, inputFlags, []string{"seed"})
	return cmd
}

// predictJSON is the object of `predict --json`.
type predictJSON struct {
	Model     string          `json:"model"`
	Method    string          `json:"method"`
	File      string          `json:"file"`
	Documents int             `json:"documents"`
	Terms     int             `json:"terms"`
	Matched   string          `json:"terms_matched_by"` // "order", "name" or "stem"
	Unknown   int             `json:"unknown_terms"`    // that the model does not have
	Missing   int             `json:"missing_terms"`    // of the model, that FILE does not have
	Isolated  int             `json:"isolated"`
	Known     int             `json:"known"` // documents that are documents of the model
	Clusters  int             `json:"clusters"`
	Sizes     []int           `json:"cluster_sizes"`
	Named     []string        `json:"cluster_classes,omitempty"` // class of the model's labels given that each cluster is
	Classes   int             `json:"classes"`
	Scored    int             `json:"scored"`
	Metrics   *metrics.Scores `json:"metrics,omitempty"`
	Uncertain *uncertainJSON  `json:"uncertain,omitempty"` // of a soft model
	Notes     []string        `json:"notes"`
	Files     []string        `json:"files"`
	Timings   timings         `json:"timings"`
	Versions  versionInfo     `json:"versions"`
}

// predicting is a prediction on its way to the outputs: a clustering of the new documents, by a model.
type predicting struct {
	*clustering
	model   *model.Model
	summary modelJSON
	file    string // of the model
	found   *model.Prediction
}

func (a *app) predict(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	j := &job{opt: &a.opt, set: cmd.Flags(), ui: a.ui, file: args[1]}
	if a.opt.out != "" && same(filepath.Dir(args[0]), a.opt.out) {
		return requestf("%s: that folder holds the model and the results that go with it: choose another --out", a.opt.out)
	}
	out, err := a.openOutput(false)
	if err != nil {
		return err
	}
	defer out.discard()
	p, err := j.predict(ctx, args[0])
	if err == nil {
		err = p.write(ctx, out)
	}
	if err != nil {
		return err
	}
	j.times.add("total", time.Since(start))
	a.ui.stop()
	if a.opt.json {
		return a.printJSON(p.json())
	}
	a.printPrediction(p)
	return nil
}

// predict reads the model and the documents and brings the two together.
func (j *job) predict(ctx context.Context, file string) (*predicting, error) {
	end := j.stage("model")
	m, summary, ok, err := readModel(ctx, file)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notModel(file)
	}
	if m.Part == nil {
		return nil, requestf("%s: the model takes no new documents: %s", file, m.Why)
	}
	end()
	end = j.stage("read")
	opt := j.opt.readOptions(j.ui.observe)
	opt.Text = m.Rows.TextOptions()
	if len(opt.Strip) == 0 {
		opt.Strip = m.Rows.Strip
	}
	if err := j.readCorpus(ctx, opt); err != nil {
		return nil, err
	}
	end()
	if err := j.selectClasses(); err != nil {
		return nil, err
	}
	end = j.stage("predict")
	found, err := m.Predict(ctx, j.corpus, j.ui.observe)
	if err != nil {
		return nil, inFile(j.file, err)
	}
	end()
	j.notePrediction(m, found)
	p := &predicting{&clustering{job: j, outcome: &outcome{embedding: found.Embedding}}, m, summary, file, found}
	if m.Clusters == nil {
		return p, nil
	}
	p.partition = &partition{labels: found.Labels, sizes: found.Sizes, posterior: found.Posterior}
	if len(summary.Classes) == len(found.Sizes) {
		p.partition.classes = summary.Classes
	}
	return p, p.score(ctx)
}

// notModel says what is wrong with a file that is no model: most often there is none, or it is the corpus.
func notModel(file string) error {
	if info, err := os.Stat(file); err != nil {
		return err
	} else if info.IsDir() {
		if inside := filepath.Join(file, modelName); model.Is(inside) {
			return requestf("%s: it is a folder: give %s", file, inside)
		}
		return requestf("%s: it is a folder without a model: give the %s that eigenmap cluster or embed wrote with --out", file, modelName)
	}
	return requestf("%s: it is not a model: give the %s that eigenmap cluster or embed wrote with --out", file, modelName)
}

func (j *job) notePrediction(m *model.Model, p *model.Prediction) {
	if m.Method == nameLapGMM {
		j.ui.note("The graph that " + nameLapGMM + " followed is not in its model: documents go by the mixture alone, the model's own too, which may change their clusters.")
	}
	j.ui.note(p.Terms.String())
	n := j.corpus.Len()
	if k := len(p.Isolated); k > 0 {
		j.ui.note(fmt.Sprintf("Without anything in common with the model's documents, so that their places and clusters say nothing: %d of %s.", k, plural(n, "document", "documents")))
	}
	if p.Known > 0 {
		j.ui.note(fmt.Sprintf("Documents that are the model's own, and so where they were: %d of %d.", p.Known, n))
	}
}

func (p *predicting) write(ctx context.Context, out *output) error {
	if out == nil {
		return nil
	}
	defer p.stage("write")()
	if p.partition != nil {
		if err := p.addClusters(ctx, out); err != nil {
			return err
		}
	}
	if p.embedding != nil {
		if err := out.add(ctx, "embedding.npy", npy(p.embedding)); err != nil {
			return err
		}
	}
	var err error
	p.saved, err = out.commit()
	return err
}

func (p *predicting) json() predictJSON {
	_, cols := p.corpus.X.Dims()
	v := predictJSON{
		Model: p.file, Method: p.model.Method, File: p.job.file, Documents: p.corpus.Len(), Terms: cols, Matched: p.found.Terms.By,
		Unknown: p.found.Terms.New, Missing: p.found.Terms.Missing, Isolated: len(p.found.Isolated), Known: p.found.Known,
		Clusters: len(p.found.Sizes), Sizes: p.found.Sizes, Notes: nonNil(p.ui.told()), Files: nonNil(p.saved), Timings: p.times, Versions: versions(),
	}
	if v.Sizes == nil {
		v.Sizes = []int{}
	}
	if p.partition != nil {
		v.Uncertain, v.Named = p.uncertain(), p.partition.classes
	}
	if p.table != nil {
		s := p.scores(p.table)
		v.Metrics, v.Classes, v.Scored = &s, len(p.table.Classes), p.scored
	}
	return v
}

func (a *app) printPrediction(p *predicting) {
	a.table([][]string{
		{"model", fmt.Sprintf("%s: %s, of %s", p.file, p.model.Method, counted(p.model.Documents, "document"))},
		{"read", p.job.file + ": " + p.corpusText()},
		{"placed", fmt.Sprintf("%s, %d without anything in common with the model's, %d the model's own", counted(p.corpus.Len(), "document"), len(p.found.Isolated), p.found.Known)},
	})
	a.printf("\n")
	if p.partition != nil {
		head := []string{"cluster", "documents"}
		of, what := p.summary.Majority, "the model's majority"
		if p.partition.classes != nil {
			of, what = p.partition.classes, "class"
		}
		if len(of) != len(p.clusters) {
			of = nil
		}
		if of != nil {
			head = append(head, what)
		}
		if p.table != nil {
			head = append(head, p.majorityHead())
		}
		rows := [][]string{head}
		for i, k := range p.clusters {
			row := []string{fmt.Sprintf("%7d", k.Number), fmt.Sprintf("%9d", k.Size)}
			if of != nil {
				row = append(row, report.Clip(of[i], 24))
			}
			if p.table != nil {
				major := ""
				if k.Labelled > 0 {
					major = fmt.Sprintf("%s (%s)", report.Clip(k.Major, 24), percent(k.MajorCount, k.Labelled))
				}
				row = append(row, major)
			}
			rows = append(rows, row)
		}
		a.table(rows)
		a.printf("\n")
	}
	if p.table != nil {
		if p.scored < p.corpus.Len() {
			a.printf("scored on %s documents\n", p.scoredOf())
		}
		a.table(scoreRows(p.scores(p.table)))
		a.printf("\n")
	}
	a.printTail(p.job, nil, p.saved)
}

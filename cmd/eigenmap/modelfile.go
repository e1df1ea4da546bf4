package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/model"
)

// modelName is the model's file in --out.
const modelName = "model.npz"

// modelJSON is what the model's file tells of the run that made it, small, beside what new documents need.
type modelJSON struct {
	Method      string         `json:"method"`
	Documents   int            `json:"documents"`
	Terms       int            `json:"terms"`
	Dims        int            `json:"dims,omitempty"`
	Eigenvalues numbers        `json:"eigenvalues,omitempty"`
	Singular    numbers        `json:"singular_values,omitempty"`
	Variances   numbers        `json:"variances,omitempty"`
	Residuals   numbers        `json:"residuals,omitempty"`
	MapClasses  []string       `json:"map_classes,omitempty"`
	Sizes       []int          `json:"cluster_sizes,omitempty"`
	Classes     []string       `json:"cluster_classes,omitempty"`  // of the labels given, that each cluster is
	Majority    []string       `json:"majority_classes,omitempty"` // of each cluster, where the corpus had labels or labels were given
	Objective   float64        `json:"objective,omitempty"`
	Graph       *graphSummary  `json:"graph,omitempty"`
	Config      map[string]any `json:"config"`
	Versions    versionInfo    `json:"versions"`
}

func newModel(j *job, m method, out *outcome, config map[string]any) modelJSON {
	v := modelJSON{Method: m.name, Documents: j.corpus.Len(), Terms: j.terms(),
		Eigenvalues: out.valuesOf("eigenvalue"), Singular: out.valuesOf("singular value"), Variances: out.valuesOf("variance"), MapClasses: out.mapClasses(), Config: config, Versions: versions()}
	if out.embedding != nil {
		_, v.Dims = out.embedding.Dims()
	}
	if out.spectrum != nil {
		v.Residuals = out.spectrum.residuals
	}
	if out.graph != nil {
		g := summarizeGraph(out.graph)
		v.Graph = &g
	}
	if p := out.partition; p != nil {
		v.Sizes, v.Objective, v.Classes = p.sizes, p.objective, p.classes
	}
	return v
}

// addModel adds the model's file to the output.
func (j *job) addModel(ctx context.Context, out *output, made *outcome, summary modelJSON) error {
	m, err := j.keep(made, summary)
	if err != nil {
		return err
	}
	return out.add(ctx, modelName, m.Encode)
}

// keep is what the run keeps for new documents.
func (j *job) keep(made *outcome, summary modelJSON) (*model.Model, error) {
	m := &model.Model{Method: summary.Method, Documents: summary.Documents, Seed: j.opt.seed}
	var err error
	if m.Summary, err = json.Marshal(summary); err != nil {
		return nil, err
	}
	if j.x != nil {
		var text *corpus.TextOptions
		if j.isText() {
			opt := j.opt.readOptions(nil).Text
			text = &opt
		}
		if m.Rows, err = model.NewRows(j.corpus, j.opt.weighting, j.opt.normalize, text); err != nil {
			return nil, err
		}
		if formatTakes(j.corpus.Format, "strip") {
			m.Rows.Strip = j.opt.strip
		}
	}
	if p := made.partition; p != nil {
		m.Clusters = &model.Clusters{Sizes: p.sizes, Centers: p.centers}
	}
	m.Part, m.Why = model.Keep(m.Method, model.Fitted{Model: made.model, X: j.x, Graph: j.opt.graphOptions(nil), Reduced: made.reduced, NormalizeRows: j.opt.normalizeRows,
		Kernel: made.first, Neighbours: made.graph, Lengths: made.lengths, Regularization: j.opt.regularization})
	return m, nil
}

// majority names the majority class of every cluster; nil without labels.
func (c *clustering) majority() []string {
	names := make([]string, len(c.clusters))
	for i, k := range c.clusters {
		names[i] = k.Major
	}
	if !slices.ContainsFunc(names, func(n string) bool { return n != "" }) {
		return nil
	}
	return names
}

// readModel reads FILE where it is a model of this program, with what is told of its run.
func readModel(ctx context.Context, file string) (m *model.Model, summary modelJSON, ok bool, err error) {
	if !model.Is(file) {
		return nil, summary, false, nil
	}
	if m, err = model.Read(ctx, file); err != nil {
		return nil, summary, false, err
	}
	if m.Summary != nil {
		if err := json.Unmarshal(m.Summary, &summary); err != nil {
			return nil, summary, false, requestf("%s: what the model tells about itself is damaged (%v): make the model again", file, err)
		}
	}
	return m, summary, true, nil
}

func (a *app) printModel(file string, m *model.Model, s modelJSON) error {
	a.ui.stop()
	if a.opt.json {
		return a.printJSON(struct {
			Kind     string `json:"kind"`
			File     string `json:"file"`
			Predicts bool   `json:"predicts"` // it takes new documents
			modelJSON
		}{"model", file, m.Part != nil, s})
	}
	rows := [][]string{
		{"file", file},
		{"model", fmt.Sprintf("%s, of %s and %s", m.Method, counted(m.Documents, "document"), counted(m.Rows.Columns, "term"))},
		{"made by", fmt.Sprintf("eigenmap %s, %s, %s", s.Versions.Version, s.Versions.Go, s.Versions.Library)},
	}
	if m.Rows.Columns > 0 {
		rows = append(rows, []string{"weights", m.Rows.Weighting + ", normalize " + m.Rows.Normalize})
	}
	if m.Rows.Terms != nil {
		rows = append(rows, []string{"vocabulary", report.Clip(strings.Join(m.Rows.Terms[:min(10, len(m.Rows.Terms))], " "), 60) + " ..."})
	}
	if s.Dims > 0 {
		rows = append(rows, []string{"embedding", plural(s.Dims, "dimension", "dimensions")})
	}
	if m.Clusters != nil {
		sizes := m.Clusters.Sizes
		rows = append(rows, []string{"clusters", fmt.Sprintf("%d, of %s to %s", len(sizes), report.Thousands(slices.Min(sizes)), counted(slices.Max(sizes), "document"))})
	}
	if s.Graph != nil {
		rows = append(rows, []string{"graph", s.Graph.String()})
	}
	if len(s.Eigenvalues) > 0 {
		text := ""
		for _, v := range s.Eigenvalues[:min(8, len(s.Eigenvalues))] {
			if m.Method == "isomap" || m.Method == "lle" {
				text += fmt.Sprintf("%.6g ", v)
			} else {
				text += fmt.Sprintf("%.6f ", v)
			}
		}
		if len(s.Eigenvalues) > 8 {
			text += "..."
		}
		rows = append(rows, []string{"eigenvalues", strings.TrimSpace(text)})
	}
	takes := "yes: eigenmap predict " + file + " FILE"
	if m.Part == nil {
		takes = "none: " + m.Why
	}
	a.table(append(rows, []string{"new documents", takes}))
	return nil
}

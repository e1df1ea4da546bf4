package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/goccy/go-yaml"
	"gonum.org/v1/gonum/mat"
)

// modelFormat marks model.json, and its number changes when its meaning does.
const (
	modelFormat  = "eigenmap-model"
	modelVersion = 1
)

// modelJSON is model.json: what a run learnt, small, without the documents.
type modelJSON struct {
	Format      string         `json:"format"`
	Version     int            `json:"format_version"`
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
	Objective   float64        `json:"objective,omitempty"`
	Centers     [][]float64    `json:"centers,omitempty"` // of the clusters, in the embedding
	Graph       *graphSummary  `json:"graph,omitempty"`
	Config      map[string]any `json:"config"`
	Versions    versionInfo    `json:"versions"`
}

// terms is the number of columns, 0 where the graph was precomputed.
func (j *job) terms() int {
	if j.x == nil {
		return 0
	}
	_, cols := j.x.Dims()
	return cols
}

func newModel(j *job, m method, out *outcome, config map[string]any) modelJSON {
	v := modelJSON{Format: modelFormat, Version: modelVersion, Method: m.name, Documents: j.corpus.Len(), Terms: j.terms(),
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
		v.Sizes, v.Objective = p.sizes, p.objective
		if out.embedding != nil && p.centers != nil { // without an embedding they are as wide as the vocabulary
			v.Centers = rowsOf(p.centers)
		}
	}
	return v
}

func rowsOf(m *mat.Dense) [][]float64 {
	r, _ := m.Dims()
	rows := make([][]float64, r)
	for i := range rows {
		rows[i] = m.RawRowView(i)
	}
	return rows
}

// write makes the files of --out and gives them their names together.
func (c *clustering) write(ctx context.Context, out *output) error {
	list := c.settings(c.method.understands)
	c.config = asMap(list)
	if out == nil {
		return nil
	}
	defer c.stage("write")()
	if err := c.addResults(ctx, out, list); err != nil {
		return err
	}
	page, err := c.report(ctx, list)
	if err != nil {
		return err
	}
	if page.All != nil {
		if err := out.add(ctx, "scatter.png", func(w io.Writer) error {
			_, err := w.Write(page.All)
			return err
		}); err != nil {
			return err
		}
	}
	if err := out.add(ctx, "report.html", func(w io.Writer) error { return report.Write(w, page) }); err != nil {
		return err
	}
	c.saved, err = out.commit()
	return err
}

// addResults adds the files that hold results, as far as these are finished.
func (c *clustering) addResults(ctx context.Context, out *output, list yaml.MapSlice) error {
	if c.partition != nil {
		if err := out.add(ctx, "clusters.csv", c.writeClusters); err != nil {
			return err
		}
	}
	if c.embedding != nil {
		if err := out.add(ctx, "embedding.npy", npy(c.embedding)); err != nil {
			return err
		}
	}
	if err := out.add(ctx, "model.json", indented(newModel(c.job, c.method, c.outcome, asMap(list)))); err != nil {
		return err
	}
	return out.add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "cluster", list) })
}

// salvage saves what was finished before err ended the run, by add, unless the folder holds an earlier run's
// results, which a partial set must not be mixed with.
func (a *app) salvage(ctx context.Context, out *output, finished bool, add func(context.Context) error, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if !interrupted {
		err = wayOut(err)
	}
	var writing *writeError
	if out == nil || !finished || errors.As(err, &writing) {
		return err
	}
	if out.earlier {
		if interrupted {
			return &interruptedError{dir: out.dir, kept: true}
		}
		return err
	}
	a.saving.Store(true)
	out.drop()
	if failed := add(context.WithoutCancel(ctx)); failed != nil {
		return failed
	}
	saved, failed := out.commit()
	if failed != nil {
		return failed
	}
	for i, path := range saved {
		saved[i] = filepath.Base(path)
	}
	if interrupted {
		return &interruptedError{dir: out.dir, saved: saved}
	}
	return &flagError{sentence(err) + "; what was finished is saved in " + out.dir + ": " + strings.Join(saved, ", "), err}
}

// writeClusters writes id,cluster; where the corpus has labels, label; and where the method was given labels, given, empty for documents
// without one. The file depends on the result alone: the same seed gives the same bytes on any number of threads.
func (c *clustering) writeClusters(w io.Writer) error {
	t := csv.NewWriter(w)
	record := []string{"id", "cluster"}
	if c.corpus.Labels != nil {
		record = append(record, "label")
	}
	if c.given.labels != nil {
		record = append(record, "given")
	}
	if err := t.Write(record); err != nil {
		return err
	}
	for i, k := range c.partition.labels {
		record = append(record[:0], c.corpus.ID(i), strconv.Itoa(k))
		if c.corpus.Labels != nil {
			label := ""
			if l := c.corpus.Labels[i]; l >= 0 {
				label = c.corpus.ClassNames[l]
			}
			record = append(record, label)
		}
		if c.given.labels != nil {
			record = append(record, c.given.name(i))
		}
		if err := t.Write(record); err != nil {
			return err
		}
	}
	t.Flush()
	return t.Error()
}

func npy(m mat.Matrix) func(io.Writer) error {
	return func(w io.Writer) error { return corpus.WriteMatrix(w, "npy", m) }
}

func indented(v any) func(io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(v)
	}
}

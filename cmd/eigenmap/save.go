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
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/goccy/go-yaml"
	"gonum.org/v1/gonum/mat"
)

// terms is the number of columns, 0 where the graph was precomputed.
func (j *job) terms() int {
	if j.x == nil {
		return 0
	}
	_, cols := j.x.Dims()
	return cols
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
		if err := c.addClusters(ctx, out); err != nil {
			return err
		}
	}
	if c.embedding != nil {
		if err := out.add(ctx, "embedding.npy", npy(c.embedding)); err != nil {
			return err
		}
	}
	if err := c.addDirections(ctx, out); err != nil {
		return err
	}
	if c.soft != nil {
		if err := out.add(ctx, "soft_labels.npy", npy(c.soft)); err != nil {
			return err
		}
	}
	summary := newModel(c.job, c.method, c.outcome, asMap(list))
	summary.Majority = c.majority()
	if err := c.addModel(ctx, out, c.outcome, summary); err != nil {
		return err
	}
	return out.add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "cluster", list) })
}

// addClusters adds clusters.csv, and of a soft clustering the probabilities and the uncertain documents.
func (c *clustering) addClusters(ctx context.Context, out *output) error {
	if err := out.add(ctx, "clusters.csv", c.writeClusters); err != nil || c.partition.posterior == nil {
		return err
	}
	if err := out.add(ctx, "posterior.npy", npy(c.partition.posterior)); err != nil {
		return err
	}
	return out.add(ctx, "uncertain.csv", c.writeDoubts)
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
	if interrupted {
		out.until = time.Now().Add(graceForWork)
	}
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

// writeClusters writes id,cluster; where clusters are classes of the labels given, class; where the corpus has labels, label; and where the method was given labels, given, empty for documents
// without one; a soft clustering adds the probability of the cluster. The file depends on the result alone: the same seed gives the same bytes on any number of threads.
func (c *clustering) writeClusters(w io.Writer) error {
	t := csv.NewWriter(w)
	record, named := []string{"id", "cluster"}, c.partition.classes
	if named != nil {
		record = append(record, "class")
	}
	if c.corpus.Labels != nil {
		record = append(record, "label")
	}
	if c.given.labels != nil {
		record = append(record, "given")
	}
	soft := c.partition.posterior
	if soft != nil {
		record = append(record, "probability")
	}
	if err := t.Write(record); err != nil {
		return err
	}
	for i, k := range c.partition.labels {
		record = append(record[:0], c.corpus.ID(i), strconv.Itoa(k))
		if named != nil {
			record = append(record, named[k])
		}
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
		if soft != nil {
			record = append(record, probability(soft.At(i, k)))
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

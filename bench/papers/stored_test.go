package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A table that was written and read gives the same text, CSV, JSON and pictures as the one of the
// run, with rows left out, an average and members that are not its own.
func TestStoredTable(t *testing.T) {
	e := synthetic(t)
	e.Rows = append(e.Rows, Row{Key: "6", Value: 6, Whole: true, Tests: 2, Apart: true})
	run := must.Get(e.Run(context.Background(), Options{Seed: 3}))(t)
	whole, part := e.view(), e.view()
	part.Name, part.Rows, part.Metrics = "synthetic/figure1", []string{"3"}, []string{"nmi"}
	defer func(old func() []*View) { views = old }(views)
	all := append(slices.Clone(views()), whole, part)
	views = func() []*View { return all }
	for _, v := range []*View{whole, part} {
		table := v.Table(run)
		raw := must.Get(WithMembers(table, map[string]string{"backend": "x", "versions": "y"}))(t)
		s := must.Get(ReadStored(bytes.NewReader(raw)))(t)
		again, err := json.Marshal(s)
		if err != nil || !bytes.Equal(again, raw) {
			t.Errorf("%s: %v\n%s\nnot\n%s", v.Name, err, again, raw)
		}
		var a, b bytes.Buffer
		for _, w := range []struct {
			to *bytes.Buffer
			t  *Table
		}{{&a, table}, {&b, s.Table}} {
			must.Do(t, w.t.WriteText(w.to))
			must.Do(t, w.t.WriteCSV(w.to))
			must.Do(t, w.t.WritePlot(w.to, "svg"))
		}
		if a.String() != b.String() {
			t.Errorf("%s: read\n%s\nwritten\n%s", v.Name, b.String(), a.String())
		}
	}
	raw := must.Get(json.Marshal(whole.Table(run)))(t)
	for from, to := range map[string]string{
		"synthetic/table1":      "synthetic/table7",
		`"version":1`:           `"version":2`,
		`"row":"3"`:             `"row":"4"`,
		`"method":"le"`:         `"method":"umap"`,
		`"row":"2","method":"l`: `"row":"2","method":"x`,
		`"figures":[`:           `"figures":{`,
	} {
		if _, err := ReadStored(strings.NewReader(strings.Replace(string(raw), from, to, 1))); err == nil {
			t.Errorf("%s in place of %s was read", to, from)
		}
	}
}

// Every table that is offered was computed, by a run that docs/tables holds. A figure may be stored
// as another view of the same columns.
func TestOfferedTablesAreComputed(t *testing.T) {
	const folder = "../../docs/tables"
	stored := map[string][]string{} // by experiment, the methods
	for _, v := range Views() {
		if _, err := os.Stat(filepath.Join(folder, v.FileName()+".txt")); err != nil {
			continue
		}
		shown := v.Methods
		if len(shown) == 0 {
			shown = v.Experiment.Methods()
		}
		stored[v.Experiment.Name] = append(stored[v.Experiment.Name], shown...)
	}
	for _, v := range Views() {
		shown := v.Methods
		if len(shown) == 0 {
			shown = v.Experiment.Methods()
		}
		have := !slices.ContainsFunc(shown, func(m string) bool { return !slices.Contains(stored[v.Experiment.Name], m) })
		if !have {
			t.Errorf("%s is offered, and docs/tables has no run of it", v.Name)
		}
	}
}

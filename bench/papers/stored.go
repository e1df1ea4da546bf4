package papers

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Stored is a table that was read from the JSON of an earlier run, beside the paper by today's
// rules. It can be written again in every format without a run.
type Stored struct {
	*Table
	// rest are the members that are not of Table, such as versions, as they were.
	rest map[string]json.RawMessage
}

// ReadStored reads what [Table.MarshalJSON] wrote, with or without more members. The view, its
// experiment with the same version, the rows, the columns and the metrics must still exist; the
// protocol stays the one of the run. A metric that the run did not have is left out. Errors satisfy
// errors.Is(err, fs.ErrInvalid), except r's own.
func ReadStored(r io.Reader) (*Stored, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var in tableJSON
	s := new(Stored)
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, invalid.Errorf("it is no table: %v", err)
	}
	if err := json.Unmarshal(text, &s.rest); err != nil {
		return nil, invalid.Errorf("it is no table: %v", err)
	}
	at := slices.IndexFunc(views(), func(v *View) bool { return v.Name == in.Table })
	if at < 0 {
		return nil, invalid.Errorf("there is no table %q", in.Table)
	}
	if s.Table, err = storedTable(views()[at], in); err != nil {
		return nil, err
	}
	own, err := json.Marshal(s.Table)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(own, &members); err != nil {
		return nil, err
	}
	for name := range members {
		delete(s.rest, name)
	}
	for _, name := range []string{"corpora", "noise", "paper_errors"} { // left out if they are empty
		delete(s.rest, name)
	}
	return s, nil
}

// storedPlace is the place of a figure in a stored table.
type storedPlace struct {
	metric, row, method string
	share               float64
}

// storedTable makes the table of a view from the figures of a run.
func storedTable(v *View, in tableJSON) (*Table, error) {
	if in.Experiment != v.Experiment.Name || in.Version != v.Experiment.Version {
		return nil, invalid.Errorf("%s is of %s version %d, and today's is %s version %d: compute it again", in.Table, in.Experiment, in.Version, v.Experiment.Name, v.Experiment.Version)
	}
	figures, had := map[storedPlace]figureJSON{}, map[string]bool{}
	rows, columns := map[string]bool{}, map[string]bool{}
	for _, f := range in.Figures {
		figures[storedPlace{f.Metric, f.Row, f.Method, f.Labeled}] = f
		had[f.Metric], rows[f.Row], columns[Column{Method: f.Method, Share: f.Labeled}.Key()] = true, true, true
	}
	e := *v.Experiment
	e.Protocol = in.Protocol
	run := &Run{Experiment: &e, Seed: in.Seed, Tests: in.Tests, Cases: in.Cases, CorpusSHA256: in.CorpusSHA256, Corpora: in.Corpora,
		Threads: in.Threads, Computed: in.Computed, Cells: in.Cells, Wall: in.Wall, Seconds: in.Seconds}
	for _, r := range e.Rows {
		// The rows that the view does not show were computed if there is an average.
		if rows[r.Key] || rows[averageKey] && len(v.Rows) > 0 && !slices.Contains(v.Rows, r.Key) {
			run.Rows = append(run.Rows, r)
		}
	}
	for _, c := range e.Columns {
		if columns[c.Key()] {
			run.Columns = append(run.Columns, c)
		}
	}
	e.Metrics = slices.DeleteFunc(slices.Clone(e.Metrics), func(m Metric) bool { return !had[m.Key] })
	t := v.blank(run)
	var missing error
	found := 0
	t.fill(func(m Metric, row TableRow, column int) Estimate {
		c := run.Columns[column]
		if !m.of(c.Key()) {
			return Estimate{}
		}
		f, ok := figures[storedPlace{m.Key, row.Key, c.Method, c.Share}]
		if !ok {
			missing = invalid.Errorf("%s: the figure %s of %s in row %s is not there: compute it again", in.Table, m.Key, c.Key(), row.Key)
			return Estimate{}
		}
		found++
		out := Estimate{Mean: f.Ours, N: run.storedTests(row)}
		if f.Error != nil {
			out.Error = *f.Error
		}
		return out
	})
	if missing == nil && found != len(in.Figures) {
		missing = invalid.Errorf("%s: %d of its %d figures have no place in today's table: compute it again", in.Table, len(in.Figures)-found, len(in.Figures))
	}
	return t, missing
}

// storedTests is the number of tests of a row's figures; of the average, the smallest of its rows.
func (r *Run) storedTests(row TableRow) int {
	n := r.Tests
	for _, other := range averagedRows(r.Rows) {
		if row.Average {
			n = min(n, r.tests(other))
		}
	}
	for _, other := range r.Rows {
		if other.Key == row.Key {
			n = r.tests(other)
		}
	}
	return n
}

// MarshalJSON writes the table and the members that are not of it.
func (s *Stored) MarshalJSON() ([]byte, error) {
	return WithMembers(s.Table, s.rest)
}

// WriteJSON writes a table's JSON, indented, as files hold it.
func WriteJSON(w io.Writer, table json.Marshaler) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(table)
}

// WithMembers is the JSON of a table with more members after its own, sorted by name.
func WithMembers[V any](t *Table, more map[string]V) ([]byte, error) {
	table, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	if len(more) == 0 {
		return table, nil
	}
	rest, err := json.Marshal(more)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.View.Name, err)
	}
	return append(append(table[:len(table)-1], ','), rest[1:]...), nil
}

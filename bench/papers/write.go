package papers

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/words"
)

// The width of a printed table and the most rows side by side in it.
const (
	textWidth  = 119
	textBlocks = 6
	textCurve  = 8 // of figures without the paper's
)

// WriteText writes the table for a person: one block per metric, one line per column of the
// experiment, and for each row our mean ± standard error and the paper's figure, with a star if
// they differ.
func (t *Table) WriteText(w io.Writer) error {
	var b strings.Builder
	r := t.Run
	fmt.Fprintf(&b, "%s, %s\n%s\n", t.View.Name, t.View.Title, t.View.Paper)
	wrap(&b, r.Experiment.Protocol)
	how := r.repeated()
	if t.shares() != nil {
		how += ", " + words.Plural(r.Cases, "draw", "draws") + " of labels each"
	}
	entry := "then the paper's"
	switch {
	case t.View.Printed == nil:
		entry = "without the paper's"
	case t.View.PrintedErrors != nil:
		entry = "then the paper's ± its"
	}
	wrap(&b, strings.TrimSpace(fmt.Sprintf("%s, seed %d. Each entry: ours ± its standard error, %s (%s). %s", how, r.Seed, entry, t.View.Source, t.noise())))
	for _, f := range r.Corpora {
		if f.SHA256 == "" {
			wrap(&b, "Left out, since there was no "+f.File+": "+f.Name+".")
		}
	}
	for _, m := range t.shownMetrics() {
		metric := t.Metrics[m]
		parts, most := []span{{to: len(t.Rows)}}, textBlocks
		if t.View.Kind == KindCurves {
			parts, most = t.byCorpus(), textCurve
		}
		for _, p := range parts {
			name := metric.Name
			if p.corpus != "" {
				name = p.corpus + ": " + name
			}
			for from := p.from; from < p.to; from += most {
				b.WriteByte('\n')
				t.block(&b, name, m, from, min(from+most, p.to))
			}
		}
	}
	b.WriteByte('\n')
	wrap(&b, t.closing())
	_, err := io.WriteString(w, b.String())
	return err
}

// block writes the rows from to to-1 of one metric.
func (t *Table) block(b *strings.Builder, name string, m, from, to int) {
	fmt.Fprintf(b, "%s, percent\n", name)
	lines := [][]string{{""}}
	for _, r := range t.Rows[from:to] {
		lines[0] = append(lines[0], t.rowTitle(r))
	}
	for j, c := range t.Run.Columns {
		if !t.Metrics[m].of(c.Key()) {
			continue
		}
		cells := []string{c.Title()}
		for i := from; i < to; i++ {
			cells = append(cells, t.Figures[m][i][j].String())
		}
		lines = append(lines, cells)
	}
	widths := make([]int, 1+to-from)
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, line := range lines {
		var out strings.Builder
		for i, text := range line {
			out.WriteString(text)
			out.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)+2))
		}
		fmt.Fprintln(b, strings.TrimRight(out.String(), " "))
	}
}

func (t *Table) rowTitle(r TableRow) string {
	if r.Average {
		return "average"
	}
	if r.Corpus != "" && r.Label == "" {
		return r.Corpus
	}
	return t.Run.Experiment.Param + " = " + r.label()
}

// label returns the row's name among the rows of the table, or of its corpus if there are several
// corpora.
func (r TableRow) label() string {
	if r.Label != "" {
		return r.Label
	}
	return r.Key
}

// repeated is the number of tests in words: "20 draws of classes".
func (r *Run) repeated() string {
	switch {
	case r.Experiment.Runs != "":
		return words.Plural(r.Tests, "run", "runs")
	case r.Experiment.Pairs:
		return words.Plural(r.Tests, "pair", "pairs") + " of classes"
	}
	return words.Plural(r.Tests, "draw", "draws") + " of " + cmp.Or(r.Experiment.Draws, "classes")
}

// noise says where the standard errors do not come from draws of classes; "" if all do.
func (t *Table) noise() string {
	e := t.Run.Experiment
	if e.Runs != "" {
		return "All runs of a row are on the same data: ± is the noise of " + e.Runs + "."
	}
	var whole []string
	for _, r := range t.Run.Rows {
		if r.Whole && t.Run.tests(r) > 1 {
			whole = append(whole, e.Param+" = "+r.Key)
		}
	}
	if whole == nil {
		return ""
	}
	return "With " + strings.Join(whole, ", ") + " every draw is of all " + cmp.Or(e.Draws, "classes") + ", one data set: ± is the noise of the starts there."
}

// String is ours ± standard error and the paper's figure, ± its own if that is known, in percent:
// "97.85±.60 97.64*".
func (f Figure) String() string {
	s := percent(f.Ours.Mean)
	if f.Ours.N > 1 {
		s += "±" + spread(f.Ours.Error)
	}
	if f.Printed {
		s += " " + percent(f.Paper)
		if f.PaperError > 0 && !f.Assumed {
			s += "±" + spread(f.PaperError)
		}
	}
	if f.Differs() {
		s += "*"
	}
	return s
}

// percent writes a share in at most five characters: "97.85", "100.0".
func percent(x float64) string {
	if s := strconv.FormatFloat(100*x, 'f', 2, 64); len(s) <= 5 {
		return s
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64)
}

// spread writes a standard error in at most four characters: ".60", "4.1".
func spread(x float64) string {
	if s := strconv.FormatFloat(100*x, 'f', 2, 64); strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64)
}

// closing counts the differences in a sentence.
func (t *Table) closing() string {
	differing, compared := t.Compared()
	if t.View.Printed == nil {
		return "Nothing to compare: there are no numbers of the paper's."
	}
	if compared == 0 {
		return "Nothing to compare: a standard error needs two tests at least."
	}
	verb := "differ"
	if differing == 1 {
		verb = "differs"
	}
	return fmt.Sprintf("* %d of %s %s from the paper's by more than two standard errors of the difference (%s).",
		differing, words.Plural(compared, "figure", "figures"), verb, t.paperErrors())
}

// paperErrors says where the errors of the paper's figures are from; "" if it has no figures.
func (t *Table) paperErrors() string {
	e := t.Run.Experiment
	switch {
	case t.View.Printed == nil:
		return ""
	case t.View.Spread != "":
		return t.View.Spread
	case e.Runs != "":
		return fmt.Sprintf("the paper gives no error of its own: counted is that of %d runs with our spread", e.Tests)
	}
	return fmt.Sprintf("the paper gives no error of its own: counted is that of %d draws with our spread", e.Tests)
}

// wrap writes text in lines of at most textWidth.
func wrap(b *strings.Builder, text string) {
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > textWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}

// WriteCSV writes one line per figure, ours with all digits. Two runs with the same seed give the
// same bytes.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	several := slices.ContainsFunc(t.Rows, func(r TableRow) bool { return r.Label != "" })
	write := func(r TableRow, record []string) {
		if several {
			record = slices.Insert(record, 1, r.Corpus)
			record[2] = r.Label
		}
		c.Write(record)
	}
	head := []string{"metric", t.Run.Experiment.Param, "method", "labeled", "tests", "cases", "ours", "standard_error", "paper", "difference_in_standard_errors"}
	if t.View.PrintedErrors != nil {
		head = append(head, "paper_standard_error")
	}
	write(TableRow{Corpus: "corpus", Label: t.Run.Experiment.Param}, head)
	for m, metric := range t.Metrics {
		for i, row := range t.Rows {
			for j, col := range t.Run.Columns {
				if !metric.of(col.Key()) {
					continue
				}
				f := t.Figures[m][i][j]
				record := []string{metric.Key, row.Key, col.Method, shortest(col.Share), strconv.Itoa(f.Ours.N), strconv.Itoa(col.cases(t.Run.Cases)),
					shortest(f.Ours.Mean), "", "", ""}
				if f.Ours.N > 1 {
					record[7] = shortest(f.Ours.Error)
				}
				if f.Printed {
					record[8] = shortest(f.Paper)
				}
				if d, ok := f.Difference(); ok {
					record[9] = strconv.FormatFloat(d, 'f', 3, 64)
				}
				if t.View.PrintedErrors != nil {
					record = append(record, "")
					if f.PaperError > 0 {
						record[10] = shortest(f.PaperError)
					}
				}
				write(row, record)
			}
		}
	}
	c.Flush()
	return c.Error()
}

// figureJSON is a figure as MarshalJSON writes it.
type figureJSON struct {
	Metric     string   `json:"metric"`
	Row        string   `json:"row"`
	Method     string   `json:"method"`
	Labeled    float64  `json:"labeled"`
	Ours       float64  `json:"ours"`
	Error      *float64 `json:"standard_error"`
	Paper      *float64 `json:"paper"`
	PaperError float64  `json:"paper_standard_error,omitempty"`         // that follows from the paper
	Assumed    float64  `json:"assumed_paper_standard_error,omitempty"` // see Figure
	Difference *float64 `json:"difference_in_standard_errors"`
}

// tableJSON is a table as MarshalJSON writes it.
type tableJSON struct {
	Table        string       `json:"table"`
	Title        string       `json:"title"`
	Paper        string       `json:"paper"`
	Source       string       `json:"source"`
	Experiment   string       `json:"experiment"`
	Version      int          `json:"version"`
	Protocol     string       `json:"protocol"`
	Corpus       string       `json:"corpus"`
	CorpusSHA256 string       `json:"corpus_sha256"`
	Corpora      []CorpusFile `json:"corpora,omitempty"`
	Seed         uint64       `json:"seed"`
	Tests        int          `json:"tests"`
	Cases        int          `json:"cases"`
	Param        string       `json:"parameter"`
	PaperErrors  string       `json:"paper_errors,omitempty"` // where they are from
	Noise        string       `json:"noise,omitempty"`        // where ± does not come from draws of classes
	Figures      []figureJSON `json:"figures"`
	Differing    int          `json:"differing"`
	Compared     int          `json:"compared"`
	Cells        int          `json:"cells"`
	Computed     int          `json:"cells_computed"`
	Threads      int          `json:"threads"`
	Seconds      float64      `json:"seconds_of_one_thread"`
	Wall         float64      `json:"seconds_of_this_run"`
}

// MarshalJSON writes the table with the settings and the times of its run. A missing number is
// null.
func (t *Table) MarshalJSON() ([]byte, error) {
	r, e := t.Run, t.Run.Experiment
	out := tableJSON{Table: t.View.Name, Title: t.View.Title, Paper: t.View.Paper, Source: t.View.Source, Experiment: e.Name, Version: e.Version,
		Protocol: e.Protocol, Corpus: e.Corpus.File, CorpusSHA256: r.CorpusSHA256, Corpora: r.Corpora, Seed: r.Seed, Tests: r.Tests, Cases: r.Cases, Param: e.Param,
		Cells: r.Cells, Computed: r.Computed, Threads: r.Threads, Seconds: milliseconds(r.Seconds), Wall: milliseconds(r.Wall)}
	out.Differing, out.Compared = t.Compared()
	out.PaperErrors, out.Noise = t.paperErrors(), t.noise()
	for m, metric := range t.Metrics {
		for i, row := range t.Rows {
			for j, col := range r.Columns {
				if !metric.of(col.Key()) {
					continue
				}
				f := t.Figures[m][i][j]
				j := figureJSON{Metric: metric.Key, Row: row.Key, Method: col.Method, Labeled: col.Share, Ours: f.Ours.Mean}
				if f.Ours.N > 1 {
					j.Error = &f.Ours.Error
				}
				if f.Printed {
					j.Paper = &f.Paper
					if f.Assumed {
						j.Assumed = f.PaperError
					} else {
						j.PaperError = f.PaperError
					}
				}
				if d, ok := f.Difference(); ok {
					j.Difference = &d
				}
				out.Figures = append(out.Figures, j)
			}
		}
	}
	return json.Marshal(out)
}

func milliseconds(s float64) float64 { return math.Round(1000*s) / 1000 }

package bench

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func sampleReport() *Report {
	return &Report{Seed: 7, Peers: "none", Sections: []Section{{Name: "dense", Groups: []Group{{
		Title: "syrk",
		Rows: []Row{
			{Name: "openblas", Side: Native, Runs: 5, Median: 0.025, Min: 0.02, Max: 0.03, Against: map[Side]*Ratio{Go: {Base: "go", Value: 40, Min: 30, Max: 50}}},
			{Name: "go", Side: Go, Runs: 3, Median: 1, Min: 0.9, Max: 1.2},
			{Name: "numpy", Side: Peer, Failed: "numpy: not there"},
		},
		Notes: []string{"a note"},
	}}}}}
}

func TestReportJSONComesBack(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, sampleReport().WriteJSON(&b))
	var back Report
	must.Do(t, json.Unmarshal(b.Bytes(), &back))
	row := back.Sections[0].Groups[0].Rows[0]
	if row.Median != 0.025 || row.Against[Go].Value != 40 || row.Against[Peer] != nil {
		t.Errorf("row came back as %+v", row)
	}
}

func TestReportTextLinesUpAndNamesFailures(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, sampleReport().WriteText(&b))
	text := b.String()
	for _, want := range []string{"25 ms", "40× (30-50)", "1.00 s", "numpy: not there", "a note", "seed 7"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "faster than peer") {
		t.Errorf("a column without an entry was printed:\n%s", text)
	}
	var column []int
	for line := range strings.SplitSeq(text, "\n") {
		for _, cell := range []string{"median", "25 ms", "1.00 s"} {
			if i := strings.Index(line, cell); i >= 0 {
				column = append(column, i)
			}
		}
	}
	if len(column) != 3 || column[0] != column[1] || column[1] != column[2] {
		t.Errorf("the median column starts at %v:\n%s", column, text)
	}
}

func TestReportMarkdownHasWholeRows(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, sampleReport().WriteMarkdown(&b))
	for line := range strings.SplitSeq(b.String(), "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != len(header)+1 {
			t.Errorf("line %q has not %d cells", line, len(header))
		}
	}
}

func TestSeconds(t *testing.T) {
	for in, want := range map[float64]string{123.4: "123 s", 1.234: "1.23 s", 0.01234: "12.3 ms", 4.5e-6: "4.5 µs"} {
		if got := seconds(in); got != want {
			t.Errorf("seconds(%g) = %q, want %q", in, got, want)
		}
	}
}

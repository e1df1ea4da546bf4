package eigenmap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// dated writes the training texts with a field of times; the third has none.
func dated(t *testing.T, when func(i int) string) string {
	t.Helper()
	var out strings.Builder
	for i, line := range linesIn(t, train) {
		var v map[string]any
		must.Do(t, json.Unmarshal([]byte(line), &v))
		if v["when"] = when(i); i == 2 {
			v["when"] = nil
		}
		text, _ := json.Marshal(v)
		out.Write(append(text, '\n'))
	}
	return write(t, t.TempDir(), "dated.jsonl", out.String())
}

// Clusters are counted by the periods of their documents' times, which are no classes and change
// nothing else; in JSON and in a table; of chosen classes too.
func TestTopicsOverTime(t *testing.T) {
	month := func(i int) string { return fmt.Sprintf("2020-%02d-%02d", 1+i%4*2, 1+i%28) } // January, March, May, July
	file := dated(t, month)
	run, plain := cluster(t, file, options(t, "kmeans", "time-column", "when", "time-period", "month")), cluster(t, train, options(t, "kmeans"))
	if !slices.Equal(run.Labels, plain.Labels) || run.Scores == nil || *run.Scores != *plain.Scores {
		t.Error("the times change the clusters or their scores")
	}
	v := run.OverTime
	if v.Length != "month" || v.Undated != 1 || len(v.Periods) != 7 || v.Periods[0].Start != "2020-01-01" || v.Periods[1].Documents != 0 {
		t.Fatalf("%+v", v)
	}
	for m, p := range v.Periods {
		want, sum := make([]int, 3), 0.0
		for i, k := range run.Labels {
			if i != 2 && i%4*2 == m {
				want[k]++
			}
		}
		for _, s := range p.Shares {
			sum += s
		}
		if !slices.Equal(p.Counts, want) || p.Documents > 0 && (sum < 1-3e-6 || sum > 1+3e-6) {
			t.Errorf("%+v, not %v", p, want)
		}
	}
	if shown := run.ClusterJSON(func(s string) string { return s }, nil); shown.OverTime != v {
		t.Error("JSON lacks the periods")
	}
	savedOverTime(t, run)
	if v := cluster(t, file, options(t, "kmeans", "time-column", "when", "classes", "sky,garden,kitchen", "clusters", "2")).OverTime; v.Length != "week" || v.Undated != 1 {
		t.Errorf("of chosen classes: %s, %d undated", v.Length, v.Undated)
	}
}

// savedOverTime checks what is saved of clusters over seven months.
func savedOverTime(t *testing.T, run *eigenmap.Run) {
	t.Helper()
	dir := t.TempDir()
	save(t, run, dir)
	rows := rowsIn(t, dir, "topics-over-time.csv")
	if len(rows) != 1+7*3 || strings.Join(rows[0], ",") != "period,cluster,name,terms,documents,share" || rows[1][0] != "2020-01-01" || rows[1][4] != fmt.Sprint(run.OverTime.Periods[0].Counts[0]) {
		t.Errorf("%v", rows[:2])
	}
	if page := string(content(t, dir, "report.html")); strings.Count(page, `class="overtime"`) != 3 || !strings.Contains(page, "1 document has no time.") || !strings.Contains(page, "from 2020-01-01 to 2020-07-01") {
		t.Error("the report lacks the clusters over time")
	}
}

// Dates that read two ways, words that are none, and a length that gives too many periods are told.
func TestTimesThatDoNotRead(t *testing.T) {
	for _, c := range []struct {
		when  func(i int) string
		words []string
	}{
		{func(int) string { return "3/4/2020" }, []string{"3/4/2020", "two ways", "2006-01-31"}},
		{func(i int) string { return [2]string{"30/4/2020", "4/30/2020"}[i%2] }, []string{"day first", "4/30/2020"}},
		{func(int) string { return "soon" }, []string{"no date", "soon", "t01"}},
		{func(i int) string { return [4]string{"1004", "12", "75", "3"}[i%4] }, []string{"time-column when: 44 of 59 words are no date", `"12" of t02`, "name the column"}},
		{func(i int) string { return fmt.Sprintf("%04d-01-01", 1000+i) }, []string{"10,000", "time-period"}},
	} {
		_, err := eigenmap.Cluster(context.Background(), dated(t, c.when), options(t, "kmeans", "time-column", "when", "time-period", "day"))
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v", err)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q lacks %q", err, word)
			}
		}
	}
	run := cluster(t, dated(t, func(i int) string { return [2]string{"2020", "unknown"}[min(1, i/59)] }), options(t, "kmeans", "time-column", "when"))
	if notes := strings.Join(run.Notes(), " "); run.OverTime.Undated != 2 || !strings.Contains(notes, `"unknown" of t60`) {
		t.Errorf("%d undated: %s", run.OverTime.Undated, notes)
	}
	_, err := eigenmap.Cluster(context.Background(), train, options(t, "kmeans", "time-column", "when"))
	refused(t, err, "when")
	c := must.Get(corpus.Read(context.Background(), train, corpus.ReadOptions{}))(t)
	_, err = eigenmap.ClusterCorpus(context.Background(), c, options(t, "kmeans", "time-column", "when"))
	refused(t, err, "time-column")
	_, err = eigenmap.ClusterTexts(context.Background(), []string{"red apple", "red car", "blue car"}, options(t, "kmeans", "time-column", "when"))
	refused(t, err, "time-column")
}

// A period is found by the day as it was written: weeks begin on Monday.
func TestPeriods(t *testing.T) {
	run := cluster(t, train, options(t, "kmeans"))
	times := make([]time.Time, len(run.Labels))
	for i := range times {
		times[i] = time.Date(2024, 2, 28+i%3, 23, 0, 0, 0, time.FixedZone("", -11*3600)) // 28 February to 1 March, a Friday
	}
	times[0] = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC) // a Sunday
	for length, want := range map[string][3]any{"day": {"2024-02-28", "2025-01-05", 313}, "week": {"2024-02-26", "2024-12-30", 45}, "month": {"2024-02-01", "2025-01-01", 12},
		"quarter": {"2024-01-01", "2025-01-01", 5}, "year": {"2024-01-01", "2025-01-01", 2}, "": {"2024-02-26", "2024-12-30", 45}} {
		v := must.Get(run.CountOverTime(times, length))(t)
		if got := [3]any{v.Periods[0].Start, v.Periods[len(v.Periods)-1].Start, len(v.Periods)}; got != want {
			t.Errorf("%s: %v, not %v", length, got, want)
		}
	}
	if _, err := run.CountOverTime(times[1:], "day"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if _, err := run.CountOverTime(make([]time.Time, len(times)), "day"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if _, err := run.CountOverTime(times, "fortnight"); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "quarter") {
		t.Error(err)
	}
}

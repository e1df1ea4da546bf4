package eigenmap

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
)

// TestRanksAdviseAWeighting: where ranks divide the rows of a table most of whose numbers are 0,
// the note on the column that decides alone advises the same weighting on every rank, one that the
// rows of all of them can have: entries below 0 are in the last row only.
func TestRanksAdviseAWeighting(t *testing.T) {
	defer func(few int) { request.FewDocuments = few }(request.FewDocuments)
	request.FewDocuments = 100
	var table strings.Builder
	table.WriteString("length")
	const shares = 60
	for c := range shares {
		fmt.Fprintf(&table, ",share %d", c)
	}
	const rows = 240
	for i := range rows {
		fmt.Fprintf(&table, "\n%g", 1000.5+float64(i*i%997))
		for c := range shares {
			value := 0.0
			if c%3 == i%3 && (i+c)%5 == 0 {
				value = 0.5 + float64(i*c%11)
			}
			if i == rows-1 {
				value = -value
			}
			fmt.Fprintf(&table, ",%g", value)
		}
	}
	file := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(file, []byte(table.String()+"\n"), 0o600))
	ranks.Together(2, func(team ranks.Team) {
		run, err := Cluster(ranks.With(context.Background(), team), file, Options{Clusters: 3})
		if err != nil {
			t.Error(err)
			return
		}
		if !run.run.J.Share.Divided() {
			t.Error("the ranks do not divide the rows")
		}
		if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, "Column length has") || !strings.Contains(notes, "weighting standard divides") {
			t.Errorf("rank %d: %s", team.Rank(), notes)
		}
	})
}

// TestRanksStoreRowsAsOneProcess: ranks decide by the rows of all of them whether these are sparse,
// and whether they are counts. A rank's own entries are a fifth of the cells here, and of those of
// all ranks less than a tenth; of the uneven ranks the first has half as many as the others.
func TestRanksStoreRowsAsOneProcess(t *testing.T) {
	defer func(few int) { request.FewDocuments = few }(request.FewDocuments)
	request.FewDocuments = 100
	const rows, cols = 150, 60
	for name, value := range map[string]func(i, k int) float64{
		"an image":     func(i, k int) float64 { return float64(3 + (7*i+13*k)%250) },
		"many counts":  func(i, k int) float64 { return []float64{1, 1, 1, 2, 3}[(i+k)%5] },
		"uneven ranks": func(i, k int) float64 { return float64(min(1, max(0, i/50+1-k%2*k))) * (0.5 + float64((7*i+13*k)%11)) },
	} {
		var table strings.Builder
		for i := range rows {
			cells := make([]string, cols)
			for c := range cells {
				cells[c] = "0"
			}
			for k := range 12 {
				cells[(i%3*20+k*(1+i%7)+k%2*i)%cols] = fmt.Sprintf("%g", value(i, k))
			}
			table.WriteString(strings.Join(cells, ",") + "\n")
		}
		file := filepath.Join(t.TempDir(), "table.csv")
		must.Do(t, os.WriteFile(file, []byte(table.String()), 0o600))
		want := must.Get(Cluster(t.Context(), file, Options{Clusters: 3}))(t)
		ranks.Together(3, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), file, Options{Clusters: 3})
			if err != nil {
				t.Error(err)
				return
			}
			got, one := run.run.J, want.run.J
			if !got.Share.Divided() {
				t.Errorf("%s: the ranks do not divide the rows", name)
			}
			if got.Weighting != one.Weighting || got.Normalize != one.Normalize || !slices.Equal(run.Labels, want.Labels) {
				t.Errorf("%s, rank %d: weights %s, normalize %s and other clusters than %s, %s of one process",
					name, team.Rank(), got.Weighting, got.Normalize, one.Weighting, one.Normalize)
			}
		})
	}
}

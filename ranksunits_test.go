package eigenmap

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

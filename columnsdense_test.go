package eigenmap

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// Numbers and categories, each divided by its deviation, are compared by distance, however many
// categories there are: beside whole numbers their indicators look like counts.
func TestColumnsKeepLengths(t *testing.T) {
	for _, words := range []int{3, 20} {
		var table strings.Builder
		for c := range words {
			fmt.Fprintf(&table, "code%c,", 'a'+c)
		}
		table.WriteString("age\n")
		for i := range 120 {
			for c := range words {
				fmt.Fprintf(&table, "kind%c,", 'a'+(i%3*4+i/3*(c+1)%7)%13)
			}
			fmt.Fprintf(&table, "%d\n", 20+(i%3)*15+i%11)
		}
		file := filepath.Join(t.TempDir(), "table.csv")
		must.Do(t, os.WriteFile(file, []byte(table.String()), 0o600))
		run := must.Get(Cluster(t.Context(), file, Options{Clusters: 3, Vectors: Vectors{Views: []string{"columns"}}}))(t)
		if j := run.run.J; j.Normalize != "none" || sparse.Is(j.X) {
			t.Errorf("%d columns of words: normalize %s, rows %T", words, j.Normalize, j.X)
		}
		if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "counts of terms") {
			t.Errorf("%d columns of words: %s", words, notes)
		}
	}
}

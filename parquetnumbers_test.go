package eigenmap_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// numbersParquet writes a Parquet file of columns of numbers.
func numbersParquet(t *testing.T, names []string, x mat.Matrix) string {
	t.Helper()
	var fields schema.FieldList
	for _, name := range names {
		node := must.Get(schema.NewPrimitiveNode(name, parquet.Repetitions.Required, parquet.Types.Double, -1, 0))(t)
		fields = append(fields, node)
	}
	root := must.Get(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1))(t)
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	group := w.AppendRowGroup()
	for j := range fields {
		c := must.Get(group.NextColumn())(t)
		if _, err := c.(*file.Float64ColumnChunkWriter).WriteBatch(mat.Col(nil, j, x), nil, nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	group.Close()
	must.Do(t, w.Close())
	path := filepath.Join(t.TempDir(), "numbers.parquet")
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o600))
	return path
}

// Columns of Parquet in unlike units are divided as those of other tables. The numbers of lists,
// which are named by their places, are those of an array, of which a note speaks.
func TestUnlikeColumnsInParquet(t *testing.T) {
	x, _ := embedded(60, 3)
	unlike := mat.DenseCopyOf(x)
	unlike.Apply(func(_, j int, v float64) float64 {
		if j == 2 {
			return 1e6 * v
		}
		return v
	}, x)
	for names, want := range map[string]string{"a b c d e f g h": ": each is divided", "v.0 v.1 v.2 v.3 v.4 v.5 v.6 v.7": ", and decides nearly alone"} {
		run := cluster(t, numbersParquet(t, strings.Fields(names), unlike), options(t, "kmeans"))
		if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, "99.9 % of the variance of all 8 columns"+want) {
			t.Errorf("%s: notes %q", names, notes)
		}
	}
}

// Numbers in Parquet give the run that they give in .npy, but for the columns of clusters, which
// have no names there: they are no counts of terms.
func TestNumbersInParquetAreWeighedAsNumbers(t *testing.T) {
	x, _ := embedded(60, 3)
	path := numbersParquet(t, strings.Fields("a b c d e f g h"), x)
	for _, name := range []string{"diffusion", "kmeans", "pca"} {
		got, want := cluster(t, path, options(t, name)), cluster(t, npyFile(t, "numbers.npy", x), options(t, name))
		if len(got.Clusters[0].Differences) == 0 {
			t.Errorf("%s: the clusters have no columns", name)
		}
		got.Clusters, want.Clusters = nil, nil
		if err := sameResult(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

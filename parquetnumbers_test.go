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
)

// Numbers in Parquet give the run that they give in .npy: they are no counts of terms.
func TestNumbersInParquetAreWeighedAsNumbers(t *testing.T) {
	x, _ := embedded(60, 3)
	var fields schema.FieldList
	for _, name := range strings.Fields("a b c d e f g h") {
		node, err := schema.NewPrimitiveNode(name, parquet.Repetitions.Required, parquet.Types.Double, -1, 0)
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, node)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	group := w.AppendRowGroup()
	for j := range len(fields) {
		values := make([]float64, 60)
		for i := range values {
			values[i] = x.At(i, j)
		}
		c, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.(*file.Float64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	group.Close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "numbers.parquet")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"diffusion", "kmeans", "pca"} {
		got, want := cluster(t, path, options(t, name)), cluster(t, npyFile(t, "numbers.npy", x), options(t, name))
		if err := sameResult(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

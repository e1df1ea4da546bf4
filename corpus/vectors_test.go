package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// Vectors of every kind of file that has them: three of two numbers.
func TestReadVectors(t *testing.T) {
	want := mat.NewDense(3, 2, []float64{.5, -1, 2, 3e-3, 0, 4})
	ids := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		text string
		ids  []string
		opt  ReadOptions
	}{
		"objects.jsonl":   {`{"id":"a","emb":[0.5,-1],"text":"x"}` + "\n" + `{"id":"b","emb":[2,3e-3]}` + "\n" + `{"id":"c","emb":[0,4]}`, ids, ReadOptions{}},
		"nested.jsonl":    {`{"id":"a","e":{"v":[0.5,-1]}}` + "\n\n" + `{"id":"b","e":{"v":[2,3e-3]}}` + "\n" + `{"id":"c","e":{"v":[0,4]}}` + "\n", ids, ReadOptions{}},
		"of one list":     {`{"id":1,"emb":[[0.5,-1]]}` + "\n" + `{"id":2,"emb":[[2,3e-3]]}` + "\n" + `{"id":3,"emb":[[0,4]]}`, []string{"1", "2", "3"}, ReadOptions{Format: "jsonl"}},
		"named.jsonl":     {`{"doc":"a","u":[1,2],"v":[0.5,-1]}` + "\n" + `{"doc":"b","u":[1,2],"v":[2,3e-3]}` + "\n" + `{"doc":"c","u":[1,2],"v":[0,4]}`, ids, ReadOptions{VectorColumn: "v"}},
		"lists.jsonl":     {"[0.5, -1]\n[2, 3e-3]\n[0, 4]\n", nil, ReadOptions{}},
		"array.json":      {"[[0.5, -1],\n [2, 3e-3], [0, 4]]", nil, ReadOptions{}},
		"objects.json":    {`[{"id":"a","emb":[0.5,-1]},{"id":"b","emb":[2,3e-3]},{"id":"c","emb":[0,4]}]`, ids, ReadOptions{}},
		"no names.jsonl":  {`{"id":"a","emb":[0.5,-1]}` + "\n" + `{"id":"b","emb":[2,3e-3]}` + "\n" + `{"id":"c","emb":[0,4]}`, nil, ReadOptions{IDColumn: "none"}},
		"lists.csv":       {"id,text,emb\na,\"x, y\",\"[0.5, -1]\"\nb,z,\"[2, 3e-3]\"\nc,w,\"[0, 4]\"\n", ids, ReadOptions{}},
		"numpy.csv":       {"id,emb\na,[ 0.5 -1. ]\nb,\"[2.e+00\n 3.e-03]\"\nc,[0. 4.]\n", ids, ReadOptions{}},
		"columns.csv":     {"id,x1,x2\na,0.5,-1\nb,2,0.003\nc,0,4\n", ids, ReadOptions{}},
		"windows.jsonl":   {"\ufeff[0.5, -1]\r\n[2, 3e-3]\r\n[0, 4]\r\n", nil, ReadOptions{}},
		"one array.jsonl": {"[[0.5, -1], [2, 3e-3], [0, 4]]\n", nil, ReadOptions{}},
	} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, []byte(c.text), 0o666))
		v, err := ReadVectors(context.Background(), path, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !mat.Equal(v.X, want) || !slices.Equal(v.IDs, c.ids) {
			t.Errorf("%s: %v with ids %q", name, mat.Formatted(v.X), v.IDs)
		}
	}
}

// The usual column of names is taken where a file of vectors has it, in every format.
func TestVectorsUnderUsualNames(t *testing.T) {
	key, x := pqStrings("key", "a", "b"), pqColumn{name: "x", kind: parquet.Types.Double, values: []any{1.0, 3.0}}
	y := pqColumn{name: "y", kind: parquet.Types.Double, values: []any{2.0, 4.0}}
	for name, content := range map[string]string{
		"a.jsonl":     `{"key":"a","v":[1,2]}` + "\n" + `{"key":"b","v":[3,4]}`,
		"lists.csv":   "key,v\na,\"[1, 2]\"\nb,\"[3, 4]\"\n",
		"columns.csv": "key,x,y\na,1,2\nb,3,4\n",
		"a.parquet":   string(pqFile(t, 0, []pqColumn{key, x, y})),
	} {
		path := writeFile(t, t.TempDir(), name, []byte(content))
		v, err := ReadVectors(context.Background(), path, ReadOptions{Usual: UsualColumns{ID: "key"}})
		if err != nil || !slices.Equal(v.IDs, []string{"a", "b"}) || !mat.Equal(v.X, mat.NewDense(2, 2, []float64{1, 2, 3, 4})) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// Files without vectors, and vectors that cannot be read, are refused with their place.
func TestReadVectorsRefused(t *testing.T) {
	for want, text := range map[string]string{
		"x.jsonl: line 2: has no list":       "[1, 2]\n[1, NaN]\n",
		"line 2: the vector has 3 numbers":   "[1, 2]\n[1, 2, 3]\n",
		"line 1: has several lists":          `{"u":[1,2],"v":[1,2]}`,
		"no field that is a list of numbers": `{"u":["a","b"],"v":1}`,
		"line 2: has no name":                `{"id":"a","v":[1,2]}` + "\n" + `{"v":[1,2]}`,
		"line 2: has no list of numbers":     `{"id":"a","v":[1,2]}` + "\n" + `{"id":"b","v":[]}`,
		"line 1: is not a JSON object":       "hello\nworld\n",
		"byte 7: the file ends too early":    "[[1, 2]",
		"both called":                        `{"id":"a","v":[1,2]}` + "\n" + `{"id":"a","v":[1,2]}`,
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := ReadVectors(context.Background(), path, ReadOptions{Format: "jsonl"})
		if want == "both called" {
			want = "a"
		}
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	printed := filepath.Join(t.TempDir(), "x.csv")
	must.Do(t, os.WriteFile(printed, []byte("id,emb\na,[0.1 0.2 ... 0.3]\nb,[0.1 0.2 ... 0.3]\n"), 0o666))
	if _, err := ReadVectors(context.Background(), printed, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "left out") {
		t.Errorf("a vector that NumPy cut short: %v", err)
	}
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "a.txt"), []byte("words"), 0o666))
	if _, err := ReadVectors(context.Background(), folder, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "vectors") {
		t.Errorf("a folder of texts: %v", err)
	}
}

// A long file of vectors has the values of its lines, whatever batches they come in.
func TestReadManyVectors(t *testing.T) {
	const n, d = 3000, 40
	var b strings.Builder
	for i := range n {
		b.WriteString(`{"id":"d` + fmt.Sprint(i) + `","v":[`)
		for j := range d {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, i*d+j)
		}
		b.WriteString("]}\n")
	}
	path := filepath.Join(t.TempDir(), "v.jsonl")
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o666))
	for _, single := range []bool{false, true} {
		v := must.Get(ReadVectors(context.Background(), path, ReadOptions{Single: single}))(t)
		for i := range n {
			for j := range d {
				if v.X.At(i, j) != float64(i*d+j) {
					t.Fatalf("(%d, %d) is %g", i, j, v.X.At(i, j))
				}
			}
		}
	}
}

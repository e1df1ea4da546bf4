package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// casesDir holds files of kinds that people have, beside the repository.
const casesDir = "../../shared/cases"

// TestCases reads the files that were once read wrongly or refused. It skips where they are not.
func TestCases(t *testing.T) {
	if _, err := os.Stat(casesDir); err != nil {
		t.Skip("there is no folder shared/cases beside the repository")
	}
	for file, want := range map[string]struct {
		rows, cols, classes int
		ids                 bool
		refused             string
	}{
		"01-mat-sparse-logical/m_logsp.mat":    {rows: 12, cols: 6, classes: 2},
		"01-mat-sparse-logical/m_logsp40.mat":  {rows: 10, cols: 8},
		"02-csv-pandas-index/noindex.csv":      {rows: 200, cols: 4, classes: 2},
		"02-csv-pandas-index/pandas_index.csv": {rows: 200, cols: 4, classes: 2, ids: true},
		"03-csv-first-column-names/cells.csv":  {rows: 300, cols: 4, ids: true},
		"04-npz-by-hand/n_pydata.npz":          {rows: 12, cols: 6},
		"04-npz-by-hand/q_plain.npz":           {rows: 12, cols: 6},
		"05-csv-of-texts/c7.csv":               {rows: 3, cols: 5, classes: 2, ids: true},
		"06-ldac/ap.ldac":                      {rows: 12, cols: 6},
		"07-svm-multilabel/s3.svm":             {rows: 2, cols: 3},
		"08-mtx-array-rows/mm10.mtx":           {refused: "one per line"},
		"09-mbox-separators/m13.mbox":          {rows: 8, ids: true},
		"09-mbox-separators/m14.mbox":          {rows: 8, ids: true},
		"10-csv-decimal-comma/c1.csv":          {rows: 3, cols: 2, classes: 2, ids: true},
		"10-csv-decimal-comma/c2.csv":          {rows: 2, cols: 2},
		"10-csv-decimal-comma/e2.csv":          {rows: 3, cols: 3},
		"12-jsonl-nan/j02_nanlabel.jsonl":      {rows: 12, classes: 2, ids: true},
		"13-uci-docword/docword.kos.txt":       {rows: 12, cols: 6},
		"14-cluto-mat/sports.mat":              {rows: 12, cols: 6},
		"15-identical-documents/same.jsonl":    {rows: 51, cols: 1},
	} {
		t.Run(file, func(t *testing.T) {
			c, err := Read(t.Context(), filepath.Join(casesDir, filepath.FromSlash(file)), ReadOptions{Text: TextOptions{MinDF: 1}})
			if want.refused != "" {
				wantFault(t, err, want.refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, c)
			rows, cols := c.X.Dims()
			if rows != want.rows || want.cols > 0 && cols != want.cols || len(c.ClassNames) != want.classes || (c.IDs != nil) != want.ids {
				t.Errorf("%d×%d, classes %q, ids %v; notes %q", rows, cols, c.ClassNames, c.IDs != nil, c.Notes)
			}
		})
	}
}

// The old formats of the field are read for what they are, by name and by content, packed or not.
func TestCountFormats(t *testing.T) {
	const docs = 6
	counts := [docs][4]int{{1, 0, 2, 0}, {0, 3, 0, 1}, {2, 0, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 5}, {1, 1, 1, 1}}
	var ldac, uci, cluto, dense, triplets, want = "", "", "", "", "", make([][]float64, docs)
	entries := 0
	for i, row := range counts {
		pairs, n, list := "", 0, ""
		for j, v := range row {
			want[i] = append(want[i], float64(v))
			dense += fmt.Sprint(v, " ")
			if v == 0 {
				continue
			}
			n++
			pairs += fmt.Sprintf(" %d:%d", j, v)
			list += fmt.Sprintf("%d %d ", j+1, v)
			uci += fmt.Sprintf("%d %d %d\n", i+1, j+1, v)
			triplets += fmt.Sprintf("%d,%d,%d\n", i, j, v)
		}
		entries += n
		dense += "\n"
		ldac += fmt.Sprint(n) + pairs + "\n"
		cluto += list + "\n"
	}
	uci = fmt.Sprintf("%d\n4\n%d\n%s", docs, entries, uci)
	vocabulary := "alpha\nbeta\ngamma\ndelta\n"
	for name, c := range map[string]struct {
		files map[string]string
		read  string
		opt   ReadOptions
		terms bool
	}{
		"LDA-C":            {files: map[string]string{"ap.ldac": ldac}, read: "ap.ldac"},
		"LDA-C by content": {files: map[string]string{"ap.dat": ldac, "vocab.txt": vocabulary}, read: "ap.dat", terms: true},
		"LDA-C, gensim":    {files: map[string]string{"c.lda-c": ldac, "c.lda-c.vocab": vocabulary}, read: "c.lda-c", terms: true},
		"LDA-C, gzip":      {files: map[string]string{"ap.ldac.gz": gzipped(ldac)}, read: "ap.ldac.gz"},
		"UCI":              {files: map[string]string{"docword.x.txt": uci, "vocab.x.txt": vocabulary}, read: "docword.x.txt", terms: true},
		"UCI, gzip":        {files: map[string]string{"docword.x.txt.gz": gzipped(uci), "vocab.x.txt": vocabulary}, read: "docword.x.txt.gz", terms: true},
		"CLUTO":            {files: map[string]string{"a.mat": fmt.Sprintf("%d 4 %d\n%s", docs, entries, cluto), "a.mat.clabel": vocabulary}, read: "a.mat", terms: true},
		"CLUTO, dense":     {files: map[string]string{"a.mat": fmt.Sprintf("%d 4\n%s", docs, dense)}, read: "a.mat"},
		"CLUTO, asked":     {files: map[string]string{"a.txt": fmt.Sprintf("%d 4 %d\n%s", docs, entries, cluto)}, read: "a.txt", opt: ReadOptions{Format: "cluto"}},
		"triplets":         {files: map[string]string{"a.txt": triplets}, read: "a.txt", opt: ReadOptions{Format: "triplets"}},
		"triplets, header": {files: map[string]string{"a.csv": "row,col,value\n" + triplets}, read: "a.csv", opt: ReadOptions{Format: "triplets"}},
		"triplets, from 1": {files: map[string]string{"a.txt": strings.ReplaceAll(uci[strings.Index(uci, "1 1 1"):], " ", "\t")}, read: "a.txt", opt: ReadOptions{Format: "triplets"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Text.MinDF = 1
			got := must.Get(Read(t.Context(), filepath.Join(makeFolder(t, c.files), c.read), c.opt))(t)
			checkMatrix(t, got.X, want)
			if got.Labels != nil || (got.Terms != nil) != c.terms {
				t.Errorf("labels %v, terms %q", got.Labels, got.Terms)
			}
		})
	}
	for name, c := range map[string]struct {
		content string
		parts   []string
	}{
		"a.ldac":        {"2 0:1\n", []string{"line 1", "1 pair", "2"}},
		"docword.a.txt": {"2\n3\n4\n1 1 1\n2 3 1\n", []string{"2 entries", "4"}},
		"a.mat":         {"2 3 2\n1 1\n4 1\n", []string{"line 3", "1 to 3"}},
		"b.mat":         {"2 3 2\n1 1\n", []string{"1 of 2 rows"}},
		"a.graph":       {"3 1\n2\n1\n", []string{"2 of 3 nodes"}},
		"c.h5ad":        {"\x89HDF\r\n\x1a\n" + strings.Repeat("\x00", 600), []string{"byte 1", "damaged", "copy or download it again"}},
		"d.mat":         {"\x89HDF\r\n\x1a\n" + strings.Repeat("\x00", 600), []string{"byte 1", "damaged", "copy or download it again"}},
		"e.h5":          {"\x89HDF\r\n\x1a\n" + strings.Repeat("\x00", 600), []string{"byte 1", "damaged", "copy or download it again"}},
		"f.mat":         {"# Created by Octave 6\n# name: X\n", []string{"Octave", "-v7"}},
		"g.pdf":         {"%PDF-1.4\n", []string{"pdftotext"}},
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(c.content)), ReadOptions{})
		wantFault(t, err, c.parts...)
	}
}

// Graphs of METIS, of CLUTO and lists of edges are the same graph.
func TestGraphFormats(t *testing.T) {
	want := [][]float64{{0, 2, 0, 1}, {2, 0, 3, 0}, {0, 3, 0, 0}, {1, 0, 0, 0}}
	for name, content := range map[string]string{
		"weights.graph": "4 3 001\n2 2 4 1\n1 2 3 3\n2 3\n1 1\n",
		"comment.graph": "% a graph\n4 3 1\n2 2 4 1\n1 2 3 3\n2 3\n1 1\n",
		"cluto.graph":   "4 6\n2 2 4 1\n1 2 3 3\n2 3\n1 1\n",
		"dense.graph":   "4\n0 2 0 1\n2 0 3 0\n0 3 0 0\n1 0 0 0\n",
		"a.edges":       "0 1 2\n1 2 3\n0 3 1\n",
		"both.edges":    "source,target,weight\n0,1,2\n1,0,2\n2,1,3\n3,0,1\n",
		"tabs.edges":    "# edges\n0\t1\t2\n1\t2\t3\n0\t3\t1\n2\t2\t9\n",
		"names.edges":   "a;b;2\nb;c;3\na;d;1\n",
	} {
		c := readNamed(t, name, content, ReadOptions{})
		if strings.HasPrefix(name, "names") {
			if len(c.IDs) != 4 || c.IDs[0] != "a" {
				t.Errorf("%s: ids %q", name, c.IDs)
			}
		}
		checkMatrix(t, c.X, want)
	}
	metis := readNamed(t, "a.graph", "4 3\n2 4\n1 3\n2\n1\n", ReadOptions{})
	checkMatrix(t, metis.X, [][]float64{{0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}})
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.edges", []byte("a b 1\nb a 2\n")), ReadOptions{})
	wantFault(t, err, "line 2", "weight 2", "1 in line 1")
}

package corpus

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A folder or an archive with a matrix of 10x Genomics has cells as documents and genes as terms,
// whatever prefix its files have; so has the matrix alone, if the files of names are beside it.
func TestTenx(t *testing.T) {
	const entries = "%%MatrixMarket matrix coordinate integer general\n%\n3 2 4\n1 1 5\n2 1 1\n2 2 7\n3 2 2\n"
	const flipped = "%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 5\n1 2 1\n2 2 7\n2 3 2\n"
	const cells, genes = "AAAC-1\nAAAG-1\n", "E1\tTP53\tGene Expression\nE2\tMYC\tGene Expression\nE3\tTP53\tGene Expression\n"
	for name, c := range map[string]struct {
		files map[string]string
		fault string
		note  string // of the folder
	}{
		"plain":             {files: map[string]string{"matrix.mtx": entries, "barcodes.tsv": cells, "features.tsv": genes}},
		"packed":            {files: map[string]string{"matrix.mtx.gz": string(gzipped(entries)), "barcodes.tsv.gz": string(gzipped(cells)), "features.tsv.gz": string(gzipped(genes)), "README.txt": "About it."}},
		"old, in a folder":  {files: map[string]string{"hg19/matrix.mtx": entries, "hg19/barcodes.tsv": cells, "hg19/genes.tsv": genes}},
		"with a prefix":     {files: map[string]string{"GSM1_matrix.mtx": entries, "GSM1_barcodes.tsv": cells, "GSM1_features.tsv": genes}},
		"cells as rows":     {files: map[string]string{"matrix.mtx": flipped, "barcodes.tsv": cells, "genes.tsv": genes}},
		"blank lines":       {files: map[string]string{"matrix.mtx": entries, "barcodes.tsv": cells + "\n", "genes.tsv": genes + "\n\n"}},
		"with other files":  {files: map[string]string{"matrix.mtx": entries, "barcodes.tsv": cells, "genes.tsv": genes, "metadata.csv": "cell,kind\nAAAC-1,a\nAAAG-1,b\n", "web_summary.html": "<html></html>"}, note: "2 files beside the matrix"},
		"packed and plain":  {files: map[string]string{"matrix.mtx": entries, "matrix.mtx.gz": string(gzipped(entries)), "barcodes.tsv": cells, "genes.tsv": genes}, note: "1 file beside the matrix"},
		"of another matrix": {files: map[string]string{"matrix.mtx": entries, "barcodes.tsv": cells + "AAAT-1\n", "genes.tsv": genes}, fault: "3×2, but genes.tsv names 3 genes and barcodes.tsv 3 cells"},
		"several matrices":  {files: map[string]string{"a/matrix.mtx": entries, "a/barcodes.tsv": cells, "a/genes.tsv": genes, "b/matrix.mtx": entries, "b/barcodes.tsv": cells, "b/genes.tsv": genes}, fault: "2 matrices of 10x Genomics, the first in a"},
	} {
		var archive []string
		dir := makeFolder(t, c.files)
		paths := map[string]string{"folder": dir}
		for path, content := range c.files {
			archive = append(archive, path, content)
			if strings.Contains(path, "matrix.mtx") && c.fault == "" {
				paths["matrix"] = filepath.Join(dir, path)
			}
		}
		paths["zip"] = writeFile(t, t.TempDir(), "a.zip", zipped(archive...))
		for way, path := range paths {
			got, err := Read(t.Context(), path, ReadOptions{})
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("%s, %s: %v lacks %q", name, way, err, c.fault)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
				continue
			}
			checkInvariants(t, got)
			all := fmt.Sprint(got.IDs, got.Terms, got.X.At(0, 0), got.X.At(0, 1), got.X.At(1, 1), got.X.At(1, 2), got.X.At(1, 0))
			if want := "[AAAC-1 AAAG-1] [TP53 MYC TP53-1] 5 1 7 2 0"; all != want {
				t.Errorf("%s, %s: %s, want %s", name, way, all, want)
			}
			wantNote(t, got, "10x Genomics")
			if way == "folder" {
				wantNote(t, got, c.note)
			}
		}
	}
}

// Names below a header are those of the matrix.
func TestTenxHeaders(t *testing.T) {
	dir := makeFolder(t, map[string]string{"matrix.mtx": "%%MatrixMarket matrix coordinate integer general\n5 2 3\n1 1 5\n2 2 7\n3 2 2\n",
		"barcodes.tsv": "barcode\nAAAC-1\nAAAG-1\n", "genes.tsv": "id\tname\nE1\tA\nE2\tB\nE3\tC\nE4\tD\nE5\tE\n"})
	got := must.Get(Read(t.Context(), dir, ReadOptions{}))(t)
	if all := fmt.Sprint(got.IDs, got.Terms); all != "[AAAC-1 AAAG-1] [A B C D E]" {
		t.Error(all)
	}
}

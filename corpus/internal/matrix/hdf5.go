package matrix

import (
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// HDF5Refusal says what a file of HDF5 is by its name, and the line that converts it. HDF5 itself
// is not read: docs/architecture.md says which libraries were looked at.
func HDF5Refusal(name string) string {
	base := filepath.Base(name)
	npy := strings.TrimSuffix(base, filepath.Ext(base)) + ".npy"
	switch filepath.Ext(strings.ToLower(input.UnpackedName(name))) {
	case ".h5ad":
		return "is HDF5 (AnnData), which is not read; " + cellsFolder("read_h5ad", base)
	case ".mat":
		return "is a MATLAB file of level 7.3 (HDF5), which is not read; load it in MATLAB or Octave and save it again with save('FILE.mat', '-v7')"
	case ".loom":
		return "is HDF5 (Loom), which is not read; " + cellsFolder("io.read_loom", base)
	}
	return `is HDF5, which is not read; convert the matrix in it, here called X: python -c "import h5py, numpy; numpy.save('` + npy + `', h5py.File('` + base + `')['X'][:])"`
}

// cellsFolder is the way to a folder of files of 10x Genomics with the matrix, the cells and the
// genes that anndata reads of a file.
func cellsFolder(read, base string) string {
	dir := strings.TrimSuffix(base, filepath.Ext(base))
	return `write it as a folder of 10x Genomics: python -c "import anndata, pathlib, scipy.io, scipy.sparse; a = anndata.` + read + `('` + base + `'); d = pathlib.Path('` + dir + `'); d.mkdir(); scipy.io.mmwrite(d / 'matrix.mtx', scipy.sparse.coo_matrix(a.X.T)); [(d / n).write_text('\n'.join(names)) for n, names in (('barcodes.tsv', a.obs_names), ('genes.tsv', a.var_names))]" and name the folder ` + dir
}

package matrix

import (
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// HDF5Refusal says what a file of HDF5 is by its name, and the line that converts it. HDF5 itself
// is not read: there is no Go library of it.
func HDF5Refusal(name string) string {
	base := filepath.Base(name)
	npz := strings.TrimSuffix(base, filepath.Ext(base)) + ".npz"
	switch filepath.Ext(strings.ToLower(input.UnpackedName(name))) {
	case ".h5ad":
		return `is HDF5 (AnnData), which is not read; convert it: python -c "import anndata, scipy.sparse as s; s.save_npz('` + npz + `', s.csr_matrix(anndata.read_h5ad('` + base + `').X))"`
	case ".mat":
		return "is a MATLAB file of level 7.3 (HDF5), which is not read; load it in MATLAB or Octave and save it again with save('FILE.mat', '-v7')"
	case ".loom":
		return `is HDF5 (Loom), which is not read; convert it: python -c "import anndata, scipy.sparse as s; s.save_npz('` + npz + `', s.csr_matrix(anndata.read_loom('` + base + `').X))"`
	}
	return `is HDF5, which is not read; convert the matrix in it, here called X: python -c "import h5py, numpy; numpy.save('` + strings.TrimSuffix(npz, "npz") + `npy', h5py.File('` + base + `')['X'][:])"`
}

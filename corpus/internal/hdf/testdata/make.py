"""Writes the files of the tests with h5py, anndata, pandas, hdf5plugin and netCDF4: python make.py.

The entry of row i and column j of every matrix is (7 i + 3 j) % 100.
"""

import gzip
import io
import pathlib

import anndata
import h5py
import hdf5plugin
import netCDF4
import numpy as np
import pandas as pd
import scipy.sparse as sp


def matrix(rows, cols, dtype="f8"):
    i, j = np.ogrid[:rows, :cols]
    return ((7 * i + 3 * j) % 100).astype(dtype)


def keep(name, data):
    pathlib.Path(name + ".gz").write_bytes(gzip.compress(bytes(data), 9, mtime=0))


def written(build, **kw):
    out = io.BytesIO()
    with h5py.File(out, "w", **kw) as f:
        build(f)
    return out.getvalue()


def low_level(f, name, data, early=False, compact=False):
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if compact:
        p.set_layout(h5py.h5d.COMPACT)
    else:
        p.set_chunk((4, 2))
        p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY if early else h5py.h5d.ALLOC_TIME_INCR)
    d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple(data.shape), p)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, data)


def kinds(f, large=False):
    for dtype in "i1 u1 <i2 >i2 <u2 <i4 >i4 <u4 <i8 >u8 <f2 <f4 >f4 <f8 >f8".split():
        f["types/" + dtype.replace("<", "little ").replace(">", "big ")] = matrix(3, 4, dtype)
    g = f.create_group("m")
    low_level(g, "compact", matrix(5, 3), compact=True)
    low_level(g, "implicit", matrix(9, 5), early=True)
    low_level(g, "chunks", matrix(9, 5))
    for name, kw in {
        "gzip": {"compression": "gzip"},
        "shuffle": {"compression": "gzip", "shuffle": True},
        "lzf": {"compression": "lzf"},
        "sum": {"fletcher32": True},
        "all": {"compression": "gzip", "shuffle": True, "fletcher32": True},
        "zstd": dict(hdf5plugin.Zstd()),
        "grows": {"maxshape": (None, 6)},
        "grows packed": {"maxshape": (None, 6), "compression": "gzip"},
        "widens": {"maxshape": (40, None)},
        "grows both": {"maxshape": (None, None)},
        "grows both packed": {"maxshape": (None, None), "compression": "gzip"},
        "may be larger": {"maxshape": (40, 9)},
    }.items():
        g.create_dataset(name, data=matrix(23, 6, "f4"), chunks=(7, 4), **kw)
    g.create_dataset("one chunk", data=matrix(23, 6), chunks=(23, 6))
    g.create_dataset("one packed chunk", data=matrix(23, 6), chunks=(23, 6), compression="gzip")
    g.create_dataset("odd sum", data=matrix(9, 3, "i1"), chunks=(3, 1), fletcher32=True)
    g.create_dataset("many", data=matrix(1500, 1, "i1"), chunks=(1, 1))
    g.create_dataset("many that grow", data=matrix(1500, 1, "i1"), chunks=(1, 1), maxshape=(None, 1))
    g.create_dataset("many in a tree", data=matrix(700, 1, "i1"), chunks=(1, 1), maxshape=(None, None))
    d = f.create_dataset("holes", shape=(40, 2), chunks=(4, 2), fillvalue=5, dtype="i4")
    d[8:12] = 9
    for k in range(20):
        d.attrs[f"attribute {k}"] = k
    d.attrs["text"] = "wörds"
    if large:
        d.attrs["large"] = np.full(20000, 7)
    f["texts/variable"] = np.array(["one", "", "drei wörter"], dtype=object)
    f["texts/fixed"] = np.array([b"one", b"", b"four"])
    f["texts/truth"] = np.array([True, False, True])
    record = [("a", "i4"), ("b", "f8"), ("c", "S3"), ("d", "i2", 2)]
    f["records"] = np.array([(1, 0.5, b"p", (7, 8)), (2, 1.5, b"qq", (9, 10))], dtype=record)
    f["named"] = np.dtype("f4")
    f.create_dataset("of a named type", data=matrix(2, 3, "f4"), dtype=f["named"])
    f["references"] = np.array([f["texts/fixed"].ref, f["holes"].ref], dtype=h5py.ref_dtype)
    f["complex"] = np.array([[1 + 2j]])
    f["soft"] = h5py.SoftLink("/m/all")
    f["away"] = h5py.ExternalLink("other.h5", "x")


def number(f, name, x, kind="double", dtype="f8", **kw):
    d = f.create_dataset(name, data=x.T.astype(dtype), **kw)
    d.attrs["MATLAB_class"] = np.bytes_(kind)
    return d


def chars(f, name, text):
    number(f, name, np.array([[ord(c) for c in text]]), "char", "u2")
    return f[name].ref


def matlab(f):
    x = matrix(6, 4)
    x[1] = 0
    s = sp.csc_matrix(x)
    g = f.create_group("fea")
    g.attrs["MATLAB_sparse"] = np.uint64(6)
    g.attrs["MATLAB_class"] = np.bytes_("double")
    g["data"], g["ir"], g["jc"] = s.data, s.indices.astype("u8"), s.indptr.astype("u8")
    number(f, "dense", matrix(6, 4), "single", "f4", chunks=(2, 3), compression="gzip")
    number(f, "gnd", np.array([[1], [2], [1], [2], [1], [2]]))
    number(f, "flags", np.eye(6, 4), "logical", "u1")
    r = f.create_group("#refs#")
    words = ["alpha", "bêta", "gamma", "delta"]
    d = f.create_dataset("terms", data=np.array([[chars(r, w, w) for w in words]], dtype=h5py.ref_dtype))
    d.attrs["MATLAB_class"] = np.bytes_("cell")
    number(f, "ids", np.array([[ord(c) for c in f"doc {k}"] for k in range(6)]), "char", "u2")
    number(f, "strings", np.array([[1, 2, 3, 4, 5, 6]]), "string", "u4")
    number(f.create_group("s"), "inside", matrix(6, 2), "int16", "i2")
    f["s"].attrs["MATLAB_class"] = np.bytes_("struct")
    d = f.create_dataset("empty", data=np.array([0, 0], dtype="u8"))
    d.attrs["MATLAB_class"], d.attrs["MATLAB_empty"] = np.bytes_("double"), np.uint8(1)


def cells():
    a = anndata.AnnData(sp.csr_matrix(matrix(5, 4, "f4")))
    a.obs_names, a.var_names = [f"cell {k}" for k in range(5)], ["g1", "g2", "g3", "g4"]
    a.obs["cell_type"] = pd.Categorical(["t", "b", None, "t", "b"])
    a.obs["batch"] = [3, 3, 4, 4, 4]
    a.obs["kept"] = [True, False, True, True, True]
    a.layers["turned"] = sp.csc_matrix(matrix(5, 4))
    a.obsm["X_pca"] = matrix(5, 2)
    a.write_h5ad("cells.h5ad")
    data = pathlib.Path("cells.h5ad").read_bytes()
    pathlib.Path("cells.h5ad").unlink()
    return data


def old_cells(f):
    g = f.create_group("X")
    s = sp.csr_matrix(matrix(3, 2))
    g["data"], g["indices"], g["indptr"] = s.data, s.indices, s.indptr
    g.attrs["h5sparse_shape"], g.attrs["h5sparse_format"] = (3, 2), b"csr"
    f["obs"] = np.array([(b"c1", 1), (b"c2", 2), (b"c3", 1)], dtype=[("index", "S2"), ("louvain", "i1")])
    f["var"] = np.array([(b"g1",), (b"g2",)], dtype=[("index", "S2")])


def octave(f):
    f.create_group("X").attrs["OCTAVE_NEW_FORMAT"] = np.uint8(1)
    f["X/type"], f["X/value"] = b"matrix", matrix(2, 3)


def labels(f):
    f["ids"], f["labels"], f["other"] = ["p", "q"], [b"x", b"y"], [1, 2]


def deep(f):
    f["/".join("d" * 70)] = matrix(2, 3)


def tenx(f):
    s = sp.csc_matrix(matrix(4, 5, "i4"))
    g = f.create_group("matrix")
    g["data"], g["indices"], g["indptr"], g["shape"] = s.data, s.indices, s.indptr, np.array([4, 5])
    g["barcodes"] = np.array([f"cell {k}".encode() for k in range(5)])
    g["features/name"] = np.array([b"g", b"g", b"h", b"i"])


def loom(f):
    f["matrix"] = matrix(4, 5)
    f["col_attrs/CellID"] = [f"cell {k}" for k in range(5)]
    f["row_attrs/Gene"] = ["g1", "g2", "g3", "g4"]


def arrays(f):
    f["train"], f["test"], f["neighbors"] = matrix(6, 3, "f4"), matrix(4, 3, "f4"), np.zeros((4, 9), "i4")
    f["g/emb"] = matrix(6, 2, "f2")
    f["g/ids"] = np.arange(6) + 2**53 + 1
    f["g/labels"] = ["a", "b", "a", "b", "a", "b"]
    d = f.create_dataset("gaps", data=matrix(6, 3, "f4"))
    d.attrs["_FillValue"] = np.array([14], "f4")
    d = f.create_dataset("scaled", data=matrix(6, 3, "i2"))
    d.attrs["scale_factor"] = 0.5
    g = f.create_group("W")
    s = sp.csr_matrix(matrix(3, 3) + matrix(3, 3).T)
    g["data"], g["indices"], g["indptr"] = s.data, s.indices, s.indptr
    g.attrs["shape"], g.attrs["encoding-type"] = (3, 3), "csr_matrix"


def network(f):
    f.attrs["keras_version"] = "2.15"
    f["model_weights/words/embeddings:0"] = matrix(9, 3, "f4")


def frame():
    x = pd.DataFrame(matrix(4, 3), columns=["a", "b", "c"], index=["p", "q", "r", "s"])
    x.to_hdf("frame.h5", key="fixed")
    x["n"] = [1, 2, 3, 4]
    x.to_hdf("frame.h5", key="mixed")
    data = pathlib.Path("frame.h5").read_bytes()
    pathlib.Path("frame.h5").unlink()
    return data


def marked(f):
    """Numbers that mean missing ones, names in old encodings, enumerations, and names with signs."""
    for name, dtype, attribute, value in [
        ("whole", "<i2", "_FillValue", np.int16(24)),
        ("turned", ">i4", "_FillValue", np.array([24], "<i4")),
        ("short", ">i8", "missing_value", np.int16(24)),
        ("float", "<f4", "missing_value", np.array([-1, 24], "f8")),
        ("swapped", ">f8", "_FillValue", np.array([24], "<f8")),
        ("half", "<f2", "_FillValue", np.array([24], ">f2")),
        ("written", "<f4", "missing_value", np.int32(24)),
        ("counted", "<i4", "missing_value", np.float32(24)),
        ("bytes", "i1", "_FillValue", np.int8(24)),
        ("none", "i1", "missing_value", np.int16(24 + 256)),
    ]:
        f.create_dataset(name, data=matrix(6, 3, dtype)).attrs[attribute] = value
    f.create_dataset("unsigned", data=(matrix(6, 3) + 150).astype("u1").view("i1")).attrs["_Unsigned"] = "true"
    f["#sharp"] = matrix(6, 3)
    f["_i_sharp"] = matrix(6, 3)
    f["names/sharp"] = matrix(6, 3)
    f["names/ids"] = ["gr\u00f6\u00dfe".encode("latin1"), b"b", b"c", b"d", b"e", "\u00e9cole".encode("latin1")]
    f["names/labels"] = np.array([0, 1, 7] * 2, dtype=h5py.enum_dtype({"red": 0, "gr\u00fcn": 1}, "i1"))


def netcdf():
    """Numbers that were never written, in all types, and packed ones, by netCDF4 1.7."""
    with netCDF4.Dataset("netcdf.h5", "w") as f:
        f.createDimension("t", 6)
        f.createDimension("s", 3)
        for dtype in ["f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "i1"]:
            f.createVariable(dtype, dtype, ("t", "s"), zlib=dtype == "f8")[:5] = matrix(5, 3)
        v = f.createVariable("packed", "i2", ("t", "s"))
        v.scale_factor, v.add_offset = 0.5, 100.0
        v[:5] = matrix(5, 3)
        f.createVariable("filled", "f4", ("t", "s"), fill_value=-1)[:5] = matrix(5, 3)
    data = pathlib.Path("netcdf.h5").read_bytes()
    pathlib.Path("netcdf.h5").unlink()
    return data


def modalities(f):
    f.attrs["encoding-type"] = "MuData"
    for name in ["rna", "prot"]:
        f["mod/" + name + "/X"] = matrix(3, 2)
        f["mod/" + name + "/obs/_index"] = ["a", "b", "c"]


keep("earliest.h5", written(kinds, libver=("earliest", "v108")))
keep("latest.h5", written(lambda f: kinds(f, large=True), libver=("v110", "latest"), userblock_size=512))
level73 = bytearray(written(matlab, userblock_size=512))
level73[:128] = b"MATLAB 7.3 MAT-file, of a test".ljust(124) + b"\x00\x02IM"
keep("matlab.mat", level73)
keep("cells.h5ad", cells())
keep("old.h5ad", written(old_cells))
keep("octave.h5", written(octave))
keep("labels.h5", written(labels))
keep("deep.h5", written(deep))
keep("tenx.h5", written(tenx))
keep("cells.loom", written(loom))
keep("arrays.h5", written(arrays))
keep("several.h5mu", written(modalities))
keep("marked.h5", written(marked))
keep("network.h5", written(network))
keep("frame.h5", frame())
keep("netcdf.h5", netcdf())

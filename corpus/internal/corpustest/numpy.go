package corpustest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"
)

// NPY makes an array's file with any header.
func NPY(descr, fortran, shape string, data []byte) []byte {
	dict := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(dict)), byte(len(dict)>>8))
	return append(append(b, dict...), data...)
}

// NPZ makes an archive of arrays given as name, content, name, content, ...
func NPZ(t testing.TB, members ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(members); k += 2 {
		w, err := z.Create(members[k].(string) + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		w.Write(members[k+1].([]byte))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

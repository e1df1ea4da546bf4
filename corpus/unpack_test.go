package corpus

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func TestXZ(t *testing.T) {
	dir := t.TempDir()
	packed := xzipped(t, "1,2\n3,4\n5,6\n")
	c := must.Get(Read(t.Context(), writeFile(t, dir, "a.csv.xz", packed), ReadOptions{}))(t)
	if n, d := c.X.Dims(); n != 3 || d != 2 || c.X.At(2, 1) != 6 {
		t.Errorf("%d×%d", n, d)
	}
	for at := range packed { // cut or changed at any byte: a result or a sentence
		if at == 0 {
			continue
		}
		_, err := Read(t.Context(), writeFile(t, dir, "cut.csv.xz", packed[:at]), ReadOptions{})
		if err == nil && at < len(packed)-32 {
			t.Errorf("%d of %d bytes were read as a whole file", at, len(packed))
		}
		// Before, it is not yet an .xz.
		if err != nil && at >= 6 && strings.Contains(err.Error(), "empty") {
			t.Errorf("%d of %d bytes: %v", at, len(packed), err)
		}
		bent := bytes.Clone(packed)
		bent[at] ^= 0x55
		_, err = Read(t.Context(), writeFile(t, dir, "bent.csv.xz", bent), ReadOptions{})
		if err != nil {
			wantFault(t, err, filepath.Join(dir, "bent.csv.xz"))
		}
	}
}

// A header may ask for 4 GiB before a byte of content has been read.
func TestXZHugeDictionary(t *testing.T) {
	packed := xzipped(t, "1,2\n")
	at := bytes.Index(packed[12:], []byte{0x21, 1}) + 12 + 2
	for _, size := range []byte{33, 40, 41, 255} {
		huge := bytes.Clone(packed)
		huge[at] = size
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "huge.csv.xz", huge), ReadOptions{})
		wantFault(t, err, "damaged")
		if size > 40 {
			continue
		}
		// With a checksum that is right, the file is sound and only too large to unpack.
		length := 4 * (int(huge[12]) + 1)
		binary.LittleEndian.PutUint32(huge[12+length-4:], crc32.ChecksumIEEE(huge[12:12+length-4]))
		_, err = Read(t.Context(), writeFile(t, t.TempDir(), "huge.csv.xz", huge), ReadOptions{})
		wantFault(t, err, "dictionary of more than 256.0 MiB", "xz -9")
	}
}

package model

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// encoded is a small model's file.
func encoded(t testing.TB, dense bool) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, made(t, dense).Encode(&b))
	return b.Bytes()
}

func readBytes(b []byte) (*Model, error) {
	return read(background, bytes.NewReader(b), int64(len(b)), blank)
}

// checkRead: a file is read as the original model, or refused in one sentence.
func checkRead(t testing.TB, what string, file, original []byte) {
	t.Helper()
	m, err := readBytes(file)
	if err != nil {
		if !errors.Is(err, fs.ErrInvalid) || strings.Contains(err.Error(), "\n") && !strings.Contains(err.Error(), "the model") {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	var again bytes.Buffer
	if err := m.Encode(&again); err != nil {
		t.Errorf("%s: the model that was read cannot be written: %v", what, err)
	} else if !bytes.Equal(again.Bytes(), original) {
		t.Errorf("%s: another model is read without an error", what)
	}
}

// A file with any byte changed is refused or is the same model, and one cut off anywhere is
// refused.
func TestDamagedFiles(t *testing.T) {
	for _, dense := range []bool{false, true} {
		file := encoded(t, dense)
		step := 2
		if dense {
			step = 23
		}
		if testing.Short() {
			step = 11
		}
		for at := 0; at < len(file); at += step {
			damaged := bytes.Clone(file)
			damaged[at] ^= byte(1 + at%255)
			checkRead(t, "a byte changed", damaged, file)
			if at%5 != 0 {
				continue
			}
			if _, err := readBytes(file[:at]); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%d of %d bytes: %v", at, len(file), err)
			}
		}
	}
}

// rebuilt is the archive with its members changed, checksums and all. A nil member goes away.
func rebuilt(t testing.TB, file []byte, change func(name string, data []byte) []byte) []byte {
	t.Helper()
	z := must.Get(zip.NewReader(bytes.NewReader(file), int64(len(file))))(t)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range z.File {
		r := must.Get(m.Open())(t)
		data := must.Get(io.ReadAll(r))(t)
		if data = change(m.Name, data); data == nil {
			continue
		}
		must.Do(t, member(w, m.Name, func(w io.Writer) error { _, err := w.Write(data); return err }))
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// without removes a member.
func without(member string) func(string, []byte) []byte {
	return func(name string, data []byte) []byte {
		if name == member {
			return nil
		}
		return data
	}
}

// A file made to mislead, with right checksums, is refused, and takes no memory that it
// does not hold.
func TestHostileFiles(t *testing.T) {
	file := encoded(t, false)
	document := func(old, new string) func(string, []byte) []byte {
		return func(name string, data []byte) []byte {
			if name != documentName {
				return data
			}
			if !bytes.Contains(data, []byte(old)) {
				t.Fatalf("model.json holds no %s:\n%s", old, data)
			}
			return bytes.Replace(data, []byte(old), []byte(new), 1)
		}
	}
	array := func(member string, at int, to ...byte) func(string, []byte) []byte {
		return func(name string, data []byte) []byte {
			if name == member {
				copy(data[128+at:], to)
			}
			return data
		}
	}
	for says, change := range map[string]func(string, []byte) []byte{
		"later version":                               document(`"format_version": 5`, `"format_version": 6`),
		"counted otherwise: make":                     document(`"format_version": 5`, `"format_version": 4, "rows": {"beside": 3}`),
		"does not know: make":                         document(`"format_version": 5`, `"format_version": 1`),
		"not a model of this":                         document(`eigenmap-model`, `another-model`),
		"which this program":                          document(`"method": "fake"`, `"method": "fale"`),
		"terms of clusters are dam":                   array("cluster_terms.indptr.npy", 8, 0xff),
		"(1, 7) (counted from 0) lies outside 70 × 3": array("cluster_terms.indices.npy", 0, 7),
		`lacks its array "cluster`:                    without("cluster_terms.data.npy"),
		"lacks its setting":                           document(`"graph": {`, `"other": {`),
		`setting "graph" is damage`:                   document(`"neighbors": 4`, `"neighbors": "four"`),
		"25 documents":                                document(`"documents": 24`, `"documents": 25`),
		"of the size":                                 document("    24,\n", "    2147483647,\n"),
		"no possible shape":                           document("    24,\n", "    -24,\n"),
		"possible shape or type":                      document(`"type": "<f8"`, `"type": "<f4"`),
		"unknown weighting":                           document(`"weighting": "tfidf"`, `"weighting": "none"`),
		"edge weight":                                 document(`"edge_weight": ""`, `"edge_weight": "x"`),
		"no language's":                               document(`"sparse": true`, `"text": {"stop_words": "/etc/passwd"}, "sparse": true`),
		"are not stored as":                           document(`"sparse": true`, `"sparse": false`),
		"damaged (":                                   document(`"seed": 7`, `"seed": -7`),
		"rows have no shape":                          document("   75\n", "   75,\n   75\n"),
		"every value":                                 array("coordinates.npy", 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f),
		"lies outside":                                array("training.indices.npy", 0, 0xff, 0xff, 0xff, 0x7f),
		"first row pointer":                           array("training.indptr.npy", 0, 1),
		"no ascending list":                           array("isolated.npy", 0, 24),
		"holds no model.json":                         without(documentName),
		"lacks \"terms.json\"":                        without(termsName),
		`lacks its array "links`:                      without("links.data.npy"),
		"terms for 75 columns": func(name string, data []byte) []byte {
			if name == termsName {
				return []byte(`["a"]`)
			}
			return data
		},
		"not what its description": func(_ string, data []byte) []byte {
			return bytes.Replace(data, []byte("'fortran_order': False"), []byte("'fortran_order': True "), 1)
		},
	} {
		hostile := rebuilt(t, file, change)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readBytes(hostile)
		runtime.ReadMemStats(&after)
		if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(64*len(hostile)) {
			t.Errorf("%s: %d bytes were taken for a file of %d", says, took, len(hostile))
		}
	}
}

// archived is a zip archive of members, compressed or not.
func archived(t *testing.T, compress bool, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range members {
		method := zip.Store
		if compress {
			method = zip.Deflate
		}
		m := must.Get(w.CreateHeader(&zip.FileHeader{Name: name, Method: method}))(t)
		if _, err := m.Write(bytes.Repeat([]byte(" "), 1<<16)); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// Archives that are not models are refused.
func TestOtherArchives(t *testing.T) {
	for says, file := range map[string][]byte{
		"compressed":       archived(t, true, documentName),
		"holds \"model.js": archived(t, false, documentName, documentName),
		"not a model":      archived(t, false, "numbers.npy"),
		"is damaged":       archived(t, false, documentName),
		"or cut off":       []byte("no archive"),
	} {
		if _, err := readBytes(file); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestReadOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.npz")
	must.Do(t, os.WriteFile(text, []byte("no archive"), 0o600))
	if _, err := Read(background, text, blank); !errors.Is(err, fs.ErrInvalid) || !strings.HasPrefix(err.Error(), text) {
		t.Error(err)
	}
	if _, err := Read(background, filepath.Join(dir, "none"), blank); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Read(background, dir, blank); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if Is(text) || Is(dir) || Is(filepath.Join(dir, "none")) {
		t.Error("another file passes for a model")
	}
	whole := filepath.Join(dir, "m.npz")
	must.Do(t, os.WriteFile(whole, encoded(t, false), 0o600))
	over, cancel := context.WithCancel(background)
	cancel()
	if _, err := Read(over, whole, blank); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is wrong with the content of a model is said in the user's words, with the way out.
func TestDamagedContent(t *testing.T) {
	var file bytes.Buffer
	if err := made(t, false).Encode(&file); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"documents": `:      `"documents": "x", "others": `,
		`"cluster_sizes": [`: `"cluster_sizes": [-1, `,
	} {
		_, err := readBytes(rebuilt(t, file.Bytes(), func(name string, data []byte) []byte {
			if name != documentName {
				return data
			}
			if !bytes.Contains(data, []byte(from)) {
				t.Errorf("%s has no %s", data, from)
			}
			return bytes.Replace(data, []byte(from), []byte(to), 1)
		}))
		if !errors.Is(err, fs.ErrInvalid) || !strings.HasSuffix(err.Error(), ": make the model again") || strings.Contains(err.Error(), "json:") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// A file of version 3 has no terms of clusters, and is read as it was meant.
func TestReadEarlierVersion(t *testing.T) {
	m := made(t, false)
	m.Clusters.Terms = nil
	var file bytes.Buffer
	must.Do(t, m.Encode(&file))
	back, err := readBytes(rebuilt(t, file.Bytes(), func(name string, data []byte) []byte {
		if name == documentName {
			data = bytes.Replace(data, []byte(`"format_version": 5`), []byte(`"format_version": 3`), 1)
		}
		return data
	}))
	if err != nil || back.Clusters.Terms != nil || !slices.Equal(back.Clusters.Sizes, m.Clusters.Sizes) {
		t.Errorf("%v: %+v", err, back)
	}
}

// NumPy reads from the file what is in the model.
func TestNumPyOpensIt(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("there is no Python with NumPy here; the file is read by this package alone")
	}
	m := made(t, false)
	path := filepath.Join(t.TempDir(), "model.npz")
	must.Do(t, Write(path, m))
	out := must.Get(exec.Command(python, "-c", `import numpy, json, sys
f = numpy.load(sys.argv[1])
d = json.loads(f["model.json"])
print(json.dumps({"shape": f["coordinates"].shape, "sum": float(abs(f["coordinates"]).sum()), "entries": int(f["training.indptr"][-1]), "method": d["method"]}))`, path).Output())(t)
	var got struct {
		Shape   []int
		Sum     float64
		Entries int
		Method  string
	}
	must.Do(t, json.Unmarshal(out, &got))
	p := m.Part.(*fake)
	sum := 0.0
	for _, v := range p.Coordinates.RawMatrix().Data {
		sum += max(v, -v)
	}
	if r, c := p.Coordinates.Dims(); got.Shape[0] != r || got.Shape[1] != c || got.Method != "fake" || !(got.Sum-sum < 1e-12 && sum-got.Sum < 1e-12) {
		t.Errorf("NumPy says %+v", got)
	}
}

// checkUse: a file is refused, or read as a model that can be written.
func checkUse(t *testing.T, file []byte) {
	m, err := readBytes(file)
	if err != nil {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Fatal(err)
		}
		return
	}
	must.Do(t, m.Encode(io.Discard))
	if m.Part == nil || m.Rows.Text != nil || m.Rows.Columns != 75 {
		return
	}
	if x, _, err := m.Rows.Of(counts(4, 9)); err == nil {
		if n, cols := x.Dims(); n != 4 || cols != 75 {
			t.Fatalf("new rows are %d × %d", n, cols)
		}
	} else if !errors.Is(err, fs.ErrInvalid) {
		t.Fatal(err)
	}
}

// FuzzRead: whatever a file holds, it is read as a model whose parts fit, or refused.
func FuzzRead(f *testing.F) {
	for _, dense := range []bool{false, true} {
		f.Add(encoded(f, dense))
	}
	f.Fuzz(func(t *testing.T, file []byte) { checkUse(t, file) })
}

// FuzzContent changes the content of a file and gives it the right checksums: model.json as a
// whole, and eight bytes of an array.
func FuzzContent(f *testing.F) {
	files := [][]byte{encoded(f, false), encoded(f, true)}
	for i, file := range files {
		rebuilt(f, file, func(name string, data []byte) []byte {
			if name == documentName {
				f.Add(uint8(i), data, uint8(3), uint16(0), uint64(1))
			}
			return data
		})
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte, member uint8, at uint16, value uint64) {
		count := 0
		checkUse(t, rebuilt(t, files[int(which)%len(files)], func(name string, data []byte) []byte {
			if name == documentName {
				return text
			}
			if count++; count == int(member) && len(data) >= 128+8 {
				binary.LittleEndian.PutUint64(data[128+int(at)*8%(len(data)-128-7):], value)
			}
			return data
		}))
	})
}

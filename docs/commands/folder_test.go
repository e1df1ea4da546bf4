package commands

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// folder is where the commands of a page run: a copy of what a reader has.
type folder struct {
	dir     string
	env     []string
	program string        // the program that the commands run
	data    string        // the original corpora, if they are there
	python  string        // Python
	used    time.Duration // processor time
}

// document is a line of the example corpus.
type document struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label string `json:"label"`
}

const corpusName = "examples/debian/packages.jsonl.gz"

// build returns the program: EIGENMAP_BIN, or a new build.
func build(t *testing.T, root string) string {
	t.Helper()
	if file := os.Getenv("EIGENMAP_BIN"); file != "" {
		return file
	}
	file := filepath.Join(t.TempDir(), "eigenmap")
	cmd := exec.Command("go", "build", "-o", file, "./cmd/eigenmap")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// thinned returns every nth document of the example corpus, and all that a page names.
func thinned(t *testing.T, root string, n int) []document {
	t.Helper()
	named := map[string]bool{}
	for _, page := range pages {
		text := must.Get(os.ReadFile(filepath.Join(root, page)))(t)
		for _, word := range regexp.MustCompile(`[\w.+-]+`).FindAllString(string(text), -1) {
			named[word] = true
		}
	}
	file := must.Get(os.Open(filepath.Join(root, corpusName)))(t)
	defer file.Close()
	unpacked := must.Get(gzip.NewReader(file))(t)
	var docs []document
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for i := 0; lines.Scan(); i++ {
		var d document
		must.Do(t, json.Unmarshal(lines.Bytes(), &d))
		if i%n == 0 || named[d.ID] {
			docs = append(docs, d)
		}
	}
	must.Do(t, lines.Err())
	return docs
}

// newFolder makes a folder with the example corpus, the program and the files that pages take as
// the reader's: corpus.csv and large.csv, corpus.jsonl.gz, known.csv, emb.npy, model and
// words.txt, new.csv and monday.csv, new.jsonl.gz, for docs/update.md known.jsonl and
// new.jsonl, for docs/cli.md packages.jsonl.gz, and of the original corpora TDT2 as corpus.mat
// and 20 Newsgroups.
func newFolder(t *testing.T, root, program string, corpus []document) *folder {
	t.Helper()
	w := &folder{dir: t.TempDir(), program: program, data: filepath.Join(root, "../shared/data"), python: cmp.Or(os.Getenv("EIGENMAP_PYTHON"), "python3")}
	for name, original := range map[string]string{
		"corpus.mat": filepath.Join(w.data, "TDT2.mat"), "20news-bydate.tar.xz": filepath.Join(w.data, "20news-bydate.tar.xz"),
		"packages.jsonl.gz": filepath.Join(root, corpusName), // all of it: docs/cli.md shows what is too large
		"bench":             filepath.Join(root, "bench"), "bin/eigenmap-slepc": program + "-slepc",
	} {
		must.Do(t, cmp.Or(os.MkdirAll(filepath.Join(w.dir, "bin"), 0o755), os.Symlink(original, filepath.Join(w.dir, name))))
	}
	w.put(t, corpusName, zipped(lines(corpus)), 0o644)
	w.put(t, "bin/eigenmap", []byte(strings.ReplaceAll(wrapper, "PROGRAM", program)), 0o755)
	w.put(t, "tools/go", []byte(strings.ReplaceAll(goWrapper, "ROOT", root)), 0o755)
	w.put(t, "tools/make", []byte(strings.NewReplacer("MAKE", tool("make"), "ROOT", root, "PROGRAM", program).Replace(makeWrapper)), 0o755)
	w.put(t, "tools/xdg-open", []byte(openWrapper), 0o755)
	var own, fresh []document
	for i, d := range corpus {
		switch {
		case i%5 == 0 && len(own) < 600:
			own = append(own, d)
		case i%5 == 1 && len(fresh) < 60:
			fresh = append(fresh, d)
		}
	}
	w.put(t, "corpus.csv", table("id,text", own, func(_ int, d document) []string { return []string{d.ID, d.Text} }), 0o644)
	w.put(t, "large.csv", table("id,text", own, func(_ int, d document) []string { return []string{d.ID, d.Text} }), 0o644)
	w.put(t, "monday.csv", table("id,text", fresh, func(_ int, d document) []string { return []string{d.ID, d.Text} }), 0o644)
	w.put(t, "new.csv", table("id,text", fresh, func(_ int, d document) []string { return []string{d.ID, d.Text} }), 0o644)
	w.put(t, "known.csv", table("id,label", own, func(i int, d document) []string {
		if i%10 > 0 {
			return nil
		}
		return []string{d.ID, d.Label}
	}), 0o644)
	w.put(t, "emb.npy", vectors(own), 0o644)
	w.put(t, "corpus.jsonl.gz", zipped(lines(corpus)), 0o644)
	w.put(t, "docs/images/reliability.png", nil, 0o644)
	w.put(t, "new.jsonl.gz", zipped(lines(fresh)), 0o644)
	// Every tenth document is a new one.
	var known, later []document
	for i, d := range corpus {
		if i%10 == 9 {
			later = append(later, d)
		} else {
			known = append(known, d)
		}
	}
	w.put(t, "known.jsonl", lines(known), 0o644)
	w.put(t, "new.jsonl", lines(later), 0o644)
	tokens, tensors, words := staticModel(own)
	w.put(t, "model/tokenizer.json", tokens, 0o644)
	w.put(t, "model/model.safetensors", tensors, 0o644)
	w.put(t, "words.txt", words, 0o644)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "PATH=") && !strings.HasPrefix(e, "HOME=") && !strings.HasPrefix(e, "EIGENMAP_") {
			w.env = append(w.env, e)
		}
	}
	// The folder is the reader's home too. Go keeps its caches where they are.
	places := must.Get(exec.Command("go", "env", "GOPATH", "GOCACHE", "GOMODCACHE").Output())(t)
	caches := strings.Fields(string(places))
	// Open MPI may run as root, and more ranks than processors.
	w.env = append(w.env, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
	w.env = append(w.env, "HOME="+w.dir, "GOPATH="+caches[0], "GOCACHE="+caches[1], "GOMODCACHE="+caches[2], "PATH="+filepath.Join(w.dir, "bin")+":"+filepath.Join(w.dir, "tools")+":"+os.Getenv("PATH"), "GO="+tool("go"))
	return w
}

// labelled puts labels.csv there, as the served page writes it: a label of every fiftieth document.
func (w *folder) labelled(t *testing.T, corpus []document) {
	t.Helper()
	w.put(t, "labels.csv", table("id,label", corpus, func(i int, d document) []string {
		if i%50 > 0 {
			return nil
		}
		return []string{d.ID, d.Label}
	}), 0o644)
}

// wrapper is the program, but that explore ends as by Ctrl-C once it has printed its address.
const wrapper = `#!/usr/bin/env bash
[ "$1" = explore ] || exec PROGRAM "$@"
out=$(mktemp)
PROGRAM "$@" >"$out" &
pid=$!
for i in $(seq 600); do grep -q http "$out" && break; kill -0 $pid 2>/dev/null || break; sleep 0.1; done
kill -INT $pid 2>/dev/null
cat "$out"; rm -f "$out"
wait $pid
`

// goWrapper runs programs of the repository in the folder.
const goWrapper = `#!/usr/bin/env bash
[ "$1" = run ] || exec "$GO" "$@"
here=$PWD program=$(mktemp -d)/program
(cd ROOT && "$GO" build -o "$program" "$2") || exit
shift 2
"$program" "$@"
status=$?
rm -rf "${program%/*}"
exit $status
`

// makeWrapper runs targets of the repository with the program that there is.
const makeWrapper = `#!/usr/bin/env bash
exec MAKE -s -C ROOT -o build BIN=PROGRAM OUT="$PWD/out" "$@"
`

// openWrapper opens a page in a browser without a window.
const openWrapper = `#!/usr/bin/env bash
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/chromium" --dump-dom "file://$PWD/$1" 2>/dev/null | grep -q '</html>'
`

// lacks returns the first that is not there of what a block is run with: "corpora" are the
// original ones, "SLEPc" is the build with it, "duckdb" the module of Python, "minutes"
// EIGENMAP_DOCS=long, and every other word a program.
func (w *folder) lacks(needs []string) string {
	for _, name := range needs {
		var err error
		switch name {
		case "corpora":
			_, err = os.Stat(filepath.Join(w.data, "TDT2.mat"))
		case "SLEPc":
			_, err = os.Stat(w.program + "-slepc")
		case "duckdb":
			err = exec.Command(w.python, "-c", "import duckdb").Run()
		case "minutes":
			if !long {
				return "EIGENMAP_DOCS=long, which runs what takes minutes"
			}
		default:
			_, err = exec.LookPath(name)
		}
		if err != nil {
			return name
		}
	}
	return ""
}

// tool returns the path of a program, its name if there is none.
func tool(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return name
	}
	return path
}

func (w *folder) put(t *testing.T, name string, text []byte, mode os.FileMode) {
	t.Helper()
	file := filepath.Join(w.dir, name)
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, text, mode))
}

// lines are documents as JSON lines, spaced as Python writes them.
func lines(docs []document) []byte {
	var b bytes.Buffer
	for _, d := range docs {
		line, _ := json.Marshal(d)
		for _, name := range []string{"id", "text", "label"} {
			line = bytes.Replace(line, []byte(`"`+name+`":"`), []byte(`"`+name+`": "`), 1)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// zipped is what gzip makes of bytes.
func zipped(content []byte) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(content)
	_ = z.Close()
	return packed.Bytes()
}

// table writes a line for each document that has one.
func table(head string, docs []document, line func(i int, d document) []string) []byte {
	var b bytes.Buffer
	b.WriteString(head + "\n")
	w := csv.NewWriter(&b)
	for i, d := range docs {
		if cells := line(i, d); cells != nil {
			_ = w.Write(cells)
		}
	}
	w.Flush()
	return b.Bytes()
}

// vectors returns a .npy file of a vector of 32 numbers for each document: the sums of the vectors
// of its words, each of which is drawn by the word alone.
func vectors(docs []document) []byte {
	const dims = 32
	var b bytes.Buffer
	head := []byte("{'descr': '<f4', 'fortran_order': False, 'shape': (" + itoa(len(docs)) + ", " + itoa(dims) + "), }")
	for (len(head)+11)%64 != 0 {
		head = append(head, ' ')
	}
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(head)+1))
	b.Write(append(head, '\n'))
	for _, d := range docs {
		var sum [dims]float32
		for word := range strings.FieldsSeq(strings.ToLower(d.Text)) {
			for j, v := range drawn(word, dims) {
				sum[j] += v
			}
		}
		_ = binary.Write(&b, binary.LittleEndian, sum)
	}
	return b.Bytes()
}

// drawn are numbers from -0.5 to 0.5 drawn by a word alone.
func drawn(word string, count int) []float32 {
	list := make([]float32, count)
	for j := range list {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word + itoa(j)))
		list[j] = float32(h.Sum32())/math.MaxUint32 - .5
	}
	return list
}

// staticModel is a model of static embeddings: a vector of 16 numbers for each word of documents,
// as the files of a folder and as a list of word vectors.
func staticModel(docs []document) (tokens, tensors, list []byte) {
	const dims = 16
	ids := map[string]int{"[UNK]": 0}
	values := make([]float32, dims)
	var lines bytes.Buffer
	for _, d := range docs {
		for _, word := range regexp.MustCompile(`\pL+`).FindAllString(strings.ToLower(d.Text), -1) {
			if _, known := ids[word]; known {
				continue
			}
			ids[word] = len(ids)
			v := drawn(word, dims)
			values = append(values, v...)
			text, _ := json.Marshal(v)
			lines.WriteString(word + " " + strings.ReplaceAll(strings.Trim(string(text), "[]"), ",", " ") + "\n")
		}
	}
	tokens, _ = json.Marshal(map[string]any{
		"normalizer":    map[string]string{"type": "Lowercase"},
		"pre_tokenizer": map[string]string{"type": "Whitespace"},
		"model":         map[string]any{"type": "WordLevel", "vocab": ids, "unk_token": "[UNK]"},
	})
	head, _ := json.Marshal(map[string]any{"embeddings": map[string]any{"dtype": "F32", "shape": []int{len(ids), dims}, "data_offsets": []int{0, 4 * len(values)}}})
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, uint64(len(head)))
	b.Write(head)
	_ = binary.Write(&b, binary.LittleEndian, values)
	return tokens, b.Bytes(), lines.Bytes()
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

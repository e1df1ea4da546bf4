package corpus

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// nasty are documents whose texts have line breaks, quotes, commas and bytes that are not UTF-8, of
// lengths from nothing to more than a batch of the reader.
func nasty(n int) (ids, labels, texts []string) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("connect connected runs running apple apples tree trees car cars road wheel \"quoted\" a,b \n \r\n \"\" '")
	for i := range n {
		length := rng.IntN(400)
		switch {
		case i == n/2:
			length = 40_000
		case i%50 == 7:
			length = 0
		}
		var text []string
		for range length {
			text = append(text, words[rng.IntN(len(words))])
		}
		if i%11 == 0 {
			text = append(text, fmt.Sprintf("rare%c%c", 'a'+i%26, 'a'+i/26%26))
		}
		ids, labels, texts = append(ids, fmt.Sprintf("d%d", i)), append(labels, []string{"x", "y", "", "z"}[rng.IntN(4)]), append(texts, strings.Join(text, " "))
	}
	texts[2*n/3] += " b\xffd"
	return ids, labels, texts
}

// sharedFiles are files that ranks read from the start and count a part of, by their names.
func sharedFiles(t *testing.T, n int) map[string][]byte {
	t.Helper()
	ids, labels, texts := nasty(n)
	files := map[string][]byte{}
	table := func(comma rune, crlf bool, head ...string) []byte {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = comma, crlf
		_ = w.Write(head)
		for i := range ids {
			_ = w.Write([]string{ids[i], labels[i], texts[i]}[:len(head)])
		}
		w.Flush()
		return b.Bytes()
	}
	files["quoted.csv"] = table(',', false, "id", "label", "text")
	files["quoted.tsv"] = table('\t', true, "id", "label", "text")
	var lines, fast bytes.Buffer
	var array []map[string]string
	for i, text := range texts {
		line := strings.Join(strings.Fields(text), " ")
		fmt.Fprintf(&lines, "%s\n", line)
		fmt.Fprintf(&fast, "__label__%s w%s\n", labels[i]+"k", line)
		array = append(array, map[string]string{"id": ids[i], "label": labels[i], "text": strings.ToValidUTF8(text, "?")})
	}
	files["lines.txt"], files["fast.txt"] = lines.Bytes(), fast.Bytes()
	files["array.json"], _ = json.Marshal(array)
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, i := range rand.New(rand.NewPCG(5, 6)).Perm(n) { // in another order than that of the names
		name := fmt.Sprintf("corpus/%s/%s.txt", map[bool]string{true: "a", false: "b"}[i%3 == 0], ids[i])
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(texts[i])), Typeflag: tar.TypeReg})
		_, _ = w.Write([]byte(texts[i]))
	}
	_ = w.WriteHeader(&tar.Header{Name: "corpus/a/link.txt", Linkname: "corpus/b/d1.txt", Typeflag: tar.TypeLink})
	_ = w.Close()
	files["folder.tar"] = archive.Bytes()
	for _, name := range []string{"quoted.csv", "folder.tar"} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(files[name])
		_ = z.Close()
		files[name+".gz"] = packed.Bytes()
	}
	return files
}

// TestSharedFiles: tables with line breaks in fields, lines, arrays and archives, packed or not,
// that ranks count together are the corpus of one process.
func TestSharedFiles(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 1200
	}
	dir := t.TempDir()
	for name, content := range sharedFiles(t, n) {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, content, 0o600))
		opt := ReadOptions{Snippets: 20}
		if strings.HasPrefix(name, "lines") {
			opt.Format = "lines"
		}
		whole, err := Read(context.Background(), path, opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for size := 2; size <= 4; size++ {
			if race.On && size != 3 {
				continue
			}
			parts, errs := togetherRead(context.Background(), size, path, opt, nil)
			for r, err := range errs {
				if err != nil {
					t.Fatalf("%s: rank %d of %d: %v", name, r, size, err)
				}
			}
			if joined(t, parts, whole); t.Failed() {
				t.Fatalf("%s on %d ranks", name, size)
			}
		}
	}
}

// TestSharedCounts: of a file that ranks share each counts its own part, so that none takes the
// memory of all.
func TestSharedCounts(t *testing.T) {
	if race.On {
		t.Skip("TestSharedFiles has ranks count the same files")
	}
	dir := t.TempDir()
	for name, content := range sharedFiles(t, 1200) {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, content, 0o600))
		opt := ReadOptions{Divide: true}
		if strings.HasPrefix(name, "lines") {
			opt.Format = "lines"
		}
		ranks.Together(3, func(team ranks.Team) {
			c, err := readShared(ranks.With(context.Background(), team), team, path, opt, nil)
			if err != nil || c == nil {
				t.Errorf("%s: rank %d does not share it: %v", name, team.Rank(), err)
			}
		})
	}
}

// TestSharedErrors: an error in a record is the one that a process finds that reads all; ids that
// occur again, numbers and mailboxes are read whole.
func TestSharedErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	long := strings.Repeat("apples and trees grow here, ", 20)
	var good, array, numbers strings.Builder
	good.WriteString("id,text\n")
	array.WriteString("[")
	for i := range 1000 {
		fmt.Fprintf(&good, "d%d,\"%s\n%d\"\n", i, long, i)
		fmt.Fprintf(&array, "{\"id\":\"d%d\",\"text\":\"%s\"},\n", i, long)
		fmt.Fprintf(&numbers, "%d,%d,%d\n", i, i*i%7, i%5)
	}
	again := strings.Replace(strings.Replace(good.String(), "id,", "code,", 1), "d700,", "d3,", 1)
	for name, content := range map[string]string{
		"twice.csv":   strings.Replace(good.String(), "d700,", "d3,", 1),
		"broken.json": strings.Replace(array.String(), "{\"id\":\"d800\"", "{id", 1) + "{}]",
		"open.csv":    good.String() + "d,\"" + long,
		"again.csv":   again,
		"numbers.csv": "a,b,c\n" + numbers.String(),
	} {
		path := file(name, content)
		whole, want := Read(context.Background(), path, ReadOptions{})
		parts, errs := togetherRead(context.Background(), 3, path, ReadOptions{}, nil)
		for r, err := range errs {
			if (want == nil) != (err == nil) || want != nil && err.Error() != want.Error() {
				t.Errorf("%s: rank %d: %v\nis not\n%v", name, r, err, want)
			}
		}
		if want == nil && !t.Failed() && name != "numbers.csv" {
			joined(t, parts, whole)
		}
	}
}

// TestSharedOtherContent: a rank that has another file of the same length is found.
func TestSharedOtherContent(t *testing.T) {
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "a", "corpus.csv"), filepath.Join(dir, "b", "corpus.csv")}
	for k, path := range paths {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		text := strings.Repeat("a,apples and trees\nb,cars and roads\n", 100)
		if k > 0 {
			text = strings.Replace(text, "cars", "bars", 1)
		}
		must.Do(t, os.WriteFile(path, []byte("label,text\n"+text), 0o600))
	}
	ranks.Together(2, func(team ranks.Team) {
		_, err := Read(ranks.With(context.Background(), team), paths[team.Rank()], ReadOptions{Divide: true})
		if err == nil || !strings.Contains(err.Error(), "rank 1") {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
}

package static

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// small are tokenizers of every kind, of tokens 0 to 3.
var small = map[string]string{
	"words": `{"added_tokens":[{"id":3,"content":"[X]","special":true}],"normalizer":{"type":"Lowercase"},` +
		`"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel","vocab":{"[U]":0,"cat":1,"dog":2},"unk_token":"[U]"}}`,
	"pieces": `{"normalizer":{"type":"BertNormalizer","lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},` +
		`"model":{"type":"WordPiece","vocab":{"[U]":0,"cat":1,"##s":2},"unk_token":"[U]","continuing_subword_prefix":"##","max_input_chars_per_word":9}}`,
	"unigram": `{"normalizer":{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "},"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"always"},` +
		`"model":{"type":"Unigram","unk_id":0,"vocab":[["<u>",0],["_c",-1.5],["at",-2],["s",-3]]}}`,
}

// damages are what becomes of each byte in turn.
func damages(b byte) []byte { return []byte{b ^ 1, '9', '"'} }

// Whatever byte of a model is another one, it is read or refused: nothing panics.
func TestDamagedFiles(t *testing.T) {
	table := tensorsOf("embeddings", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)
	dir := t.TempDir()
	tokens, tensor := filepath.Join(dir, tokenizerFile), filepath.Join(dir, tensorFile)
	read, refused := 0, 0
	embed := func(what string, at int) {
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%s with another byte %d: panic: %v", what, at, r)
			}
		}()
		_, err := Embed(ctx, dir, []string{"Cats  dog [X]", "\u00e9 at\xff", ""}, input.Limits{})
		var format *input.FormatError
		switch {
		case err == nil:
			read++
		case errors.As(err, &format), errors.Is(err, memory.ErrLimit):
			refused++
		default:
			t.Errorf("%s with another byte %d: %v", what, at, err)
		}
	}
	damage := func(what, path string, good []byte, bytes int) {
		for at := range bytes {
			for _, b := range damages(good[at]) {
				bad := []byte(string(good))
				bad[at] = b
				save(t, path, bad)
				embed(what, at)
			}
		}
		save(t, path, good)
	}
	save(t, tensor, table)
	for name, text := range small {
		save(t, tokens, []byte(text))
		if embed(name, -1); refused > 0 && read == 0 {
			t.Fatalf("%s is refused as it is", name)
		}
		damage(name, tokens, []byte(text), len(text))
	}
	damage("tensors", tensor, table, len(table)-32)
	if read < 100 || refused < 100 {
		t.Errorf("%d read, %d refused", read, refused)
	}
}

// The token for what is not known is one of the vocabulary.
func TestUnigramUnknown(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, tensorFile), tensorsOf("embeddings", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2))
	for _, id := range []string{"4", "9", "-1"} {
		save(t, filepath.Join(dir, tokenizerFile), []byte(strings.Replace(small["unigram"], `"unk_id":0`, `"unk_id":`+id, 1)))
		refused(t, dir, "not known has the number "+id)
	}
}

// Vectors are no integers of 32 bits, and rows of tokens no floating-point numbers.
func TestTypesOfArrays(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, tokenizerFile), []byte(small["words"]))
	path := filepath.Join(dir, tensorFile)
	good := tensorsOf("embeddings", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)
	save(t, path, bytes.Replace(good, []byte("F32"), []byte("I32"), 1))
	refused(t, dir, "embeddings is of the type I32")
	head := `{"embeddings":{"dtype":"F32","shape":[4,2],"data_offsets":[0,32]},"mapping":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	save(t, path, append(append(file, head...), good[len(good)-32:]...))
	refused(t, dir, "mapping is of the type F32")
}

// The configuration is a part of the model: another one has another hash, and a damaged one is
// refused.
func TestConfiguration(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, tokenizerFile), []byte(small["words"]))
	save(t, filepath.Join(dir, tensorFile), tensorsOf("embeddings", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2))
	config := filepath.Join(dir, configFile)
	seen := map[string]string{}
	for _, text := range []string{"", `{"normalize":true}`, `{"normalize":false}`} {
		if text != "" {
			save(t, config, []byte(text))
		}
		r := must.Get(Embed(ctx, dir, []string{"cat"}, input.Limits{}))(t)
		if other, ok := seen[r.Hash]; ok {
			t.Errorf("configurations %q and %q have the same hash", text, other)
		}
		seen[r.Hash] = text
	}
	save(t, config, []byte(`{"normalize":tr`))
	refused(t, dir, "config.json")
	must.Do(t, os.Remove(config))
	must.Do(t, os.Mkdir(config, 0o755))
	if _, err := Embed(ctx, dir, []string{"cat"}, input.Limits{}); err == nil {
		t.Error("a configuration that cannot be read is none")
	}
}

// A binary file stays one whatever bytes its numbers have, and text one of long lines.
func TestWordVectorsAreRecognised(t *testing.T) {
	dir := t.TempDir()
	for _, first := range []byte("\n\r1 ") {
		var b bytes.Buffer
		fmt.Fprintf(&b, "2 3\ncat ")
		b.Write([]byte{first, 0, 0x80, 0x3f})
		binary.Write(&b, binary.LittleEndian, []float32{2, 3})
		b.WriteString("\ndog ")
		binary.Write(&b, binary.LittleEndian, []float32{4, 5, 6})
		path := filepath.Join(dir, "words.bin")
		save(t, path, b.Bytes())
		if r, err := Embed(ctx, path, []string{"dog"}, input.Limits{}); err != nil || r.X.At(0, 2) != 6 {
			t.Errorf("a number that begins with %q: %v", first, err)
		}
	}
	for _, width := range []int{300, 1000, 20_000} {
		line := strings.Repeat(" 0.123456", width-1) + " 7\n"
		glove := "cat" + line + "dog" + line
		for _, head := range []string{"", fmt.Sprintf("2 %d\n", width)} {
			path := filepath.Join(dir, "wide.txt")
			save(t, path, []byte(head+glove))
			r, err := Embed(ctx, path, []string{"dog"}, input.Limits{})
			if err != nil || r.Width != width || r.X.At(0, width-1) != 7 {
				t.Errorf("%d numbers after the head %q: %v", width, head, err)
			}
		}
	}
	path := filepath.Join(dir, "line.txt")
	save(t, path, bytes.Repeat([]byte("1.5 "), 17*mostWidth))
	refused(t, path, "no list of word vectors")
}

// A packed file takes more memory than its bytes.
func TestMemoryOfPackedVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words.txt.gz")
	for _, head := range []string{"", "1000 50\n"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(z, head)
		for k := range 1000 {
			fmt.Fprintf(z, "w%d", k)
			for j := range 50 {
				fmt.Fprintf(z, " %.4f", float64((k*7919+j*104729)%20011)/10000)
			}
			fmt.Fprintln(z)
		}
		must.Do(t, z.Close())
		save(t, path, b.Bytes())
		if width, n, err := Width(ctx, path, input.Limits{}); err != nil || width != 50 || n < 4*50*1000 || n > 4*4*50*1000 {
			t.Errorf("head %q: width %d, %d bytes: %v", head, width, n, err)
		}
	}
}

// The memory of different words is asked for also if there are few texts.
func TestMemoryOfWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words.txt")
	save(t, path, []byte("cat 1 2\n"))
	var text strings.Builder
	for k := range 5000 {
		fmt.Fprintf(&text, "w%d ", k)
	}
	if _, err := Embed(ctx, path, []string{text.String()}, input.Limits{MaxBytes: 600_000}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("error %v", err)
	}
}

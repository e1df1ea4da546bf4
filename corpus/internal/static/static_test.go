package static

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

var ctx = context.Background()

// expected is what testdata/make.py wrote: what the library tokenizers 0.23.3 and model2vec 0.10.0
// make of texts.
func expected(t *testing.T) (texts []string, ids map[string][][]int32, vectors map[string][][]float64) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/expected.json"))(t)
	var file struct {
		Texts   []string               `json:"texts"`
		IDs     map[string][][]int32   `json:"ids"`
		Vectors map[string][][]float64 `json:"vectors"`
	}
	must.Do(t, json.Unmarshal(text, &file))
	if len(file.IDs) != 5 || len(file.Texts) < 10 {
		t.Fatalf("%d models, %d texts", len(file.IDs), len(file.Texts))
	}
	return file.Texts, file.IDs, file.Vectors
}

// Each kind of tokenizer finds the tokens that the library tokenizers finds.
func TestTokensAgree(t *testing.T) {
	texts, ids, _ := expected(t)
	for name, want := range ids {
		tok := must.Get(readTokenizer(filepath.Join("testdata", name, tokenizerFile)))(t)
		for i, text := range texts {
			if got := tok.encode(text); !slices.Equal(got, want[i]) {
				t.Errorf("%s: %q: tokens\n%v, not\n%v", name, text, got, want[i])
			}
		}
	}
}

// Vectors are model2vec's: of float16, int8 with weights, float32 scaled to length 1, float64 with
// weights and fewer rows than tokens.
func TestVectorsAgree(t *testing.T) {
	texts, _, vectors := expected(t)
	for name, want := range vectors {
		r := must.Get(Embed(ctx, filepath.Join("testdata", name), texts, input.Limits{}))(t)
		tol := 1e-6
		if name == "uncased" {
			tol = 2e-3 // model2vec adds float16
		}
		empty := 0
		for i := range texts {
			zero := true
			for j, v := range want[i] {
				if math.Abs(r.X.At(i, j)-v) > tol*(1+math.Abs(v)) {
					t.Errorf("%s: %q: %v, not %v", name, texts[i], r.X.RawRowView(i), want[i])
					break
				}
				zero = zero && v == 0
			}
			if zero {
				empty++
			}
		}
		if r.Without != empty || r.Width != 6 || len(r.Hash) != 64 {
			t.Errorf("%s: %d texts without a token, not %d; width %d", name, r.Without, empty, r.Width)
		}
		if width, bytes, err := Width(ctx, filepath.Join("testdata", name), input.Limits{}); err != nil || width != 6 || bytes < 24 {
			t.Errorf("%s: width %d, %d bytes: %v", name, width, bytes, err)
		}
	}
}

// Vectors are the same whatever else is read beside a text, and the layout of Sentence Transformers
// counts the token for what is not known, as that program does.
func TestNestedLayout(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, nested)
	must.Do(t, os.Mkdir(inner, 0o755))
	tok := `{"model":{"type":"WordLevel","vocab":{"[UNK]":0,"cat":1,"dog":2},"unk_token":"[UNK]"},"pre_tokenizer":{"type":"WhitespaceSplit"}}`
	save(t, filepath.Join(inner, tokenizerFile), []byte(tok))
	save(t, filepath.Join(inner, tensorFile), tensorsOf("embedding.weight", []float32{10, 20, 1, 2, 3, 4}, 3, 2))
	r := must.Get(Embed(ctx, dir, []string{"cat dog", "cat bird", ""}, input.Limits{}))(t)
	if got := r.X.RawMatrix().Data; !slices.Equal(got, []float64{2, 3, 5.5, 11, 0, 0}) {
		t.Error(got)
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 1: 0x1p-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x7c00: float32(math.Inf(1))} {
		if got := half(bits); got != want {
			t.Errorf("%#x: %v, not %v", bits, got, want)
		}
	}
	if v := half(0x7e00); v == v {
		t.Error("not a number is one")
	}
}

func save(t *testing.T, path string, text []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o644))
}

// tensorsOf is a file of one array of float32.
func tensorsOf(name string, values []float32, shape ...int) []byte {
	head, _ := json.Marshal(map[string]any{name: map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{0, 4 * len(values)}}, "__metadata__": map[string]string{"format": "pt"}})
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, uint64(len(head)))
	b.Write(head)
	binary.Write(&b, binary.LittleEndian, values)
	return b.Bytes()
}

// The formats of word vectors hold the same vectors, with and without a head, packed and not.
func TestWordVectors(t *testing.T) {
	list := []struct {
		word string
		v    []float32
	}{{"Cat", []float32{1, 2}}, {"cat", []float32{3, 4}}, {"dog", []float32{5, 6}}, {"don't", []float32{7, 8}}, {"New York", []float32{0, 0}}, {"well", []float32{2, 2}}, {"dog", []float32{9, 9}}}
	var glove, binaryForm bytes.Buffer
	fmt.Fprintf(&binaryForm, "%d 2\n", len(list))
	for _, e := range list {
		fmt.Fprintf(&glove, "%s %g %g\n", e.word, e.v[0], e.v[1])
		binaryForm.WriteString(strings.ReplaceAll(e.word, " ", "_") + " ")
		binary.Write(&binaryForm, binary.LittleEndian, e.v)
		binaryForm.WriteByte('\n')
	}
	word2vec := fmt.Sprintf("%d 2\n%s", len(list), glove.String())
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(word2vec))
	z.Close()
	dir := t.TempDir()
	texts := []string{"Cat", "a cat, a DOG", "don't!", "well-dog", "nothing here", ""}
	want := []float64{1, 2, 4, 5, 7, 8, 3.5, 4, 0, 0, 0, 0}
	for name, content := range map[string][]byte{"glove.txt": glove.Bytes(), "w2v.vec": []byte(word2vec), "w2v.bin": binaryForm.Bytes(), "w2v.vec.gz": packed.Bytes(),
		"crlf.txt": []byte(strings.ReplaceAll(word2vec, "\n", " \r\n"))} {
		path := filepath.Join(dir, name)
		save(t, path, content)
		r := must.Get(Embed(ctx, path, texts, input.Limits{}))(t)
		if got := r.X.RawMatrix().Data; !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
		if r.Without != 2 || r.Rows != 5 {
			t.Errorf("%s: %d texts without a word, %d rows", name, r.Without, r.Rows)
		}
		if width, _, err := Width(ctx, path, input.Limits{}); err != nil || width != 2 {
			t.Errorf("%s: width %d: %v", name, width, err)
		}
	}
}

func TestWords(t *testing.T) {
	got := wordsOf("'tis the rock-'n'-roll, e.g. foo_bar... x-ray's naïve. 3.14-")
	if want := []string{"tis", "the", "rock", "n", "roll", "e.g", "foo_bar", "x-ray's", "naïve", "3.14"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What is wrong with a model is one sentence that names the file.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	level := `{"model":{"type":"WordLevel","vocab":{"[UNK]":0,"cat":1,"dog":2},"unk_token":"[UNK]"}%s}`
	good := tensorsOf("embeddings", []float32{1, 2, 3, 4, 5, 6}, 3, 2)
	cut := func(b []byte, n int) []byte { return b[:n] }
	fasttext := binary.LittleEndian.AppendUint32(nil, fastTextMagic)
	for name, c := range map[string]struct {
		tokens string
		tensor []byte
		says   string
	}{
		"bpe":        {`{"model":{"type":"BPE","vocab":{},"merges":[]}}`, good, "model BPE is not known"},
		"bytelevel":  {fmt.Sprintf(level, `,"pre_tokenizer":{"type":"ByteLevel"}`), good, "ByteLevel is not known"},
		"normalizer": {fmt.Sprintf(level, `,"normalizer":{"type":"Nmt"}`), good, "normalizer Nmt is not known"},
		"behavior":   {fmt.Sprintf(level, `,"pre_tokenizer":{"type":"Punctuation","behavior":"Removed"}`), good, "behavior Removed"},
		"added":      {fmt.Sprintf(level, `,"added_tokens":[{"id":1,"content":"cat","normalized":true}]`), good, `added token "cat"`},
		"regex":      {fmt.Sprintf(level, `,"normalizer":{"type":"Replace","pattern":{"Regex":"(?<=a)b"},"content":""}`), good, "pattern that is not known"},
		"charsmap":   {fmt.Sprintf(level, `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}`), good, "Precompiled cannot be read"},
		"json":       {`{`, good, "cannot be read as JSON"},
		"no model":   {`{}`, good, "no tokenizer"},
		"bytes":      {`{"model":{"type":"Unigram","vocab":[["a",-1]],"byte_fallback":true}}`, good, "falls back to bytes"},
		"piece":      {`{"model":{"type":"Unigram","vocab":[["a"]]}}`, good, "cannot be read"},
		"short":      {fmt.Sprintf(level, ""), cut(good, 5), "shorter than the head"},
		"head":       {fmt.Sprintf(level, ""), cut(good, 30), "cut off"},
		"data":       {fmt.Sprintf(level, ""), cut(good, len(good)-1), "it must be a whole array"},
		"name":       {fmt.Sprintf(level, ""), tensorsOf("weights", []float32{1, 2}, 2), "no array embeddings"},
		"dims":       {fmt.Sprintf(level, ""), tensorsOf("embeddings", []float32{1, 2}, 2), "of 2 dimensions"},
		"few":        {fmt.Sprintf(level, ""), tensorsOf("embeddings", []float32{1, 2, 3, 4}, 2, 2), "of different models"},
		"nan":        {fmt.Sprintf(level, `,"pre_tokenizer":{"type":"WhitespaceSplit"}`), tensorsOf("embeddings", []float32{1, 2, float32(math.NaN()), 4, 5, 6}, 3, 2), "no number"},
	} {
		folder := filepath.Join(dir, strings.ReplaceAll(name, " ", ""))
		must.Do(t, os.Mkdir(folder, 0o755))
		save(t, filepath.Join(folder, tokenizerFile), []byte(c.tokens))
		save(t, filepath.Join(folder, tensorFile), c.tensor)
		refused(t, folder, c.says)
	}
	for name, c := range map[string]struct{ text, says string }{
		"empty.txt":  {"", "the file is empty"},
		"prose.txt":  {"a text of some words\nand more of them\n", "is no number"},
		"widths.txt": {"a 1 2\nb 1\n", "line 2: it has 1 number"},
		"cut.vec":    {"3 2\na 1 2\n", "says that it has 3 words"},
		"cut.bin":    {"3 2\na \x00\x00\x80\x3f\x00\x00", "word 1: the file ends here"},
		"nan.txt":    {"a 1 2\nb NaN 1\n", "no number"},
		"model.bin":  {string(fasttext) + "\n", "model of fastText"},
	} {
		path := filepath.Join(dir, name)
		save(t, path, []byte(c.text))
		refused(t, path, c.says)
	}
	refused(t, filepath.Join(dir, "missing"), "no such file")
	refused(t, t.TempDir(), "holds no model.safetensors")
}

func refused(t *testing.T, path, says string) {
	t.Helper()
	_, err := Embed(ctx, path, []string{"cat a dog b"}, input.Limits{})
	var format *input.FormatError
	if !errors.As(err, &format) || !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: error %v, want one with %q", path, err, says)
	}
}

// The memory of the rows that are used is asked for before it is taken.
func TestMemory(t *testing.T) {
	texts, _, _ := expected(t)
	_, err := Embed(ctx, "testdata/uncased", texts, input.Limits{MaxBytes: 2000})
	if !errors.Is(err, memory.ErrLimit) {
		t.Errorf("error %v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Embed(stopped, "testdata/uncased", texts, input.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

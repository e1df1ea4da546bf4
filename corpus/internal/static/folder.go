package static

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
)

// The files of a model in a folder. Sentence Transformers may put the first two into nested.
const (
	tensorFile    = "model.safetensors"
	tokenizerFile = "tokenizer.json"
	configFile    = "config.json"
	nested        = "0_StaticEmbedding"
)

// jsonFactor is the memory of a tokenizer while it is read, in sizes of its file.
const jsonFactor = 8

// folderModel is a table and a tokenizer in a folder.
type folderModel struct {
	dir       string
	limits    input.Limits
	tensors   *tensors
	tokenizer *tokenizer
	unit      bool
	config    string // the file that says so; "" if there is none
}

// findFolder is the folder that holds the two files.
func findFolder(path string) (string, error) {
	for _, dir := range []string{path, filepath.Join(path, nested)} {
		_, err := os.Stat(filepath.Join(dir, tensorFile))
		_, other := os.Stat(filepath.Join(dir, tokenizerFile))
		if err == nil && other == nil {
			return dir, nil
		}
	}
	return "", input.Failf(path, "", "it holds no %s with a %s, so it is no model of static embeddings such as model2vec's; give such a folder, or a file of word vectors", tensorFile, tokenizerFile)
}

func openFolder(ctx context.Context, path string, limits input.Limits) (*folderModel, error) {
	dir, err := findFolder(path)
	if err != nil {
		return nil, err
	}
	m := &folderModel{dir: dir, limits: limits}
	if m.tensors, err = readHead(filepath.Join(dir, tensorFile)); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, tokenizerFile)
	if info, err := os.Stat(file); err == nil {
		if err := need(ctx, limits, jsonFactor*info.Size(), "the tokenizer of %s", path); err != nil {
			return nil, err
		}
	}
	if m.tokenizer, err = readTokenizer(file); err != nil {
		return nil, err
	}
	if err := m.configure(); err != nil {
		return nil, err
	}
	return m, m.fits()
}

// configure reads the configuration, if there is one.
func (m *folderModel) configure() error {
	path := filepath.Join(m.dir, configFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return input.OpenError(path, err)
	}
	var config struct {
		Normalize bool `json:"normalize"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return input.Failf(path, "", "it cannot be read as JSON: %v; copy the model again", err)
	}
	m.unit, m.config = config.Normalize, path
	return nil
}

// fits refuses a table of other tokens than the tokenizer's.
func (m *folderModel) fits() error {
	t, most := m.tensors, m.tokenizer.most()
	rows := t.table.Shape[0]
	if t.mapping != nil { // tokens share rows
		rows = t.mapping.Shape[0]
	}
	if t.weights != nil {
		rows = min(rows, t.weights.Shape[0])
	}
	if rows <= most {
		return input.Failf(t.path, "", "it has vectors of %d tokens, and its tokenizer has the token number %d; the two files are of different models", rows, most)
	}
	return nil
}

func (m *folderModel) files() []string {
	list := []string{filepath.Join(m.dir, tensorFile), filepath.Join(m.dir, tokenizerFile)}
	if m.config != "" {
		list = append(list, m.config)
	}
	return list
}

func (m *folderModel) tokenize(ctx context.Context, texts []string) ([][]int32, error) {
	bytes := int64(0)
	for _, s := range texts {
		bytes += int64(len(s))
	}
	// A token has a character at least, and mostly some; the lists grow by doubling.
	if err := need(ctx, m.limits, memory.Sum(bytes, bytes, memory.Bytes(24, len(texts))), "the tokens of %s", words.Counted(len(texts), "text")); err != nil {
		return nil, err
	}
	ids := make([][]int32, len(texts))
	err := parallel.For(ctx, len(texts), grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			ids[i] = m.tokenizer.encode(texts[i])
			if !m.tensors.unknown {
				ids[i] = without(ids[i], m.tokenizer.unknown)
			}
		}
		return nil
	})
	return ids, err
}

// without leaves a token out, as model2vec does with the one for what is not known.
func without(ids []int32, unknown int32) []int32 {
	kept := ids[:0]
	for _, id := range ids {
		if id != unknown {
			kept = append(kept, id)
		}
	}
	return kept
}

// lookUp reads the rows of tokens that occur, in the order of the file.
func (m *folderModel) lookUp(ctx context.Context, ids [][]int32) (*table, error) {
	t := m.tensors
	out := &table{width: t.table.Shape[1], row: make([]int32, m.tokenizer.most()+1), unit: m.unit}
	used := 0
	for _, list := range ids {
		for _, id := range list {
			if out.row[id] == 0 {
				out.row[id] = 1
				used++
			}
		}
	}
	if err := need(ctx, m.limits, memory.Bytes(4, used, out.width), "the vectors of %s, of %d numbers each", words.Counted(used, "token"), out.width); err != nil {
		return nil, err
	}
	f, err := os.Open(t.path)
	if err != nil {
		return nil, input.OpenError(t.path, err)
	}
	defer f.Close()
	var place []int64
	if t.mapping != nil {
		if place, err = t.integers(f, t.mapping); err != nil {
			return nil, err
		}
	}
	out.values = make([]float32, used*out.width)
	buffer := make([]byte, 8*out.width)
	next, weight := int32(0), make([]float32, 1)
	for id, occurs := range out.row {
		if out.row[id] = -1; occurs == 0 {
			continue
		}
		if id%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := int64(id)
		if place != nil {
			at = place[id]
		}
		if at < 0 || at >= int64(t.table.Shape[0]) {
			return nil, input.Failf(t.path, "", "its token %d has the row %d of %d", id, at, t.table.Shape[0])
		}
		row := out.values[int(next)*out.width:][:out.width]
		if err := t.read(f, &t.table, at*int64(out.width), row, buffer); err != nil {
			return nil, err
		}
		if t.weights != nil {
			if err := t.read(f, t.weights, int64(id), weight, buffer); err != nil {
				return nil, err
			}
		}
		for j := range row {
			if t.weights != nil {
				row[j] *= weight[0]
			}
			if math.IsNaN(float64(row[j])) || math.IsInf(float64(row[j]), 0) {
				return nil, input.Failf(t.path, "", "the vector of its token %d holds %v, which is no number; copy the model again", id, row[j])
			}
		}
		out.row[id] = next
		next++
	}
	return out, nil
}

//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// corpora are the corpora that C holds.
var corpora = registry[*eigenmap.Reading]{what: "corpus"}

// readCorpus makes a handle of the documents that read reads.
func readCorpus(cc *C.eigenmap_call, options *C.char, out *C.uintptr_t, read func(ctx context.Context, opt eigenmap.Options) (*eigenmap.Reading, error)) C.int {
	c := call{c: cc}
	s, err := c.settingsOf(options)
	if err == nil && out == nil {
		err = missing("corpus")
	}
	if err != nil {
		return c.failed(err)
	}
	var found *eigenmap.Reading
	code := c.runWith(s, func(ctx context.Context) (err error) {
		found, err = read(ctx, s.Options)
		if err == nil && found.Graph != nil {
			err = invalid.Errorf("the file is a graph, which is no corpus: cluster it by the program eigenmap, or fit its matrix as one of affinities (precomputed, EIGENMAP_AFFINITY)")
		}
		return err
	})
	if code == 0 {
		for k, note := range found.Corpus.Notes {
			found.Corpus.Notes[k] = words.Rename(note, c.name)
		}
		*out = corpora.add(found)
	}
	return code
}

//export eigenmapGoCorpusRead
func eigenmapGoCorpusRead(cc *C.eigenmap_call, path, options *C.char, out *C.uintptr_t) C.int {
	if path == nil {
		return call{c: cc}.failed(missing("path"))
	}
	file := C.GoString(path)
	return readCorpus(cc, options, out, func(ctx context.Context, opt eigenmap.Options) (*eigenmap.Reading, error) {
		return eigenmap.Read(ctx, file, opt)
	})
}

// textsOf copies the caller's texts.
func textsOf(n C.int64_t, texts **C.char) ([]string, error) {
	switch {
	case n < 0 || n > sparse.MaxDim:
		return nil, invalid.Errorf("the number of texts is %d: it must be between 0 and %d", int64(n), sparse.MaxDim)
	case n > 0 && texts == nil:
		return nil, missing("texts")
	}
	list := make([]string, n)
	for i, text := range unsafe.Slice(texts, n) {
		if text == nil {
			return nil, invalid.Errorf("text %d is NULL (counted from 0): give \"\" for an empty one", i)
		}
		if list[i] = C.GoString(text); !utf8.ValidString(list[i]) {
			return nil, invalid.Errorf("text %d is no UTF-8 (counted from 0)", i)
		}
	}
	return list, nil
}

//export eigenmapGoCorpusTexts
func eigenmapGoCorpusTexts(cc *C.eigenmap_call, n C.int64_t, texts **C.char, options *C.char, out *C.uintptr_t) C.int {
	var list []string
	code := call{c: cc}.guarded(func() (err error) {
		list, err = textsOf(n, texts)
		return err
	})
	if code != 0 {
		return code
	}
	return readCorpus(cc, options, out, func(ctx context.Context, opt eigenmap.Options) (*eigenmap.Reading, error) {
		return eigenmap.ReadingOf(ctx, list, opt)
	})
}

//export eigenmapGoCorpusFree
func eigenmapGoCorpusFree(id C.uintptr_t) { corpora.remove(id) }

// corpusJSON is what is known about documents, as JSON.
type corpusJSON struct {
	Name      string   `json:"name"`
	Format    string   `json:"format,omitempty"`
	Documents int      `json:"documents"`
	Columns   int      `json:"columns"`
	Terms     []string `json:"terms,omitempty"`
	IDs       []string `json:"ids,omitempty"`
	Classes   []string `json:"classes,omitempty"`
	Labels    []int    `json:"labels,omitempty"` // numbers of classes; -1: none
	Notes     []string `json:"notes"`
}

//export eigenmapGoCorpusDescribe
func eigenmapGoCorpusDescribe(cc *C.eigenmap_call, id C.uintptr_t, out **C.char) C.int {
	return call{c: cc}.guarded(func() error {
		r, err := corpora.find(id)
		if err != nil {
			return err
		}
		if out == nil {
			return missing("json")
		}
		c := r.Corpus
		_, cols := c.X.Dims()
		text, err := json.Marshal(corpusJSON{Name: c.Name, Format: c.Format, Documents: c.Len(), Columns: cols, Terms: c.Terms,
			IDs: c.IDs, Classes: c.ClassNames, Labels: c.Labels, Notes: slices.Concat([]string{}, c.Notes)})
		if err != nil {
			return err
		}
		*out = C.CString(string(text))
		return nil
	})
}

//export eigenmapGoCorpusRows
func eigenmapGoCorpusRows(cc *C.eigenmap_call, id C.uintptr_t, options *C.char, out *C.eigenmap_csr) C.int {
	c := call{c: cc}
	weighting, normalize := corpus.WeightTF, corpus.NormNone
	s, err := c.settingsOf(options, func(name, value string) error {
		switch name {
		case "weighting":
			weighting = value
		case "normalize":
			normalize = value
		default:
			return invalid.Errorf("there is no option %q of rows: they are weighting and normalize", name)
		}
		return nil
	})
	var r *eigenmap.Reading
	if err == nil {
		r, err = corpora.find(id)
	}
	if err == nil && out == nil {
		err = missing("rows")
	}
	if err != nil {
		return c.failed(err)
	}
	return c.runWith(s, func(context.Context) error {
		x, err := r.Corpus.Weighted(weighting, normalize)
		if err != nil {
			return err
		}
		rows, err := sparse.FromMatrix(x)
		if err != nil {
			return err
		}
		putCSR(out, rows)
		return nil
	})
}

//export eigenmapGoFitCorpus
func eigenmapGoFitCorpus(cc *C.eigenmap_call, id C.uintptr_t, purpose C.int32_t, options *C.char, known *C.eigenmap_known, out *C.uintptr_t) C.int {
	c := call{c: cc}
	r, err := corpora.find(id)
	if err != nil {
		return c.failed(err)
	}
	return c.model(options, known, int64(r.Corpus.Len()), purpose, out, func(s *settings, take taker) C.int {
		return c.fitReading(r, purpose, s, take)
	})
}

//export eigenmapGoCorpusSelect
func eigenmapGoCorpusSelect(cc *C.eigenmap_call, id C.uintptr_t, n C.int64_t, rows *C.int64_t, out *C.uintptr_t) C.int {
	return call{c: cc}.guarded(func() error {
		r, err := corpora.find(id)
		switch {
		case err != nil:
			return err
		case out == nil:
			return missing("part")
		case n < 1 || n > sparse.MaxDim:
			return invalid.Errorf("the number of rows is %d: it must be between 1 and %d", int64(n), sparse.MaxDim)
		case rows == nil:
			return missing("rows")
		}
		list := make([]int, n)
		for i, row := range unsafe.Slice((*int64)(rows), n) {
			if row < 0 || row >= int64(r.Corpus.Len()) {
				return invalid.Errorf("row %d is not there: the corpus has the rows 0 to %d", row, r.Corpus.Len()-1)
			}
			list[i] = int(row)
		}
		part := *r
		part.Corpus = r.Corpus.SelectRows(list)
		*out = corpora.add(&part)
		return nil
	})
}

// fitReading runs a command over documents that were read.
func (c call) fitReading(r *eigenmap.Reading, purpose C.int32_t, s *settings, take taker) C.int {
	if s.columns != nil {
		return c.failed(invalid.Errorf("column-names: a corpus names its columns itself: leave them out"))
	}
	return c.fitted(purpose, s, func(ctx context.Context, command string) (*eigenmap.Run, error) {
		p, err := eigenmap.Prepare(s.Options, command)
		if err != nil {
			return nil, err
		}
		return p.OnReading(ctx, r)
	}, take)
}

// texts are n texts of the caller's, checked, or a code.
func (c call) texts(n C.int64_t, texts **C.char) (list []string, code C.int) {
	code = c.guarded(func() (err error) {
		list, err = textsOf(n, texts)
		return err
	})
	return list, code
}

//export eigenmapGoPredictTexts
func eigenmapGoPredictTexts(cc *C.eigenmap_call, id C.uintptr_t, n C.int64_t, texts **C.char, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double) C.int {
	c := call{c: cc}
	list, code := c.texts(n, texts)
	if code != 0 {
		return code
	}
	return c.place(id, options, layout, labels, embedding, posterior, func(ctx context.Context, m *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Prediction, error) {
		return m.PredictTexts(ctx, list, opt)
	})
}

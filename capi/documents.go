//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// documents are the caller's documents, with what is beside them.
type documents struct {
	x       *C.eigenmap_matrix
	corpus  *eigenmap.Reading
	texts   []string
	vectors mat.Matrix
	columns []corpus.Column
	kinds   []string // of columns whose kind is given: NAME=KIND
}

// documents checks the caller's documents.
func (c call) documents(d *C.eigenmap_documents) (found *documents, code C.int) {
	code = c.guarded(func() (err error) {
		found, err = documentsOf(d)
		return err
	})
	return found, code
}

func documentsOf(d *C.eigenmap_documents) (*documents, error) {
	if d == nil {
		return nil, missing("documents")
	}
	given := 0
	for _, there := range []bool{d.x != nil, d.corpus != nil, d.texts != nil} {
		if there {
			given++
		}
	}
	if given != 1 {
		return nil, invalid.Errorf("the documents are given in %d ways: give one of x, corpus and texts", given)
	}
	found := &documents{x: d.x}
	var err error
	switch {
	case d.corpus != nil:
		found.corpus, err = corpora.find(C.uintptr_t(uintptr(unsafe.Pointer(d.corpus))))
	case d.texts != nil:
		found.texts, err = textsOf(d.n, (**C.char)(unsafe.Pointer(d.texts)))
	}
	if err == nil && d.vectors != nil {
		if d.vectors.layout == C.EIGENMAP_AFFINITY {
			return nil, badLayout(d.vectors.layout)
		}
		found.vectors, err = matrixOf(d.vectors)
	}
	if err == nil && d.columns != nil {
		err = found.readColumns([]byte(C.GoString(d.columns)))
	}
	return found, err
}

// readColumns reads columns as JSON.
func (d *documents) readColumns(text []byte) error {
	var list []struct {
		Name   string `json:"name"`
		Kind   string `json:"kind"`
		Values []any  `json:"values"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		return invalid.Errorf("columns: the JSON text is no list of columns with a name, values and perhaps a kind: %s", words.WrongJSON(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return invalid.Errorf("columns: the JSON text goes on behind the list of columns")
	}
	for _, c := range list {
		of := columnOf
		switch c.Kind {
		case "", model.KindNumber, model.KindDate:
		case model.KindCategory:
			of = wordColumn // numbers that name categories are no amounts
		default:
			return invalid.Errorf("columns: the kind of %s is %s: it must be category, number or date", words.Name(c.Name), words.Name(c.Kind))
		}
		column, err := of(c.Name, c.Values)
		if err != nil {
			return err
		}
		if d.columns = append(d.columns, column); c.Kind != "" {
			d.kinds = append(d.kinds, c.Name+"="+c.Kind)
		}
	}
	return nil
}

// columnOf makes a column of JSON values: one of numbers if no other values are there but null.
func columnOf(name string, values []any) (corpus.Column, error) {
	c := corpus.Column{Name: name, Values: make([]float64, len(values))}
	present := false
	for i, v := range values {
		number, isNumber := v.(json.Number)
		switch c.Values[i] = math.NaN(); {
		case v == nil:
			continue
		case !isNumber:
			return wordColumn(name, values)
		}
		present = true
		var err error
		if c.Values[i], err = number.Float64(); err != nil {
			return c, invalid.Errorf("columns: value %d of %s is too large for a number", i, name)
		}
	}
	if !present {
		return wordColumn(name, values)
	}
	return c, nil
}

// wordColumn makes a column of words of JSON values.
func wordColumn(name string, values []any) (corpus.Column, error) {
	c := corpus.Column{Name: name, Of: make([]int32, len(values))}
	at := map[string]int32{}
	for i, v := range values {
		word := ""
		switch v := v.(type) {
		case nil:
		case string:
			word = v
		case bool:
			word = strconv.FormatBool(v)
		case json.Number:
			word = writtenNumber(v)
		default:
			return c, invalid.Errorf("columns: value %d of %s is a list or an object: give a number, a text, true, false or null", i, name)
		}
		if c.Of[i] = -1; word == "" {
			continue
		}
		k, known := at[word]
		if !known {
			k = int32(len(c.Words))
			at[word], c.Words = k, append(c.Words, word)
		}
		c.Of[i] = k
	}
	return c, nil
}

// writtenNumber is a number among words, as files have it: 1.0 is 1.
func writtenNumber(v json.Number) string {
	const wholes = 1 << 53 // up to which each is a number in double precision
	x, err := v.Float64()
	if err != nil || x != math.Trunc(x) || math.Abs(x) > wholes {
		return v.String()
	}
	return strconv.FormatFloat(x+0, 'f', -1, 64)
}

// beside adds the vectors and the columns to the options of a fit. Kinds of columns are said of
// them as view-columns says them, beside what the options name.
func (d *documents) beside(opt *eigenmap.Options) {
	opt.Vectors.Rows, opt.Vectors.Columns = d.vectors, d.columns
	opt.Vectors.ViewColumns = append(slices.Clip(opt.Vectors.ViewColumns), d.kinds...)
}

//export eigenmapGoFitDocuments
func eigenmapGoFitDocuments(cc *C.eigenmap_call, d *C.eigenmap_documents, purpose C.int32_t, options *C.char, known *C.eigenmap_known, out *C.uintptr_t) C.int {
	c := call{c: cc}
	docs, code := c.documents(d)
	switch {
	case code != 0:
		return code
	case docs.texts != nil:
		return c.failed(invalid.Errorf("a fit takes texts as a corpus: make one with eigenmap_corpus_texts"))
	case docs.corpus != nil:
		return c.model(options, known, int64(docs.corpus.Corpus.Len()), purpose, out, func(s *settings, take taker) C.int {
			docs.beside(&s.Options)
			return c.fitReading(docs.corpus, purpose, s, take)
		})
	}
	return c.model(options, known, int64(docs.x.rows), purpose, out, func(s *settings, take taker) C.int {
		docs.beside(&s.Options)
		return c.fit(docs.x, purpose, s, take)
	})
}

// newDocuments are documents for a model, with their rows if they are a matrix, or a code.
func (c call) newDocuments(d *C.eigenmap_documents) (*documents, mat.Matrix, C.int) {
	docs, code := c.documents(d)
	switch {
	case code != 0:
		return nil, nil, code
	case docs.corpus != nil:
		return nil, nil, c.failed(invalid.Errorf("a model counts the words of new documents itself: give their texts, or rows of the columns of the fit"))
	case docs.texts != nil:
		return docs, nil, 0
	}
	m, code := c.newRows(docs.x)
	return docs, m, code
}

//export eigenmapGoPredictDocuments
func eigenmapGoPredictDocuments(cc *C.eigenmap_call, id C.uintptr_t, d *C.eigenmap_documents, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double) C.int {
	c := call{c: cc}
	docs, m, code := c.newDocuments(d)
	if code != 0 {
		return code
	}
	return c.place(id, options, layout, labels, embedding, posterior, func(ctx context.Context, model *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Prediction, error) {
		opt.Vectors.Rows, opt.Vectors.Columns = docs.vectors, docs.columns
		if docs.texts != nil {
			return model.PredictTexts(ctx, docs.texts, opt)
		}
		return model.PredictMatrix(ctx, m, opt)
	})
}

//export eigenmapGoUpdateDocuments
func eigenmapGoUpdateDocuments(cc *C.eigenmap_call, id C.uintptr_t, d *C.eigenmap_documents, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double,
	out *C.uintptr_t, said **C.char) C.int {
	c := call{c: cc}
	docs, m, code := c.newDocuments(d)
	if code != 0 {
		return code
	}
	return c.update(id, options, layout, labels, embedding, posterior, out, said, func(ctx context.Context, model *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Updated, error) {
		opt.Vectors.Rows, opt.Vectors.Columns = docs.vectors, docs.columns
		if docs.texts != nil {
			return model.UpdateTexts(ctx, docs.texts, opt)
		}
		return model.UpdateMatrix(ctx, m, opt)
	})
}

//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"context"
	"encoding/json"

	"github.com/eigenmap/eigenmap"
)

//export eigenmapGoUpdate
func eigenmapGoUpdate(cc *C.eigenmap_call, id C.uintptr_t, x *C.eigenmap_matrix, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double,
	out *C.uintptr_t, said **C.char) C.int {
	c := call{c: cc}
	m, code := c.newRows(x)
	if code != 0 {
		return code
	}
	return c.update(id, options, layout, labels, embedding, posterior, out, said, func(ctx context.Context, model *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Updated, error) {
		return model.UpdateMatrix(ctx, m, opt)
	})
}

//export eigenmapGoUpdateTexts
func eigenmapGoUpdateTexts(cc *C.eigenmap_call, id C.uintptr_t, n C.int64_t, texts **C.char, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double,
	out *C.uintptr_t, said **C.char) C.int {
	c := call{c: cc}
	list, code := c.texts(n, texts)
	if code != 0 {
		return code
	}
	return c.update(id, options, layout, labels, embedding, posterior, out, said, func(ctx context.Context, model *eigenmap.Model, opt eigenmap.Options) (*eigenmap.Updated, error) {
		return model.UpdateTexts(ctx, list, opt)
	})
}

// update takes new documents into a model by grow, hands out what the caller has arrays for, and
// makes a handle of the new model and the text of what grew.
func (c *call) update(id C.uintptr_t, options *C.char, layout C.int32_t, labels *C.int32_t, embedding, posterior *C.double, out *C.uintptr_t, said **C.char,
	grow func(context.Context, *eigenmap.Model, eigenmap.Options) (*eigenmap.Updated, error)) C.int {
	if out == nil {
		return c.failed(missing("updated"))
	}
	var u *eigenmap.Updated
	code := c.place(id, options, layout, labels, embedding, posterior, func(ctx context.Context, m *eigenmap.Model, opt eigenmap.Options) (_ *eigenmap.Prediction, err error) {
		if u, err = grow(ctx, m, opt); err != nil {
			return nil, err
		}
		return u.Prediction, nil
	})
	if code != 0 {
		return code
	}
	return c.guarded(func() error {
		next, err := u.Next()
		if err != nil {
			return err
		}
		text, err := json.Marshal(u.JSON(c.name, nil).Update)
		if err != nil {
			return err
		}
		*out = handles.add(&handle{model: next})
		if said != nil {
			*said = C.CString(string(text))
		}
		return nil
	})
}

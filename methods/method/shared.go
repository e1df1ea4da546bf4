package method

import (
	"context"
	"reflect"
	"sync"

	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// Shared keeps what several fits of the same rows have in common, such as their neighbour graph, so
// that it is computed once. It keeps everything as long as it lives. The zero value is empty.
type Shared struct {
	mu   sync.Mutex
	list []sharedPart
}

type sharedPart struct {
	kind string
	of   mat.Matrix
	key  any
	part any
}

// Common is what compute returns for rows x under the options key, which are compared by value. If
// the input has Shared, it is computed once for the fits that have the same one; errors are not
// kept. What it returns belongs to all of these fits: nobody may change it.
func Common[T any](in *Input, kind string, x mat.Matrix, key any, compute func() (T, error)) (T, error) {
	s := in.Shared
	if s == nil {
		return compute()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.list {
		if p.kind == kind && same(p.of, x) && reflect.DeepEqual(p.key, key) {
			return p.part.(T), nil
		}
	}
	part, err := compute()
	if err == nil {
		s.list = append(s.list, sharedPart{kind, x, key, part})
	}
	return part, err
}

// same says whether two matrices are one: the same pointer.
func same(a, b mat.Matrix) bool {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	return va.Kind() == reflect.Pointer && va.Type() == vb.Type() && va.Pointer() == vb.Pointer()
}

// build is graph.Build, once for fits that share it.
func (in *Input) build(ctx context.Context, x mat.Matrix, opt graph.Options) (*graph.Graph, error) {
	key := opt
	key.Observer = nil
	return Common(in, "graph", x, key, func() (*graph.Graph, error) { return graph.Build(ctx, x, opt) })
}

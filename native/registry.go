package native

import (
	"strings"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// current is the engine that Default returns; nil means the first of Engines.
var current atomic.Pointer[Engine]

// Engines returns the engines of this build, the fastest first: openblas and go, or only go.
func Engines() []Engine { return available() }

// ByName returns the engine of that name, "openblas" or "go". For a name that this build does not
// have, the error lists the names that it has.
func ByName(name string) (Engine, error) {
	var names []string
	for _, e := range available() {
		if e.Name() == name {
			return e, nil
		}
		names = append(names, e.Name())
	}
	if name == "openblas" {
		return nil, invalid.Errorf("backend %q is not in this program, which was built without cgo or with the tag purego: use %q, or build with cgo",
			name, strings.Join(names, ", "))
	}
	return nil, invalid.Errorf("backend %q is unknown: this program has %s", name, strings.Join(names, ", "))
}

// Use makes the named engine the result of [Default].
func Use(name string) error {
	e, err := ByName(name)
	if err != nil {
		return err
	}
	current.Store(&e)
	return nil
}

// Default returns the engine chosen with [Use], or else the first of [Engines].
func Default() Engine {
	if e := current.Load(); e != nil {
		return *e
	}
	return available()[0]
}

// Package registry lists every method.
package registry

import (
	"slices"

	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/model"
)

// Specs are the methods, in the order in which help lists them. A method joins by one line.
var Specs = []method.Spec{
	le.Spec,
	semile.Spec,
}

// Find returns the method of a name; ok is false if there is none.
func Find(name string) (s method.Spec, ok bool) {
	i := slices.IndexFunc(Specs, func(s method.Spec) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return Specs[i], true
}

// Names are the names of all methods.
func Names() []string {
	names := make([]string, len(Specs))
	for i, s := range Specs {
		names[i] = s.Name
	}
	return names
}

// Blank is an empty placer of a method, for model.Read; nil if the method is unknown or places
// nothing.
func Blank(name string) model.Part {
	if s, ok := Find(name); ok && s.Placer != nil {
		return s.Placer()
	}
	return nil
}

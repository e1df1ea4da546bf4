package view

import (
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/method"
)

// MapClasses names the class of each coordinate, if each is a map of its own.
func MapClasses(r *result.Run) []string {
	if r.Fitted.Values == nil {
		return nil
	}
	return r.Fitted.Values.Classes
}

// found are the facts for programs, by ID; nil if there are none.
func found(facts []method.Fact) map[string]any {
	m := map[string]any{}
	for _, f := range facts {
		if f.ID == "" {
			continue
		}
		m[f.ID] = f.Value
		if v, ok := f.Value.([]float64); ok {
			m[f.ID] = summary.Numbers(v)
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// ValuesOf are the values of the coordinates if they are of a kind, else an empty list.
func ValuesOf(r *result.Run, kind string) summary.Numbers {
	if v := r.Fitted.Values; v != nil && v.Kind == kind {
		return summary.Numbers(v.Values)
	}
	return summary.Numbers{}
}

// GraphOf describes the graph of a run; nil if the method has none.
func GraphOf(r *result.Run) *summary.Graph {
	if r.Fitted.Graph == nil {
		return nil
	}
	if r.Shared != nil {
		return r.Shared
	}
	s := summary.OfGraph(r.Fitted.Graph)
	return &s
}

package option

import (
	"slices"
	"strings"
)

// Data is what is known of the data when a default depends on it.
type Data int

// What may be known.
const (
	Unknown Data = iota
	SparseData
	DenseData
)

// Relevant says whether an option can have an effect beside the others: its conditions hold, or
// cannot be judged yet. If they do not hold, because is the condition that fails, as
// "edge-weight=heat".
func Relevant(list []*Field, f *Field, data Data) (ok bool, because string) {
	return Holds(list, f, f.When, data)
}

// Holds is [Relevant] under other conditions than the option's own, written as those are.
func Holds(list []*Field, f *Field, when string, data Data) (ok bool, because string) {
	for _, condition := range split(when, ";") {
		if !slices.ContainsFunc(split(condition, "|"), func(c string) bool { return holds(list, f, c, data) }) {
			return false, condition
		}
	}
	return true, ""
}

// holds judges one condition of the option of: "name=a,b", "name!=a,b", "name" alone if the option
// has a value, given or by default, or "data=sparse" and "data=dense". An option that is not there
// has no value. A comparison with a default that is not known holds.
func holds(list []*Field, of *Field, condition string, data Data) bool {
	name, values, compared := strings.Cut(condition, "=")
	name, negated := strings.CutSuffix(strings.TrimSpace(name), "!")
	if name == "data" {
		return data == Unknown || (data == SparseData) == (values == "sparse")
	}
	f := Find(list, name)
	if f == nil {
		return negated || compared && strings.TrimSpace(values) == ""
	}
	if f.Name != of.Name { // an option may name itself: "unless it is local"
		if ok, _ := Relevant(list, f, data); !ok {
			return negated
		}
	}
	has, known := f.Current(data)
	if !f.Span().IsZero() {
		has = autoText // any range
	}
	if !compared {
		return has != ""
	}
	if !known {
		return f.Name != of.Name // a default that is not known is none of the values it names itself
	}
	if values = strings.TrimSpace(values); values == "" {
		return (has == "") != negated
	}
	return slices.Contains(split(values, ","), has) != negated
}

// Current is the value in force, the default if it is unset; known is false if that depends on data
// of which nothing is known.
func (f *Field) Current(data Data) (value string, known bool) {
	switch value = f.String(); {
	case value != "":
	case f.Default != "":
		value = f.Default
	case f.Sparse != "" && data == SparseData:
		value = f.Sparse
	case f.Dense != "" && data == DenseData:
		value = f.Dense
	case f.Unset == "" && f.Sparse == "":
		return "", true
	default:
		return "", false
	}
	return value, true
}

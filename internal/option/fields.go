package option

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Kind is the type of an option's value.
type Kind int

// The kinds.
const (
	Text   Kind = iota // a string, of Choices if there are any
	Int                // a whole number
	Number             // a finite number
	Seed               // a whole number from 0 to 2^64 − 1
	Switch             // true or false
	List               // names separated by commas
	Count              // an Amount
)

// Field is one option of a struct.
type Field struct {
	Name, Short string
	Was         string // its name in the version before, if that was another
	Help        string
	Group       string
	Kind        Kind
	Path        bool     // Text names a file or folder
	Choices     []string // of Text, or of each item of List; nil: free
	Range       string   // of Int, Number and Count, as in the tag
	Default     string   // what the zero value means, "" if that depends on the data
	Sparse      string   // the same for sparse data alone
	Dense       string   // the same for dense data alone
	Unset       string   // phrase for a default that depends on the data
	When        string   // as in the tag
	Formats     []string // of files for which the option means anything; nil: all
	Auto        bool     // a switch of a field of few values that may turn itself on

	value  reflect.Value // of the struct's field
	span   reflect.Value // of the field beside it that holds a range to search, if there is one
	auto   reflect.Value // of the bool beside a number that the text auto sets, if there is one
	at     []int         // index path of value from the struct
	spanAt []int         // that of span; nil without one
	autoAt []int         // that of auto; nil without one
	target string        // value that a switch of a field of few values means
	unset  string        // value that such a field means if it is unset
}

// defaultGroup is the group of an option whose tags name none.
const defaultGroup = "method"

// Of lists the options of the struct that p points to, in the order of its fields, nested structs
// in place. It panics if a tag is malformed or a name occurs twice: both are mistakes in the
// program.
func Of(p any) []*Field { return listed(p, shapeOf(structOf(p).Type())) }

// Named is [Of] for the options of these names, or of these in the version before.
func Named(p any, names []string) []*Field {
	var shape []*Field
	for _, f := range shapeOf(structOf(p).Type()) {
		if slices.Contains(names, f.Name) || f.Was != "" && slices.Contains(names, f.Was) {
			shape = append(shape, f)
		}
	}
	return listed(p, shape)
}

// structOf is the struct that p points to.
func structOf(p any) reflect.Value {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("option: %T is no pointer to a struct", p))
	}
	return v.Elem()
}

// listed are the options of the struct that p points to, of its type's as far as shape lists them.
func listed(p any, shape []*Field) []*Field {
	v := structOf(p)
	fields, list := make([]Field, len(shape)), make([]*Field, len(shape))
	for i, f := range shape {
		fields[i], list[i] = *f, &fields[i]
		fields[i].value = v.FieldByIndex(f.at)
		if f.spanAt != nil {
			fields[i].span = v.FieldByIndex(f.spanAt)
		}
		if f.autoAt != nil {
			fields[i].auto = v.FieldByIndex(f.autoAt)
		}
	}
	return list
}

// shapes are the lists of [Of] for zero values, by type. A run lists the options of a few types
// dozens of times.
var shapes sync.Map

// shapeOf lists the options of a type of struct, of a value of its own.
func shapeOf(t reflect.Type) []*Field {
	if list, ok := shapes.Load(t); ok {
		return list.([]*Field)
	}
	list := walk(reflect.New(t).Elem(), "", nil)
	seen := map[string]bool{}
	for _, f := range list {
		if seen[f.Name] {
			panic(fmt.Sprintf("option: *%s has two fields named %s", t, f.Name))
		}
		seen[f.Name] = true
		if f.Group == "" {
			f.Group = defaultGroup
		}
	}
	shapes.Store(t, list)
	return list
}

// Find returns the option of a name, nil if the struct has none.
func Find(list []*Field, name string) *Field {
	if i := slices.IndexFunc(list, func(f *Field) bool { return f.Name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

// Former returns the option whose name in the version before was name, nil if there is none.
func Former(list []*Field, name string) *Field {
	if i := slices.IndexFunc(list, func(f *Field) bool { return f.Was != "" && f.Was == name }); i >= 0 {
		return list[i]
	}
	return nil
}

// walk lists the options of a struct at an index path.
func walk(v reflect.Value, group string, at []int) []*Field {
	var list []*Field
	t := v.Type()
	for i := range t.NumField() {
		tag := tagOf(t.Field(i))
		here := append(slices.Clone(at), i)
		switch {
		case tag.nested:
			own := group
			if tag.Group != "" {
				own = tag.Group
			}
			fields := nested(v.Field(i), own, tag.flags, tag.defaults, here)
			for _, f := range fields {
				f.When = both(tag.When, f.When)
			}
			list = append(list, fields...)
		case tag.switches != "":
			fields := choicesAsSwitches(v.Field(i), group, tag)
			for _, f := range fields {
				f.at = here
			}
			list = append(list, fields...)
		case tag.Name != "":
			f := newField(v.Field(i), group, tag).withSpan(v, tag).withAuto(v, tag)
			f.at, f.spanAt, f.autoAt = here, besideAt(t, at, tag.span), besideAt(t, at, tag.orAuto)
			list = append(list, f)
		}
	}
	return list
}

// besideAt is the index path of a field of a type that lies at a path; nil without a name.
func besideAt(t reflect.Type, at []int, name string) []int {
	if name == "" {
		return nil
	}
	beside, _ := t.FieldByName(name)
	return append(slices.Clone(at), beside.Index...)
}

// both joins two lists of conditions.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// nested are the options of a struct inside a struct, at an index path, of the given names.
func nested(v reflect.Value, group, names, defaults string, at []int) []*Field {
	list := walk(v, group, at)
	if without, ok := strings.CutPrefix(names, "*,-"); ok {
		for name := range strings.SplitSeq(without, ",-") {
			if Find(list, name) == nil {
				panic("option: " + v.Type().String() + " has no option " + name)
			}
			list = slices.DeleteFunc(list, func(f *Field) bool { return f.Name == name })
		}
	} else if names != "*" {
		chosen := strings.Split(names, ",")
		for _, name := range chosen {
			if Find(list, name) == nil {
				panic("option: " + v.Type().String() + " has no option " + name)
			}
		}
		list = slices.DeleteFunc(list, func(f *Field) bool { return !slices.Contains(chosen, f.Name) })
	}
	for _, d := range split(defaults, ";") {
		name, value, _ := strings.Cut(d, "=")
		f := Find(list, name)
		if f == nil {
			panic("option: no option " + name + " in " + v.Type().String() + " to have a default")
		}
		if f.target != "" {
			switchOn(list, f, value == "true")
			continue
		}
		if f.Sparse, f.Dense, f.Unset = "", "", ""; strings.HasPrefix(value, "(") {
			f.Default, f.Unset = "", strings.Trim(value, "()")
		} else {
			f.Default = value
		}
	}
	return list
}

// switchOn makes it the default of a switch to be on or off, and turns off the others of its field.
func switchOn(list []*Field, f *Field, on bool) {
	unset := Off
	if on {
		unset = f.target
	}
	for _, g := range list {
		if g.target != "" && g.value.Addr().Pointer() == f.value.Addr().Pointer() {
			g.unset, g.Default = unset, strconv.FormatBool(g.target == unset)
		}
	}
}

// tag is the tag of a field of a struct, taken apart.
type tag struct {
	Field                                              // what stands in it of the option; Name is "" if it has no flag
	nested                                        bool // whether the field is a struct of options
	flags, defaults, switches, auto, span, orAuto string
}

// tags are the tags that were taken apart, by their text. A program lists its options dozens of
// times before it has read its command line.
var tags sync.Map

// tagOf returns the tag of a field.
func tagOf(f reflect.StructField) *tag {
	if t, ok := tags.Load(f.Tag); ok {
		return t.(*tag)
	}
	of := parts(string(f.Tag))
	t := &tag{Field: Field{
		Name: of["flag"], Short: of["short"], Was: of["was"], Help: of["help"], Group: of["group"],
		Path: of["path"] == "true", Choices: split(of["choices"], "|"), Range: of["range"],
		Default: of["default"], Sparse: of["sparse"], Dense: of["dense"],
		Unset: of["unset"], When: of["when"], Formats: split(of["formats"], "|"),
	}, defaults: of["defaults"], switches: of["switches"], auto: of["auto"], span: of["span"], orAuto: of["orauto"]}
	t.flags, t.nested = of["flags"]
	tags.Store(f.Tag, t)
	return t
}

// parts takes the text of a tag, key:"value" pairs after each other, apart in one pass: a tag has
// up to twenty. What follows a fault is left out, as by [reflect.StructTag.Lookup].
func parts(text string) map[string]string {
	of := make(map[string]string)
	for {
		key, rest, ok := strings.Cut(strings.TrimLeft(text, " "), `:"`)
		if !ok {
			return of
		}
		quoted, err := strconv.QuotedPrefix(`"` + rest)
		if err != nil {
			return of
		}
		value, _ := strconv.Unquote(quoted)
		if _, twice := of[key]; !twice {
			of[key] = value
		}
		text = rest[len(quoted)-1:]
	}
}

// newField is the option of a field of a struct.
func newField(v reflect.Value, group string, tag *tag) *Field {
	f := tag.Field
	f.value = v
	if f.Group == "" {
		f.Group = group
	}
	f.Kind = kindOf(v.Type())
	if !hasRange(f.Kind, f.Range) {
		panic(fmt.Sprintf("option: %s has the range %q, which its type does not have", f.Name, f.Range))
	}
	return &f
}

// hasRange reports whether the tag `range` of a kind can have a value.
func hasRange(k Kind, value string) bool {
	switch k {
	case Int:
		return value == "" || value == ">=0" || value == ">=1"
	case Number:
		_, ok := ranges[value]
		return ok
	case Count:
		return value == "" || value == "documents" || value == "most documents"
	}
	return value == ""
}

func kindOf(t reflect.Type) Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Int, reflect.Int64:
		return Int
	case reflect.Float64:
		return Number
	case reflect.Uint64:
		return Seed
	case reflect.Bool:
		return Switch
	case reflect.Slice:
		return List
	}
	if t == reflect.TypeFor[Amount]() {
		return Count
	}
	panic("option: no option can be of the type " + t.String())
}

// choicesAsSwitches are the switches of a string field of few values.
func choicesAsSwitches(v reflect.Value, group string, tag *tag) []*Field {
	var list []*Field
	help := strings.Split(tag.Help, "|")
	for i, s := range split(tag.switches, "|") {
		name, target, _ := strings.Cut(s, "=")
		f := &Field{Name: name, Help: help[i], Group: group, Kind: Switch, When: tag.When, value: v, target: target, Auto: target == tag.auto}
		if tag.Group != "" {
			f.Group = tag.Group
		}
		f.unset, f.Default = Off, strconv.FormatBool(target == tag.Default)
		if tag.Default != "" {
			f.unset = tag.Default
		}
		list = append(list, f)
	}
	return list
}

// Excludes says whether f and g are two switches of one field of few values.
func (f *Field) Excludes(g *Field) bool {
	return f.target != "" && g.target != "" && f.target != g.target && f.value.Addr().Pointer() == g.value.Addr().Pointer()
}

// split is strings.Split of trimmed parts; an empty string has none.
func split(s, by string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	parts := strings.Split(s, by)
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return parts
}

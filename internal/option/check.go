package option

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Default gives the fields of the struct that p points to that have their zero value the value of
// their tag `default`, those without the tag `flag` included. Nested structs and fields of switches
// stay as they are.
func Default(p any) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		tag := tagOf(v.Type().Field(i))
		if tag.Default != "" && tag.switches == "" && v.Field(i).IsZero() {
			f := newField(v.Field(i), "", tag)
			value, err := f.parse(tag.Default)
			if err != nil {
				panic(fmt.Sprintf("option: the default of %s in %T: %v", v.Type().Field(i).Name, p, err))
			}
			f.put(value)
		}
	}
}

// Check lists the violations of ranges and choices of the struct that p points to, nested structs
// with the tag `flags` included: one error per field, nil if there are none. A zero value is always
// allowed: it is the default. Fields are named as their options are, and a field that is no option
// by its own name.
func Check(p any) error { return CheckFields(everyField(reflect.ValueOf(p).Elem())) }

// CheckFields is [Check] of the options of a list.
func CheckFields(list []*Field) error {
	var errs []error
	for _, f := range list {
		if err := f.Valid(); err != nil {
			errs = append(errs, err)
		}
	}
	return invalid.Join(errs...)
}

// everyField lists the options of a struct and of all structs nested in it, named by `flags` or
// not.
func everyField(v reflect.Value) []*Field {
	var list []*Field
	t := v.Type()
	for i := range t.NumField() {
		if tag := tagOf(t.Field(i)); tag.flags != "" {
			list = append(list, everyField(v.Field(i))...)
		} else if tag.switches != "" {
			f := newField(v.Field(i), "", tag)
			f.Name = t.Field(i).Name
			for _, s := range split(tag.switches, "|") {
				_, target, _ := strings.Cut(s, "=")
				f.Choices = append(f.Choices, target)
			}
			f.Choices = append(f.Choices, Off)
			list = append(list, f)
		} else if tag.Name != "" {
			list = append(list, newField(v.Field(i), "", tag).withSpan(v, tag).withAuto(v, tag))
		} else if tag.Range != "" || tag.Choices != nil {
			f := newField(v.Field(i), "", tag)
			f.Name = t.Field(i).Name
			list = append(list, f)
		}
	}
	return list
}

// Valid tests the value that the field has.
func (f *Field) Valid() error {
	if !f.IsSet() {
		return nil
	}
	v := f.value
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if s := f.Span(); !s.IsZero() {
		return s.check(f.Name, !v.IsZero())
	}
	if f.isAuto() {
		return f.checkAuto()
	}
	switch f.Kind {
	case Int:
		if v.Int() < 0 || v.Int() < 1 && f.Range == ">=1" {
			return invalid.Errorf("%s is %d: it must be at least %s", f.Name, v.Int(), least(f))
		}
	case Number:
		if x := v.Float(); !within(x, f.Range) {
			return invalid.Errorf("%s is %v: it must be %s%s", f.Name, x, ranges[f.Range].words, orDefault(f))
		}
	case Text:
		if f.Choices != nil && !slices.Contains(f.Choices, v.String()) {
			return invalid.Errorf("unknown %s %q: choose %s", f.Name, v.String(), either(f.Choices))
		}
	case List:
		for _, item := range v.Interface().([]string) {
			if f.Choices != nil && !slices.Contains(f.Choices, item) {
				return invalid.Errorf("unknown %s %q: choose of %s", f.Name, item, strings.Join(f.Choices, ", "))
			}
		}
	case Count:
		if a := v.Interface().(Amount); a.Count < 0 || a.Share < 0 || !(a.Share <= 1) || a.Count > 0 && a.Share > 0 {
			return invalid.Errorf("%s is %d or a share of %v: it must be a count of at least 1, or a share above 0 and at most 1", f.Name, a.Count, a.Share)
		}
	}
	return nil
}

func least(f *Field) string {
	text := "0"
	if f.Range == ">=1" {
		text = "1"
	}
	return text + orDefault(f)
}

// orDefault says what zero means.
func orDefault(f *Field) string {
	if f.value.Kind() == reflect.Pointer || f.Default == "" {
		return ""
	}
	return fmt.Sprintf(" (0 for the default, %s)", f.Default)
}

// either is "a", "a or b" or "a, b or c".
func either(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

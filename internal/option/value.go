package option

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Off is the value of a field of switches none of which is on.
const Off = "none"

// Set reads a value from text. A list gets its items added. The error says what the value must be
// and does not name the option.
func (f *Field) Set(s string) error {
	if f.target != "" {
		return f.setSwitch(s)
	}
	v, err := f.parse(s)
	if err != nil {
		return err
	}
	f.put(v)
	return nil
}

// Check says whether text is a value of the option, without setting it.
func (f *Field) Check(s string) error {
	_, err := f.parse(s)
	return err
}

// setSwitch turns a switch of a field of few values on or off. One that is off already changes
// nothing, so that the default may be another switch; one that may turn itself on stays off.
func (f *Field) setSwitch(s string) error {
	v, err := f.parse(s)
	if err != nil {
		return err
	}
	switch {
	case v.(bool):
		f.value.SetString(f.target)
	case f.value.String() == f.target,
		f.value.String() == "" && (f.Default == "true" || f.Auto && f.unset == Off):
		f.value.SetString(Off)
	}
	return nil
}

// put stores a parsed value.
func (f *Field) put(v any) {
	dst := f.value
	if s, isSpan := v.(Span); isSpan {
		f.span.Set(reflect.ValueOf(s))
		dst.SetZero()
		return
	}
	if f.span.IsValid() {
		f.span.SetZero()
	}
	if f.auto.IsValid() {
		_, isAuto := v.(auto)
		f.auto.SetBool(isAuto)
		if isAuto {
			dst.SetZero()
			return
		}
	}
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	if f.Kind == List {
		dst.Set(reflect.AppendSlice(dst, reflect.ValueOf(v)))
		return
	}
	dst.Set(reflect.ValueOf(v).Convert(dst.Type()))
}

// parse reads text as a value of the option's kind and range.
func (f *Field) parse(s string) (any, error) {
	switch f.Kind {
	case Int:
		if f.span.IsValid() {
			return parseSpan(s, f.Range)
		}
		return parseInt(s, f.Range)
	case Number:
		return f.parseNumber(s)
	case Seed:
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("it is a whole number from 0 to %d", uint64(math.MaxUint64))
		}
		return n, nil
	case Switch:
		switch strings.ToLower(s) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, errors.New("it is true or false")
	case List:
		return f.parseList(s)
	case Count:
		if strings.Contains(f.Range, "documents") {
			return parseDocuments(s, f.Range == "most documents")
		}
		return ParseAmount(s)
	}
	if f.Path && s == "" {
		return nil, errors.New("it is empty; name a file or folder, or leave it out")
	}
	if f.Choices != nil && !slices.Contains(f.Choices, s) {
		return nil, fmt.Errorf("it is one of %s", strings.Join(f.Choices, ", "))
	}
	return s, nil
}

func (f *Field) parseList(s string) (any, error) {
	var list []string
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return nil, errors.New("a name in the list is empty")
		case f.Choices != nil && !slices.Contains(f.Choices, part):
			return nil, fmt.Errorf("it is a list of %s", strings.Join(f.Choices, ", "))
		}
		list = append(list, part)
	}
	return list, nil
}

func parseInt(s, within string) (any, error) {
	least := 0
	if within == ">=1" {
		least = 1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil, fmt.Errorf("it is a whole number of at least %d", least)
	}
	if n < least {
		return nil, fmt.Errorf("it must be at least %d", least)
	}
	return n, nil
}

// ranges are what numbers may be: the test, and the words for it.
var ranges = map[string]struct {
	holds func(float64) bool
	words string
}{
	">0":     {func(x float64) bool { return x > 0 }, "a number above 0"},
	">=0":    {func(x float64) bool { return x >= 0 }, "a number of at least 0"},
	">=1":    {func(x float64) bool { return x >= 1 }, "a number of at least 1"},
	"0<x<1":  {func(x float64) bool { return x > 0 && x < 1 }, "a number above 0 and below 1"},
	"0<x<=1": {func(x float64) bool { return x > 0 && x <= 1 }, "a share, above 0 and at most 1"},
	"0<=x<1": {func(x float64) bool { return x >= 0 && x < 1 }, "a number from 0 to below 1"},
	"":       {func(float64) bool { return true }, "a finite number"},
}

// within says whether a number is finite and in a range.
func within(x float64, name string) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && ranges[name].holds(x)
}

// parseNumber reads a number. A share of a whole may be a percentage: 10% is 0.1.
func parseNumber(s, name string) (any, error) {
	percent, share := strings.CutSuffix(s, "%")
	if share = share && strings.HasPrefix(name, "0<"); share {
		s = strings.TrimSpace(percent)
	}
	x, err := strconv.ParseFloat(s, 64)
	if share {
		x /= 100
	}
	if err != nil || !within(x, name) {
		return nil, errors.New("it is " + ranges[name].words)
	}
	return x, nil
}

// IsSet says whether the field has another value than its zero value.
func (f *Field) IsSet() bool { return !f.value.IsZero() || !f.Span().IsZero() || f.isAuto() }

// String writes the value as Set reads it, "" if it is unset.
func (f *Field) String() string {
	v := f.value
	if f.target != "" {
		if v.String() == "" {
			return ""
		}
		return strconv.FormatBool(v.String() == f.target)
	}
	if s := f.Span(); !s.IsZero() {
		return s.String()
	}
	if f.isAuto() {
		return autoText
	}
	if v.IsZero() {
		return ""
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch f.Kind {
	case Int:
		return strconv.FormatInt(v.Int(), 10)
	case Number:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case Seed:
		return strconv.FormatUint(v.Uint(), 10)
	case Switch:
		return strconv.FormatBool(v.Bool())
	case List:
		return strings.Join(v.Interface().([]string), ",")
	case Count:
		return v.Interface().(Amount).String()
	}
	return v.String()
}

// Value is the value as YAML and JSON show it, the default if it is unset, nil if there is none
// that does not depend on the data.
func (f *Field) Value() any {
	text := f.String()
	text = cmp.Or(text, f.Default)
	if text == "" {
		return nil
	}
	if f.Kind == List {
		return strings.Split(text, ",")
	}
	v, err := f.parse(text)
	if err != nil {
		return text
	}
	a, isAmount := v.(Amount)
	switch {
	case f.Kind == Int && !f.Span().IsZero(), f.isAuto():
		return text
	case !isAmount:
		return v
	case a.Count > 0:
		return a.Count
	}
	return a.Share
}

// Clone copies the struct that p points to, so that setting its options leaves p alone. Pointers
// and slices that are options are copied too.
func Clone(p any) any {
	from := reflect.ValueOf(p).Elem()
	to := reflect.New(from.Type())
	to.Elem().Set(from)
	for _, f := range everyField(to.Elem()) {
		switch v := f.value; {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			fresh := reflect.New(v.Type().Elem())
			fresh.Elem().Set(v.Elem())
			v.Set(fresh)
		case v.Kind() == reflect.Slice && !v.IsNil():
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		}
	}
	return to.Interface()
}

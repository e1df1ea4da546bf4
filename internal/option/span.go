package option

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Span is a range of whole numbers of which the run chooses one. The zero value is none.
type Span struct {
	From int  `json:"from,omitempty"` // the least, at least 1
	To   int  `json:"to,omitempty"`   // the greatest, at least From
	Auto bool `json:"auto,omitempty"` // the run chooses the range too; From and To are 0
}

// autoText is the text of a range or a number that the run chooses.
const autoText = "auto"

// IsZero says whether there is no range.
func (s Span) IsZero() bool { return s == Span{} }

// String writes the range as an option takes it: auto, 2-40, or nothing.
func (s Span) String() string {
	switch {
	case s.Auto:
		return autoText
	case s.IsZero():
		return ""
	}
	return strconv.Itoa(s.From) + "-" + strconv.Itoa(s.To)
}

// check refuses a range that is none, or that stands beside a number.
func (s Span) check(name string, beside bool) error {
	switch {
	case beside:
		return invalid.Errorf("%s is a number and the range %v: give one of them", name, s)
	case s.Auto && (s.From != 0 || s.To != 0):
		return invalid.Errorf("%s is the range %d-%d and one that the run chooses: give one of them", name, s.From, s.To)
	case !s.Auto && (s.From < 1 || s.To < s.From):
		return invalid.Errorf("%s is the range %d-%d: it must begin with at least 1 and not end below its beginning", name, s.From, s.To)
	}
	return nil
}

// parseSpan reads a whole number, auto, or a range: an int or a Span. A range of one number is that
// number.
func parseSpan(s, within string) (any, error) {
	if strings.EqualFold(s, autoText) {
		return Span{Auto: true}, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	if !isRange || from == "" {
		n, err := parseInt(s, within)
		if err != nil && strings.Contains(err.Error(), "it is a whole") {
			err = fmt.Errorf("%w, auto, or a range such as 2-40", err)
		}
		return n, err
	}
	a, errA := strconv.Atoi(strings.TrimSpace(from))
	b, errB := strconv.Atoi(strings.TrimSpace(to))
	switch {
	case errA != nil || errB != nil:
		return nil, errors.New("it is a whole number, auto, or a range such as 2-40")
	case a < 1:
		return nil, errors.New("a range begins with at least 1")
	case b < a:
		return nil, fmt.Errorf("the range ends below its beginning; write it as %d-%d", max(b, 1), a)
	case a == b:
		return a, nil
	}
	return Span{From: a, To: b}, nil
}

// withSpan takes the field that the tag `span` names: one of the type Span in the same struct,
// which holds the value if that is a range.
func (f *Field) withSpan(in reflect.Value, tag *tag) *Field {
	if tag.span == "" {
		return f
	}
	f.span = in.FieldByName(tag.span)
	if f.Kind != Int || !f.span.IsValid() || f.span.Type() != reflect.TypeFor[Span]() {
		panic("option: " + f.Name + " is no whole number with a Span named " + tag.span)
	}
	return f
}

// Searched says whether the option takes a range of which the run chooses a number.
func (f *Field) Searched() bool { return f.span.IsValid() }

// Span is the range that was set, the zero value if none was.
func (f *Field) Span() Span {
	if !f.span.IsValid() {
		return Span{}
	}
	return f.span.Interface().(Span)
}

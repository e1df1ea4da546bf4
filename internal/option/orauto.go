package option

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// auto is the parsed value of a number that the run chooses.
type auto struct{}

// parseNumber reads the value of a number, or auto where the option takes it.
func (f *Field) parseNumber(s string) (any, error) {
	if !f.auto.IsValid() {
		return parseNumber(s, f.Range)
	}
	if strings.EqualFold(s, autoText) {
		return auto{}, nil
	}
	v, err := parseNumber(s, f.Range)
	if err != nil {
		err = fmt.Errorf("%w, or auto", err)
	}
	return v, err
}

// withAuto takes the field that the tag `orauto` names: a bool in the same struct, which the text
// auto sets in place of the number.
func (f *Field) withAuto(in reflect.Value, tag *tag) *Field {
	if tag.orAuto == "" {
		return f
	}
	f.auto = in.FieldByName(tag.orAuto)
	if f.Kind != Number || !f.auto.IsValid() || f.auto.Kind() != reflect.Bool {
		panic("option: " + f.Name + " is no number with a bool named " + tag.orAuto)
	}
	return f
}

// OrAuto says whether the option takes the text auto in place of a number.
func (f *Field) OrAuto() bool { return f.auto.IsValid() }

// isAuto says whether auto was set.
func (f *Field) isAuto() bool { return f.auto.IsValid() && f.auto.Bool() }

// checkAuto refuses a number beside auto, which was set.
func (f *Field) checkAuto() error {
	if !f.value.IsZero() {
		return invalid.Errorf("%s is a number and auto: give one of them", f.Name)
	}
	return nil
}

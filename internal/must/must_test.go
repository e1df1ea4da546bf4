package must

import (
	"errors"
	"testing"
)

// said is a test that keeps what ends it.
type said struct {
	fatal []any
}

func (s *said) Fatal(args ...any) { s.fatal = args }

func TestGetAndDo(t *testing.T) {
	wrong := errors.New("wrong")
	for _, err := range []error{nil, wrong} {
		var of said
		if v := Get(3, err)(&of); v != 3 {
			t.Errorf("the value is %d", v)
		}
		var alone said
		Do(&alone, err)
		for _, s := range []said{of, alone} {
			if (len(s.fatal) == 1 && s.fatal[0] == wrong) != (err != nil) {
				t.Errorf("%v ends a test with %v", err, s.fatal)
			}
		}
	}
}

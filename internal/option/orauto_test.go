package option

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

type limited struct {
	Limit  float64 `flag:"limit" range:"0<=x<1" default:"0" orauto:"Chosen" help:"the limit"`
	Chosen bool
}

// A number that the run may choose takes auto in its place, writes it back, and the last one set
// counts.
func TestOrAuto(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  limited
		again string
		value any
	}{
		{"0.5", limited{Limit: .5}, "0.5", .5},
		{"auto", limited{Chosen: true}, "auto", "auto"},
		{"AUTO", limited{Chosen: true}, "auto", "auto"},
	} {
		for _, before := range []limited{{}, {Limit: .25}, {Chosen: true}} {
			got := before
			f := Find(Of(&got), "limit")
			if err := f.Set(c.text); err != nil {
				t.Fatalf("%s: %v", c.text, err)
			}
			if got != c.want || f.String() != c.again || f.Value() != c.value || !f.IsSet() {
				t.Errorf("%s after %+v: %+v, %q, %v", c.text, before, got, f.String(), f.Value())
			}
			if err := Check(&got); err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
		}
	}
	f := Find(Of(new(limited)), "limit")
	if f.IsSet() || f.String() != "" || f.Value() != 0. || !f.OrAuto() || !strings.Contains(f.Allowed(), "auto") {
		t.Errorf("an unset option: %q, %v, %q", f.String(), f.Value(), f.Allowed())
	}
	for _, text := range []string{"1", "-0.5", "x", ""} {
		if err := f.Set(text); err == nil || !strings.Contains(err.Error(), "or auto") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := Check(&limited{.5, true}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a number beside auto: %v", err)
	}
}

// A tag that names no bool is a mistake in the program.
func TestOrAutoTag(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a tag that names a field of another type is accepted")
		}
	}()
	Of(&struct {
		Limit  float64 `flag:"limit" orauto:"Chosen"`
		Chosen string
	}{})
}

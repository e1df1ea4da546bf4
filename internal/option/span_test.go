package option

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

type searched struct {
	K     int `flag:"clusters" range:">=1" span:"Among" help:"number of clusters"`
	Among Span
}

// An option with a span takes a number, auto or a range, writes it back as it was, and the last one
// set counts.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  searched
		again string
		value any
	}{
		{"12", searched{K: 12}, "12", 12},
		{"auto", searched{Among: Span{Auto: true}}, "auto", "auto"},
		{"AUTO", searched{Among: Span{Auto: true}}, "auto", "auto"},
		{"2-40", searched{Among: Span{From: 2, To: 40}}, "2-40", "2-40"},
		{"7-7", searched{K: 7}, "7", 7},
	} {
		for _, before := range []searched{{}, {K: 3}, {Among: Span{From: 4, To: 5}}} {
			got := before
			f := Find(Of(&got), "clusters")
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
	f := Find(Of(new(searched)), "clusters")
	if f.IsSet() || f.String() != "" || f.Value() != nil || !f.Searched() {
		t.Errorf("an unset option: %q, %v", f.String(), f.Value())
	}
	if got := f.Allowed(); !strings.Contains(got, "auto") || !strings.Contains(got, "2-40") {
		t.Errorf("its values are %q", got)
	}
}

// Texts that are no number and no range are refused with what the option takes.
func TestSpanRefused(t *testing.T) {
	for text, want := range map[string]string{"0": "at least 1", "-3": "at least 1", "x": "auto", "": "auto", "2-": "2-40", "5-2": "2-5",
		"0-4": "at least 1", "2-x": "2-40", "1.5": "auto"} {
		var got searched
		err := Find(Of(&got), "clusters").Set(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want a word about %q", text, err, want)
		}
		if got != (searched{}) {
			t.Errorf("%q was refused and set %+v", text, got)
		}
	}
	for _, wrong := range []searched{{K: 2, Among: Span{Auto: true}}, {Among: Span{From: 3, To: 2}}, {Among: Span{To: 2}}, {Among: Span{From: 1, To: 2, Auto: true}}} {
		if err := Check(&wrong); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// A tag that names no span is a mistake in the program.
func TestSpanTag(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a tag that names a field of another type is accepted")
		}
	}()
	Of(&struct {
		K     int `flag:"k" span:"Among"`
		Among int
	}{})
}

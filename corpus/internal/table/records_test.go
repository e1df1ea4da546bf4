package table

import "testing"

// A semicolon or tab in the name of the only column does not separate.
func TestSeparator(t *testing.T) {
	for head, want := range map[string]rune{
		"d;e\n1\n2\n": ',', "a;b\n1;2\n": ';', "a\tb\n1\t2\n": '\t', "a,b\n1,2\n": ',',
		"1 2\n3 4\n": ' ', "a;b\n1,5;2,5\n": ';', "id,label\nx\n": ',', "\"x;y\",z\n1,2\n": ',',
	} {
		if got := Separator([]byte(head)); got != want {
			t.Errorf("%q: separator %q, want %q", head, got, want)
		}
	}
}

// Fields of any bytes are no numbers written in another way, or are read as one.
func TestShapes(t *testing.T) {
	for field, want := range map[string]shape{"1,5": commaPart, "1,234": commaEither, "1,234.5": commaGroups, "1,234,567": commaGroups, "1.234,5": pointGroups, "1.234.567": pointGroups,
		"1 234": blankGroups, "1\u00a0234,5": blankGroups, "1'234.5": blankGroups, "12 34": notWritten, "0a\xf0\xf0 00": notWritten, "\u00a0": notWritten, "1 \u00a02": notWritten, "": notWritten, ",": notWritten,
		"-,5": commaPart, "1,5e3": commaPart, "0,123": commaPart, "1.5": notWritten, "1,2,3": notWritten} {
		if got := shapeOf(field); got != want {
			t.Errorf("%q has shape %d, want %d", field, got, want)
		}
	}
}

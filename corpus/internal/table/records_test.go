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

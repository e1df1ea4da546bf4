package spreadsheet

import (
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "a=b": "a=b", "'tis": "'tis", "'": "'",
		"=1+1": "'=1+1", "+cmd": "'+cmd", "-cmd": "'-cmd", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "\r=x": "'\r=x", "＝1": "'＝1", "-": "'-",
		"-1": "-1", "+1.5e-3": "+1.5e-3", "-.5": "-.5", "3": "3", "-1+2": "'-1+2", "'-1": "''-1", "'=x": "''=x", "''@": "'''@",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Every text comes back, and no escaped text but a number begins with what starts a formula.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "=x", "'=x", "''", "-1", "'-1", "＝", "\n", "'\xff", "\xff="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		escaped := Escape(text)
		if back := Unescape(escaped); back != text {
			t.Errorf("%q becomes %q and %q", text, escaped, back)
		}
		if escaped != "" && strings.ContainsAny(escaped[:1], "=+-@\t\r\n") && !number().MatchString(escaped) {
			t.Errorf("%q becomes %q", text, escaped)
		}
	})
}

package corpus

import (
	"strings"
	"testing"
)

// Texts that are joined count as one against the memory, whatever the format, and before they are
// copied.
func TestJoinedTextsAreBounded(t *testing.T) {
	const share = 1 << 20 // the longest text
	half, whole := strings.Repeat("word ", share/10+2000), strings.Repeat("word ", share/10-2000)
	opt := ReadOptions{MaxBytes: 8 * share, TextColumn: []string{"a", "b"}, Text: TextOptions{MinDF: 1}}
	for text, fits := range map[string]bool{half: false, whole: true} {
		for name, content := range map[string]string{
			"a.parquet": string(pqFile(t, 0, []pqColumn{pqStrings("a", text), pqStrings("b", text)})),
			"a.jsonl":   `{"a": "` + text + `", "b": "` + text + `"}`,
		} {
			c, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), opt)
			switch {
			case !fits:
				wantFault(t, err, "is longer than")
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case rowSum(c, 0) != float64(2*strings.Count(text, "word")):
				t.Errorf("%s: %v words", name, rowSum(c, 0))
			}
		}
	}
	c := readNamed(t, "a.csv", "a,b,c\nsome words,more words,1\n,other,2\n", ReadOptions{TextColumn: []string{"a", "b"}, Text: TextOptions{MinDF: 1, StopWords: "none"}})
	if rowSum(c, 0) != 4 || rowSum(c, 1) != 1 {
		t.Errorf("%v and %v words of %q", rowSum(c, 0), rowSum(c, 1), c.Terms)
	}
}

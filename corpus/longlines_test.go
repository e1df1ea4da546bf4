package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// The fields of JSON lines are found by the first lines however long these are: of many fields, or
// of long texts. They were looked for in 64 KB alone.
func TestLongFirstLines(t *testing.T) {
	var numbers strings.Builder
	for j := range 8000 {
		fmt.Fprintf(&numbers, `"g%d": %d, `, j, j%7)
	}
	text := strings.Repeat("the engine of a car with four wheels ", 3000)
	for name, line := range map[string]string{
		"many fields": `{` + numbers.String() + `"note": "the engine of a car and its four wheels on a long road, number %d", "kind": "%s"}`,
		"long texts":  `{"body": "` + text + `%d", "kind": "%s"}`,
	} {
		var lines []string
		for i := range 12 {
			lines = append(lines, fmt.Sprintf(line, i, []string{"p", "q"}[i%2]))
		}
		for _, end := range []string{"", "\n"} {
			path := writeFile(t, t.TempDir(), "a.jsonl", []byte(strings.Join(lines, "\n")+end))
			c, err := Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}})
			if err != nil {
				t.Fatalf("%s: %.300v", name, err)
			}
			if rows, _ := c.X.Dims(); rows != 12 {
				t.Errorf("%s: %d documents", name, rows)
			}
			wantNote(t, c, "The texts are field ")
		}
		one := writeFile(t, t.TempDir(), "a.jsonl", []byte(lines[0]))
		if _, err := Read(t.Context(), one, ReadOptions{Text: TextOptions{MinDF: 1}}); err != nil {
			t.Errorf("%s: of one line: %.300v", name, err)
		}
	}
}

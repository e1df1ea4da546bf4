package words

import (
	"encoding/json"
	"testing"
)

func TestWrongJSON(t *testing.T) {
	var rows struct{ Sparse bool }
	for text, want := range map[string]string{
		`{"sparse": 3}`: "there is number in a wrong place, byte 12",
		`{"sparse": `:   "unexpected end of JSON input",
	} {
		if got := WrongJSON(json.Unmarshal([]byte(text), &rows)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

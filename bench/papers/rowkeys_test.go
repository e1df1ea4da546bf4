package papers

import (
	"slices"
	"strings"
	"testing"
)

// A list that was cut at commas names rows whose keys hold one, and every row of every experiment
// can be named.
func TestRowKeys(t *testing.T) {
	e := &Experiment{Rows: []Row{{Key: "Reuters, 30"}, {Key: "30"}, {Key: "Reuters"}, {Key: "a, b, c"}, {Key: "2"}}}
	for list, want := range map[string]string{
		"2": "2", "2|30": "2|30", "Reuters|30": "Reuters, 30", "30|Reuters": "30|Reuters", "Reuters|30|30": "Reuters, 30|30",
		"a|b|c|2": "a, b, c|2", "a|b": "a|b", "Reuters, 30": "Reuters, 30", "": "",
	} {
		if got := strings.Join(e.RowKeys(strings.Split(list, "|")), "|"); got != want {
			t.Errorf("%s: %q, not %q", list, got, want)
		}
	}
	for _, e := range Experiments() {
		var pieces, keys []string
		for _, r := range e.Rows {
			for piece := range strings.SplitSeq(r.Key, ",") {
				pieces = append(pieces, strings.TrimSpace(piece))
			}
			keys = append(keys, r.Key)
		}
		if got := e.RowKeys(pieces); !slices.Equal(got, keys) {
			t.Errorf("%s: %q, not %q", e.Name, got, keys)
		}
		if rows, _, err := e.pick(pieces, nil); err != nil || len(rows) != len(e.Rows) {
			t.Errorf("%s: %d rows, %v", e.Name, len(rows), err)
		}
	}
}

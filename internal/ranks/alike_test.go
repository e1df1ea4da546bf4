package ranks

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// TestCompare: the lowest rank that is not like rank 0 is named, with the first fact in which it
// differs, and all ranks hear the same.
func TestCompare(t *testing.T) {
	one, two, bytes := Fact{"a", "1"}, Fact{"b", "2"}, Fact{"\xff", "\xfe"}
	for _, c := range []struct {
		facts [][]Fact
		want  *Difference
	}{
		{[][]Fact{{one, two}, {one, two}, {one, two}}, nil},
		{[][]Fact{nil, nil}, nil},
		{[][]Fact{{bytes}, {bytes}}, nil},
		{[][]Fact{{one, two}, {one, two}, {one, {"b", "3"}}}, &Difference{2, two, Fact{"b", "3"}}},
		{[][]Fact{{one, two}, {{"a", ""}, two}, {two, two}}, &Difference{1, one, Fact{"a", ""}}},
		{[][]Fact{{one}, {one, two}}, &Difference{1, Fact{}, two}},
		{[][]Fact{{one, two}, {one}}, &Difference{1, two, Fact{}}},
		{[][]Fact{{bytes}, {{"\xff", "\xfd"}}}, &Difference{1, bytes, Fact{"\xff", "\xfd"}}},
		{[][]Fact{{one}, {{"other/a", "1"}}}, nil},
	} {
		Together(len(c.facts), func(team Team) {
			got := Compare(team, c.facts[team.Rank()])
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("%q: rank %d hears %v, not %v", c.facts, team.Rank(), got, c.want)
			}
			for _, same := range []func(Team, []Fact) error{SameInput, SameOptions} {
				err := same(team, c.facts[team.Rank()])
				if (err == nil) != (c.want == nil) || err != nil && (!errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "rank ")) {
					t.Errorf("%q: %v", c.facts, err)
				}
			}
		})
	}
	if SameInput(nil, []Fact{one}) != nil || SameOptions(nil, nil) != nil {
		t.Error("one process differs from itself")
	}
}

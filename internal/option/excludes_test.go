package option

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

type switched struct {
	Skip  string   `switches:"drop-first=constant|drop-zeros=zeros" help:"a|b"`
	Other string   `switches:"keep=all" help:"c"`
	Dense bool     `flag:"dense"`
	Parts []string `flag:"parts" choices:"head|body" group:"input"`
}

// Two switches of one field exclude each other; others do not.
func TestExcludes(t *testing.T) {
	list := Of(new(switched))
	for _, c := range []struct {
		a, b string
		want bool
	}{{"drop-first", "drop-zeros", true}, {"drop-zeros", "drop-first", true}, {"drop-first", "drop-first", false},
		{"drop-first", "keep", false}, {"drop-first", "dense", false}, {"dense", "dense", false}} {
		if got := Find(list, c.a).Excludes(Find(list, c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// Each item of a list is one of its choices.
func TestCheckItems(t *testing.T) {
	if err := Check(&switched{Parts: []string{"head", "body"}}); err != nil {
		t.Error(err)
	}
	err := Check(&switched{Parts: []string{"head", "foot"}})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), `unknown parts "foot"`) {
		t.Errorf("the error is %v", err)
	}
	if err := CheckFields(nil); err != nil {
		t.Error(err)
	}
}

// An option without a group is of the group method.
func TestGroup(t *testing.T) {
	list := Of(new(switched))
	if a, b := Find(list, "dense").Group, Find(list, "parts").Group; a != "method" || b != "input" {
		t.Errorf("the groups are %q and %q", a, b)
	}
}

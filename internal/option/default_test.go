package option

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

type ownFields struct {
	Rounds int      `flag:"rounds" range:">=1" default:"7"`
	Ridge  *float64 `flag:"ridge" range:">=0" default:"0.5"`
	Kind   string   `choices:"a|b" default:"a"`
	Bytes  int64    `range:">=1"`
	Tol    float64  `range:"0<=x<1"`
	Skip   string   `switches:"first=one" default:"none" help:"x"`
}

// Default fills in what is unset, and nothing else.
func TestDefault(t *testing.T) {
	zero := 0.0
	o := ownFields{Ridge: &zero}
	Default(&o)
	if o.Rounds != 7 || *o.Ridge != 0 || o.Kind != "a" || o.Bytes != 0 || o.Skip != "" {
		t.Errorf("%+v", o)
	}
	o = ownFields{Rounds: 3, Kind: "b"}
	Default(&o)
	if o.Rounds != 3 || *o.Ridge != 0.5 || o.Kind != "b" {
		t.Errorf("%+v", o)
	}
}

// Fields that are no options have ranges and choices too, and errors name them as Go does.
func TestCheckOwnFields(t *testing.T) {
	if err := Check(&ownFields{}); err != nil {
		t.Error(err)
	}
	err := Check(&ownFields{Rounds: -1, Kind: "c", Bytes: -1, Tol: 1})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Fatal(err)
	}
	for _, want := range []string{"rounds is -1", `unknown Kind "c"`, "Bytes is -1", "Tol is 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
}

package option

import (
	"reflect"
	"testing"
)

// The parts of a tag are what package reflect finds in it.
func TestParts(t *testing.T) {
	for _, tag := range []reflect.StructTag{
		"", `json:"a,omitempty" flag:"a-b" help:"say \"so\", \\ and | (x: \"y\")" default:"" flags:"*"`,
		`one:"1"  two:"2"`, `one:"1" broken`, `one:"1" two:"2`, `one:"1" one:"2"`,
	} {
		of := parts(string(tag))
		for _, key := range []string{"json", "flag", "help", "default", "flags", "one", "two", "broken", "x", "missing"} {
			want, there := tag.Lookup(key)
			if got, found := of[key]; got != want || found != there {
				t.Errorf("%s: %s is %q, %v, by package reflect %q, %v", tag, key, got, found, want, there)
			}
		}
	}
}

package papers

import (
	"fmt"
	"testing"
)

// No two methods of a picture have the same mark.
func TestMarksDiffer(t *testing.T) {
	seen := map[string]int{}
	for method := range 30 {
		g := glyph(method)
		key := fmt.Sprintf("%v %T", g.Color, g.Shape)
		if other, ok := seen[key]; ok {
			t.Errorf("methods %d and %d have the mark %s", other, method, key)
		}
		seen[key] = method
	}
}

package streaming

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/model"
)

// The key of placed blocks does not hold the threads and the cores that made the model.
func TestKeyWithoutMachine(t *testing.T) {
	var first string
	for threads := 1; threads <= 2; threads++ {
		m := &model.Model{Summary: json.RawMessage(fmt.Sprintf(`{"method":"le","versions":{"threads":%d,"cores":%d}}`, threads, threads))}
		plain := must.Get(withoutMachine(m))(t)
		if first == "" {
			first = string(plain.Summary)
		}
		if got := string(plain.Summary); got != first || got != `{"method":"le"}` || string(m.Summary) == got {
			t.Errorf("%d threads: %s", threads, got)
		}
	}
}

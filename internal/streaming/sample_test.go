package streaming

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
)

// What is refused beside a sample are options that there are.
func TestOptionsOfAllDocuments(t *testing.T) {
	fields := request.RunFields(new(request.Options))
	for _, name := range ofAll {
		if option.Find(fields, name) == nil {
			t.Errorf("there is no option %s", name)
		}
	}
}

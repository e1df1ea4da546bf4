package methodtest

import (
	"errors"
	"strings"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// checkMemory: a method that may take one byte refuses with memory.ErrLimit, in a sentence with the
// bytes and the option that allows more.
func checkMemory(s *suite) {
	for _, sm := range s.samples(small) {
		_, err := s.fit(method.WithMemory(background, 1), s.options(), sm.input())
		var refused *memory.Error
		switch {
		case err == nil:
			s.badf("%s: it works with one byte of memory", sm.name)
		case !errors.As(err, &refused):
			s.badf("%s: one byte of memory is not refused with memory.ErrLimit: %v", sm.name, err)
		case !strings.Contains(err.Error(), "bytes are allowed") || !refused.Own && !strings.Contains(err.Error(), words.Option(memory.OptionName)):
			s.badf("%s: the refusal names no bytes or no way out: %v", sm.name, err)
		}
	}
}

package start

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Check refuses an address space, in bytes, that is too small for the program.
func Check(space int64) error {
	if space >= Least {
		return nil
	}
	return fmt.Errorf("ulimit -v allows %s of address space, and the program needs at least %s to begin: raise the limit (ulimit -v unlimited)",
		words.Bytes(space), words.Bytes(Least))
}

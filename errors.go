package eigenmap

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// Error is an error of this package. Error names options plainly; Text names them in another way.
// It unwraps to its cause: errors.Is(err, fs.ErrInvalid) for a wrong request or wrong data.
type Error = fault.Error

// Statuses of a program that ends with an error of this package, and codes of the C interface.
const (
	StatusDone        = 0
	StatusFailed      = 1   // while working: not converged, out of memory, write error
	StatusRequest     = 2   // the request was wrong: option, file, label, matrix
	StatusInterrupted = 130 // the context was cancelled
)

// ExitStatus is the status of a program that ends with err.
func ExitStatus(err error) int {
	switch {
	case err == nil:
		return StatusDone
	case errors.Is(err, context.Canceled):
		return StatusInterrupted
	case errors.As(err, new(*folder.WriteError)), errors.Is(err, memory.ErrLimit):
		return StatusFailed
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission),
		errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return StatusRequest
	}
	return StatusFailed
}

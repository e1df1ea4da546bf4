package input

import (
	"context"
	"sync"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// fallbackMemory is taken for the free memory if the system does not report it.
const fallbackMemory int64 = 8 << 30

// Budget bounds the memory that one reader takes. A reader reserves memory before it allocates, so
// a file can never make the program request more from the system than the user allows. It may be
// used by several goroutines at once.
type Budget struct {
	Limit int64 // bytes
	mu    sync.Mutex
	used  int64
}

// NewBudget makes a budget of limit bytes; 0 or less means three quarters of the free memory.
func NewBudget(limit int64) *Budget {
	if limit <= 0 {
		limit = max(1, availableMemory()/4*3)
	}
	return &Budget{Limit: limit}
}

// Within is the limit of a reader under a context: limit, or three quarters of what is left if that
// is 0.
func Within(ctx context.Context, limit int64) int64 {
	if left := memory.Left(ctx); limit <= 0 && left != memory.Unknown {
		return max(1, left/4*3)
	}
	return limit
}

// Take reserves n items of size bytes each. The error is ErrMemory.
func (b *Budget) Take(n, size int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n < 0 || size < 0 || (size > 0 && n > (b.Limit-b.used)/size) {
		return ErrMemory
	}
	b.used += n * size
	return nil
}

// Give returns memory that Take reserved.
func (b *Budget) Give(n, size int64) {
	b.mu.Lock()
	b.used -= n * size
	b.mu.Unlock()
}

// Used is the memory that is reserved, in bytes.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

func availableMemory() int64 {
	if free := memory.Available(); free != memory.Unknown {
		return free
	}
	return fallbackMemory
}

// Push appends v, of size bytes, to s, and reserves memory if s must grow. Growth is by half, so
// that the old and the new array together stay below three times the content.
func Push[T any](b *Budget, s []T, size int64, v T) ([]T, error) {
	if len(s) == cap(s) {
		grown := max(1024, cap(s)+cap(s)/2)
		var err error
		if s, err = Regrow(b, s, size, grown); err != nil {
			return s, err
		}
	}
	return append(s, v), nil
}

// Regrow moves s, with elements of size bytes, into an array of the given capacity.
func Regrow[T any](b *Budget, s []T, size int64, capacity int) ([]T, error) {
	if err := b.Take(int64(capacity), size); err != nil {
		return s, err
	}
	grown := make([]T, len(s), capacity)
	copy(grown, s)
	b.Give(int64(cap(s)), size)
	return grown, nil
}

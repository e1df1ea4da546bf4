package corpus

import "github.com/eigenmap/eigenmap/internal/memory"

// fallbackMemory is taken for the machine's memory where the system does not tell it.
const fallbackMemory int64 = 8 << 30

// budget bounds the memory one reader takes. It is asked before memory is taken, so a file can
// never make the program ask the system for more than the user allowed.
type budget struct{ limit, used int64 }

// newBudget makes a budget of limit bytes; 0 or less means three quarters of what the machine has free.
func newBudget(limit int64) *budget {
	if limit <= 0 {
		limit = max(1, availableMemory()/4*3)
	}
	return &budget{limit: limit}
}

// take reserves n items of size bytes each.
func (b *budget) take(n, size int64) error {
	if n < 0 || size < 0 || (size > 0 && n > (b.limit-b.used)/size) {
		return errMemory
	}
	b.used += n * size
	return nil
}

// give returns what take reserved.
func (b *budget) give(n, size int64) { b.used -= n * size }

// availableMemory returns the bytes that can still be taken.
func availableMemory() int64 {
	if free := memory.Available(); free != memory.Unknown {
		return free
	}
	return fallbackMemory
}

// push appends v to s; where s must grow, the budget is asked first. Growth is by half, so that the
// old and the new array together stay below three times the content.
func push[T any](b *budget, s []T, size int64, v T) ([]T, error) {
	if len(s) == cap(s) {
		grown := max(1024, cap(s)+cap(s)/2)
		var err error
		if s, err = regrow(b, s, size, grown); err != nil {
			return s, err
		}
	}
	return append(s, v), nil
}

// regrow moves s into an array of the given capacity.
func regrow[T any](b *budget, s []T, size int64, capacity int) ([]T, error) {
	if err := b.take(int64(capacity), size); err != nil {
		return s, err
	}
	grown := make([]T, len(s), capacity)
	copy(grown, s)
	b.give(int64(cap(s)), size)
	return grown, nil
}

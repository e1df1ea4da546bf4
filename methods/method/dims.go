package method

import "github.com/eigenmap/eigenmap/internal/invalid"

// FixedDims is the number of dimensions of a method that leaves no choice: fixed, or an error if
// another number was asked for (0: none was). makes says what the method makes: "one direction
// fewer than classes given".
func FixedDims(name, makes string, fixed, asked int) (int, error) {
	if asked != 0 && asked != fixed {
		return 0, invalid.Errorf("the method %s makes %s, here %d: leave ‹dims› out", name, makes, fixed)
	}
	return fixed, nil
}

// Package pattern compiles regular expressions when they are first needed, so that the start of
// the program does without them.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles an expression at its first call and returns it at every
// one. It panics if the expression is not valid, which a test of this package looks for in all
// packages.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

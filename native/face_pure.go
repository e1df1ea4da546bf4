//go:build !cgo || purego

package native

func available() []Engine { return []Engine{goEngine{}} }

// libraries fills in the libraries of the pure-Go build.
func libraries(info *Information) { goLibraries(info) }

// hold has nothing to do: no library has a thread count.
func hold() (release func()) { return func() {} }

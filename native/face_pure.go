//go:build !cgo || purego

package native

func available() []Engine { return []Engine{goEngine{}} }

// libraries fills in what the pure-Go face runs on.
func libraries(info *Information) { goLibraries(info) }

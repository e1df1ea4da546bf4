//go:build !cgo || purego

package native

import (
	"runtime/debug"
	"strings"
)

func available() []Engine { return []Engine{goEngine{}} }

// libraries fills in what the pure-Go face runs on.
func libraries(info *Information) {
	version := "gonum"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				version = strings.Join([]string{version, m.Version}, " ")
			}
		}
	}
	info.BLAS, info.LAPACK = version, version
}

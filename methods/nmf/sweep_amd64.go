//go:build amd64 && !purego

package nmf

import "golang.org/x/sys/cpu"

var haveAVX = cpu.X86.HasAVX

// sweepEight is halsRow of eight rows that lie side by side: entry j of them is at 8·j of f and, of
// their gradients, of slopes. gram has 4·fours rows and columns and is symmetric. change gets the
// eight results.
//
//go:noescape
func sweepEight(f, slopes, gram *float64, fours int, change *float64)

//go:build amd64 && !purego

package nmf

import "golang.org/x/sys/cpu"

var haveAVX = cpu.X86.HasAVX

// sweepEight is halsRow of eight rows that lie side by side: entry j of the rows is at 8·j of f and
// of slopes, their gradients. gram has 4·fours rows and columns and is symmetric. change gets the eight results.
//
//go:noescape
func sweepEight(f, slopes, gram *float64, fours int, change *float64)

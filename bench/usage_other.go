//go:build !unix

package bench

import "os"

func cpuSeconds() float64 { return 0 }

func maxRSS(*os.ProcessState) float64 { return 0 }

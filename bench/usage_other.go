//go:build !unix

package bench

import "os"

// CPUSeconds is 0: the system does not count it.
func CPUSeconds() float64 { return 0 }

func maxRSS(*os.ProcessState) float64 { return 0 }

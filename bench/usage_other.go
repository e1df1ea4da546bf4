//go:build !unix

package bench

import "os"

// CPUSeconds is 0: the system does not count it.
func CPUSeconds() float64 { return 0 }

// ForgetPeak does nothing: the system does not count memory.
func ForgetPeak() {}

func maxRSS(*os.ProcessState) float64 { return 0 }

package memory

import (
	"math"

	"golang.org/x/sys/unix"
)

// addressSpace returns the limit that ulimit -v sets, in bytes.
func addressSpace() int64 {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &r) != nil || r.Cur > math.MaxInt64 {
		return Unknown
	}
	return int64(r.Cur)
}

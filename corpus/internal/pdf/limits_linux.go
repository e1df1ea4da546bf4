package pdf

import "golang.org/x/sys/unix"

// bound limits the processor time, in seconds, and the address space, in bytes, of a process, which
// may write neither files nor its memory. A limit that is lower already stays; one that cannot be
// set is left out.
func bound(pid int, seconds, space uint64) {
	for _, l := range []struct {
		kind int
		most uint64
	}{{unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_AS, space}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_CORE, 0}} {
		var now unix.Rlimit
		if unix.Prlimit(pid, l.kind, nil, &now) != nil || now.Cur <= l.most {
			continue
		}
		next := unix.Rlimit{Cur: l.most, Max: now.Max}
		if l.kind == unix.RLIMIT_CPU {
			next.Max = min(next.Max, l.most+5) // then it is killed
		}
		_ = unix.Prlimit(pid, l.kind, &next, nil)
	}
}

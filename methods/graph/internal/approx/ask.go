package approx

import (
	"encoding/binary"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

var le = binary.LittleEndian

// ask sends places to the ranks that have them, and returns their answers in the order of the
// places: say appends the answer for an own place. The places ascend, each once. All ranks call it.
func ask(share *ranks.Share, places []int32, say func(b []byte, at int) []byte) stream {
	parts := make([][]byte, share.Size())
	for _, p := range places {
		r := share.Owner(int(p))
		parts[r] = le.AppendUint32(parts[r], uint32(int(p)-share.Bounds[r]))
	}
	said := make([][]byte, share.Size())
	for r, part := range share.Exchange(parts) {
		for m := ranks.Message(part); len(m) > 0; {
			said[r] = say(said[r], int(m.Uint32()))
		}
	}
	return share.Exchange(said)
}

// stream holds what is left of the message of each rank, in the order of ranks.
type stream [][]byte

// next is the message of the rank that has the next place.
func (s *stream) next() *ranks.Message {
	for len((*s)[0]) == 0 {
		*s = (*s)[1:]
	}
	return (*ranks.Message)(&(*s)[0])
}

// gather returns the entries from lo on, up to hi, that have at most most members together, or one
// of them that has more. visit calls back with the members of an entry, which are places. list are
// the members, ascending, each once, and number has the number of each in the list.
func gather(lo, end, most int, visit func(at int, member func(p int32))) (hi int, list []int32, number map[int32]int32) {
	number = map[int32]int32{}
	for hi = lo; hi < end; hi++ {
		fresh := 0
		visit(hi, func(p int32) {
			if _, there := number[p]; !there {
				fresh++
			}
		})
		if hi > lo && len(list)+fresh > most {
			break
		}
		visit(hi, func(p int32) {
			if _, there := number[p]; !there {
				number[p] = 0
				list = append(list, p)
			}
		})
	}
	slices.Sort(list)
	for c, p := range list {
		number[p] = int32(c)
	}
	return hi, list, number
}

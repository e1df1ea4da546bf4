package ranks

import (
	"encoding/binary"
	"sync"
)

// Hosted is a member of a team whose members several processes host: the parts of one run, of which
// a process works on some side by side. The sums of such a team have the same bits whichever
// process hosts which member, so its size alone, and not the number of processes, is in the
// results.
type Hosted struct {
	rank int
	host *host
}

var _ Team = (*Hosted)(nil)

// Host runs body as those members of a team of size parts that this process hosts, one goroutine
// each, and returns when all are done. outer are the processes, at most parts of them; all of them
// call it. As in every team, a call of one member waits for all others.
func Host(outer Team, parts int, body func(t *Hosted)) {
	h := &host{outer: outer, parts: parts}
	h.first, h.last = Part(outer, outer.Rank(), parts)
	h.said, h.left = make([][][]byte, h.last-h.first), h.last-h.first
	h.changed = sync.NewCond(&h.mu)
	var wg sync.WaitGroup
	for r := h.first; r < h.last; r++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			body(&Hosted{r, h})
		}()
	}
	wg.Wait()
}

// host is what the members that one process hosts have in common.
type host struct {
	outer       Team
	parts       int
	first, last int // of the members here

	mu      sync.Mutex
	changed *sync.Cond
	said    [][][]byte // by member that is here, then receiver
	heard   [][][]byte // by member that is here, then sender
	come    int        // how many have said what they send
	left    int        // how many have taken what they hear since
}

// Rank implements [Team].
func (m *Hosted) Rank() int { return m.rank }

// Size implements [Team].
func (m *Hosted) Size() int { return m.host.parts }

// Here is how many members of the team this process hosts.
func (m *Hosted) Here() int { return m.host.last - m.host.first }

// Outer are the processes.
func (m *Hosted) Outer() Team { return m.host.outer }

// Sum implements [Team].
func (m *Hosted) Sum(x []float64) { SumInOrder(m, x) }

// Share implements [Team].
func (m *Hosted) Share(x []float64) { shareBytes(m, x) }

// Exchange implements [Team]. The last member of each process that comes speaks with the other
// processes for all that are here.
func (m *Hosted) Exchange(parts [][]byte) [][]byte {
	h, here := m.host, m.rank-m.host.first
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.left < len(h.said) { // a member has not taken what it hears of the call before
		h.changed.Wait()
	}
	h.said[here] = parts
	if h.come++; h.come < len(h.said) {
		for h.come > 0 {
			h.changed.Wait()
		}
	} else {
		h.heard = h.speak()
		h.come, h.left = 0, 0
		h.changed.Broadcast()
	}
	heard := h.heard[here]
	if h.left++; h.left == len(h.said) {
		clear(h.said)
		h.heard = nil
		h.changed.Broadcast()
	}
	return heard
}

// speak exchanges what the members of all processes send. A message to a process has, for each
// member here and each member there, a length of eight bytes and the bytes.
func (h *host) speak() [][][]byte {
	messages := make([][]byte, h.outer.Size())
	for q := range messages {
		if q == h.outer.Rank() {
			continue
		}
		lo, hi := Part(h.outer, q, h.parts)
		size := 0
		for _, parts := range h.said {
			for _, part := range parts[lo:hi] {
				size += 8 + len(part)
			}
		}
		said := make([]byte, 0, size)
		for _, parts := range h.said {
			for _, part := range parts[lo:hi] {
				said = append(binary.LittleEndian.AppendUint64(said, uint64(len(part))), part...)
			}
		}
		messages[q] = said
	}
	heard := make([][][]byte, len(h.said))
	for r := range heard {
		heard[r] = make([][]byte, h.parts)
	}
	for q, got := range h.outer.Exchange(messages) {
		lo, hi := Part(h.outer, q, h.parts)
		for from := lo; from < hi; from++ {
			for r := range heard {
				if q == h.outer.Rank() {
					heard[r][from] = append([]byte(nil), h.said[from-h.first][h.first+r]...)
					continue
				}
				n := binary.LittleEndian.Uint64(got)
				heard[r][from], got = got[8:8+n:8+n], got[8+n:]
			}
		}
	}
	return heard
}

// longSum is how many numbers are summed by slices, of which each rank adds up one.
const longSum = 1 << 10

// SumInOrder is [Team.Sum] by exchanges: the numbers of rank 0, and then of each next rank, are
// added up, so the bits depend on the team's size alone. Each rank receives 8 bytes per number and
// rank, or of many numbers 16 bytes per number.
func SumInOrder(t Team, x []float64) {
	size := t.Size()
	if size == 1 {
		return
	}
	if len(x) < longSum {
		addUp(x, Gather(t, Bytes(x)))
		return
	}
	slices := make([][]byte, size)
	for r := range slices {
		lo, hi := Part(t, r, len(x))
		slices[r] = Bytes(x[lo:hi])
	}
	lo, hi := Part(t, t.Rank(), len(x))
	addUp(x[lo:hi], t.Exchange(slices))
	at := 0
	for _, part := range Gather(t, Bytes(x[lo:hi])) {
		at += copy(x[at:], Floats(part))
	}
}

// addUp sets x to the sum of the numbers of all ranks.
func addUp(x []float64, parts [][]byte) {
	copy(x, Floats(parts[0]))
	for _, part := range parts[1:] {
		for i, v := range Floats(part) {
			x[i] += v
		}
	}
}

// shareBytes is [Team.Share] by an exchange.
func shareBytes(t Team, x []float64) {
	parts := make([][]byte, t.Size())
	if t.Rank() == 0 {
		own := Bytes(x)
		for r := range parts {
			parts[r] = own
		}
	}
	copy(x, Floats(t.Exchange(parts)[0]))
}

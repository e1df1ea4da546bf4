package ranks

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Together runs body as each rank of a team of goroutines, and returns when all are done: for tests
// of divided work without MPI. Where MPI would wait for ever, or mix the numbers of two calls, it
// panics: if a rank ends while another waits for it, and if ranks meet from different places of the
// program.
func Together(size int, body func(t Team)) {
	meeting := &meeting{size: size, parts: make([][][]byte, size), places: make([][]uintptr, size), left: size}
	meeting.changed = sync.NewCond(&meeting.mu)
	var wg sync.WaitGroup
	for r := range size {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer meeting.leave()
			body(&goroutine{rank: r, meeting: meeting})
		}()
	}
	wg.Wait()
}

// meeting is where the goroutines of a team exchange their parts.
type meeting struct {
	mu      sync.Mutex
	changed *sync.Cond
	size    int
	parts   [][][]byte  // by sender, then receiver
	places  [][]uintptr // from where each came, by rank
	come    int         // how many have brought their parts
	left    int         // how many have taken what is theirs since
	ended   int         // how many have ended
}

type goroutine struct {
	rank    int
	meeting *meeting
}

func (g *goroutine) Rank() int { return g.rank }
func (g *goroutine) Size() int { return g.meeting.size }

func (g *goroutine) Exchange(parts [][]byte) [][]byte {
	m := g.meeting
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.left < m.size {
		m.changed.Wait()
	}
	m.parts[g.rank] = parts
	m.places[g.rank] = callers(m.places[g.rank])
	if m.come++; m.come == m.size {
		m.samePlace()
		m.come, m.left = 0, 0
		defer m.changed.Broadcast()
	} else {
		m.changed.Broadcast()
		for m.left == m.size {
			if m.ended > 0 {
				panic(fmt.Sprintf("rank %d waits for a rank that has ended", g.rank))
			}
			m.changed.Wait()
		}
	}
	got := make([][]byte, m.size)
	for from := range got {
		got[from] = append([]byte(nil), m.parts[from][g.rank]...)
	}
	if m.left++; m.left == m.size {
		clear(m.parts) // each has a copy of what is its own
		m.changed.Broadcast()
	}
	return got
}

// leave says that a rank has ended.
func (m *meeting) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended++
	m.changed.Broadcast()
}

// samePlace panics if the ranks came from different places.
func (m *meeting) samePlace() {
	for r, place := range m.places {
		if !slices.Equal(place, m.places[0]) {
			panic(fmt.Sprintf("ranks 0 and %d meet from different places:%s\n\nand%s", r, frames(m.places[0]), frames(place)))
		}
	}
}

// depth is the number of calls by which two places are compared.
const depth = 64

// callers are the calls that led to Exchange, the innermost first, in the memory of list.
func callers(list []uintptr) []uintptr {
	if list == nil {
		list = make([]uintptr, depth)
	}
	return list[:runtime.Callers(3, list[:depth])]
}

// frames writes calls, one a line.
func frames(place []uintptr) string {
	var b strings.Builder
	list := runtime.CallersFrames(place)
	for more := true; more; {
		var f runtime.Frame
		f, more = list.Next()
		fmt.Fprintf(&b, "\n\t%s %s:%d", f.Function, f.File, f.Line)
	}
	return b.String()
}

func (g *goroutine) Sum(x []float64) { SumInOrder(g, x) }

func (g *goroutine) Share(x []float64) { shareBytes(g, x) }

package ranks

import "sync"

// Together runs body as each rank of a team of goroutines, and returns when all are done: for tests
// of divided work without MPI.
func Together(size int, body func(t Team)) {
	meeting := &meeting{size: size, parts: make([][][]byte, size), left: size}
	meeting.changed = sync.NewCond(&meeting.mu)
	var wg sync.WaitGroup
	for r := range size {
		wg.Add(1)
		go func() {
			defer wg.Done()
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
	parts   [][][]byte // by sender, then receiver
	come    int        // how many have brought their parts
	left    int        // how many have taken what is theirs since
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
	if m.come++; m.come == m.size {
		m.come, m.left = 0, 0
		defer m.changed.Broadcast()
	} else {
		m.changed.Broadcast()
		for m.left == m.size {
			m.changed.Wait()
		}
	}
	got := make([][]byte, m.size)
	for from := range got {
		got[from] = append([]byte(nil), m.parts[from][g.rank]...)
	}
	if m.left++; m.left == m.size {
		m.changed.Broadcast()
	}
	return got
}

func (g *goroutine) Sum(x []float64) { SumInOrder(g, x) }

func (g *goroutine) Share(x []float64) { shareBytes(g, x) }

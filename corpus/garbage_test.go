package corpus

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// What texts were counted in is collected when their matrix is there: the documents are held
// compactly until then, beside the tables of their words, and the next stage takes that place. The
// collector does not run of itself here.
func TestGarbageOfTextsIsCollected(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(3, 36))
	for range 20_000 {
		b.WriteString(`{"text": "`)
		for range 60 {
			fmt.Fprintf(&b, "w%c%c%c%c ", 'a'+rng.IntN(26), 'a'+rng.IntN(26), 'a'+rng.IntN(26), 'a'+rng.IntN(3))
		}
		b.WriteString("\"}\n")
	}
	data := []byte(b.String())
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	debug.FreeOSMemory()
	before := heapObjects()
	c := must.Get(readBytes(data, "jsonl", ReadOptions{}))(t)
	left := heapObjects() - before
	debug.FreeOSMemory()
	if kept := heapObjects() - before; left > 3*kept || c.Len() != 20_000 {
		t.Errorf("%d documents: %d bytes are in use after reading, of which %d are of the corpus", c.Len(), left, kept)
	}
}

// heapObjects is the number of bytes of the heap that are in use or wait for the collector.
func heapObjects() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

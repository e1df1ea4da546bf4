// Command nearest times a search for the neighbours of dense rows, without reading.
//
//	go run ./bench/cmd/nearest [--k 15] [--method approx] [--threads 1] [--seed 0] FILE
//
// FILE is any file of rows, such as .npy. It prints the seconds of CPU and of the clock, the peak
// of the memory beside the rows, and the recall: the share of the exact neighbours of 1,000
// rows spread over the file that were found. bench/python/nearest.py runs it beside other programs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"time"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "nearest:", err)
		os.Exit(2)
	}
}

// result is what is printed, as one line of JSON.
type result struct {
	CPU    float64 `json:"cpu"`     // seconds
	Wall   float64 `json:"wall"`    // seconds
	HeapMB float64 `json:"heap_mb"` // allocated at most, beside the rows
	Recall float64 `json:"recall"`
	Own    float64 `json:"own_recall"` // as the search measured it
}

func run(ctx context.Context) error {
	k := flag.Int("k", 15, "neighbours of a row")
	method := flag.String("method", "approx", "approx or exact")
	threads := flag.Int("threads", 1, "threads")
	seed := flag.Uint64("seed", 0, "seed of the search")
	profile := flag.String("cpuprofile", "", "file for a profile")
	single := flag.Bool("single", false, "keep rows in single precision")
	flag.Parse()
	if flag.NArg() != 1 {
		return fmt.Errorf("name one file of rows")
	}
	c, err := corpus.Read(ctx, flag.Arg(0), corpus.ReadOptions{})
	if err != nil {
		return err
	}
	x := c.X
	if *single {
		if x, err = sparse.ToSingle(x); err != nil {
			return err
		}
	}
	c = nil
	native.SetThreads(*threads)
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
	}
	debug.FreeOSMemory()
	most := peak()
	cpu, began := bench.CPUSeconds(), time.Now()
	var g *graph.KNN
	r := result{Own: 1}
	if *method == "exact" {
		g, err = graph.Nearest(ctx, x, *k, nil)
	} else {
		g, r.Own, err = graph.Approximate(ctx, x, *k, *seed, nil)
	}
	r.CPU, r.Wall = bench.CPUSeconds()-cpu, time.Since(began).Seconds()
	if err != nil {
		return err
	}
	r.HeapMB = most()
	pprof.StopCPUProfile()
	if r.Recall, err = recall(ctx, x, g); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// peak returns a function that says by how many MB the heap grew at most since the call.
func peak() func() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most, stop, done := m.HeapAlloc, uint64(0), make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return (float64(most) - float64(before)) / 1e6
	}
}

// recall is the share of the K nearest of 1,000 rows that are at most as far as the K-th.
func recall(ctx context.Context, x mat.Matrix, g *graph.KNN) (float64, error) {
	n, d := x.Dims()
	count := min(n, 1000)
	some := mat.NewDense(count, d, nil)
	for r := range count {
		for j := range d {
			some.Set(r, j, x.At(r*(n/count), j))
		}
	}
	want, err := graph.NearestAmong(ctx, some, x, g.K+1, nil) // the row itself is one of them
	if err != nil {
		return 0, err
	}
	found := 0
	for r := range count {
		_, near, _ := want.Row(r)
		_, dist2, _ := g.Row(r * (n / count))
		for _, v := range dist2 {
			if v <= near[g.K]*(1+1e-12) {
				found++
			}
		}
	}
	return float64(found) / float64(count*g.K), nil
}

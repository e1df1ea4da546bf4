package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func read[T any](f string) []T {
	b, err := os.ReadFile(f)
	if err != nil {
		panic(err)
	}
	var z T
	v := make([]T, len(b)/binary.Size(z))
	binary.Decode(b, binary.LittleEndian, v)
	return v
}
func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func main() {
	p := &proto{}
	names := flag.String("c", "debian,tdt2,news", "")
	what := flag.String("g", "graph", "graph|emb|unit")
	wt := flag.String("w", "binary", "")
	k := flag.Int("k", 15, "")
	_ = flag.Float64("scale", 10, "")
	flag.IntVar(&p.Epochs, "e", 200, "")
	flag.IntVar(&p.Neg, "neg", 5, "")
	a := flag.Float64("a", 1.577, "")
	b := flag.Float64("b", 1, "")
	g := flag.Float64("gamma", 2.5, "")
	rate := flag.Float64("rate", 1, "")
	b1 := flag.Float64("b1", .5, "")
	b2 := flag.Float64("b2", .9, "")
	flag.Parse()
	p.A, p.B, p.Gamma, p.Rate, p.B1, p.B2 = float32(*a), float32(*b), float32(*g), float32(*rate), float32(*b1), float32(*b2)
	fmt.Println(os.Args[1:])
	for _, name := range strings.Split(*names, ",") {
		labels := read[int32](name + ".labels")
		n := len(labels)
		e := read[float64](name + ".emb")
		d := len(e) / n
		x := mat.NewDense(n, d, e)
		unit := mat.DenseCopyOf(x)
		for i := range n {
			r := unit.RawRowView(i)
			s := 0.0
			for _, v := range r {
				s += v * v
			}
			for q := range r {
				r[q] /= math.Sqrt(s) + 1e-300
			}
		}
		t0 := cpu()
		if *what == "graph" {
			p.Ptr = read2(read[int64](name + ".ptr"))
			p.Col = read[int32](name + ".col")
			p.W = read[float32](name + ".w")
		} else {
			src := x
			if *what == "unit" {
				src = unit
			}
			gg, err := graph.Build(context.Background(), src, graph.Options{Neighbors: *k, Weight: graph.Heat, HeatRule: graph.LocalWidth})
			if err != nil {
				panic(err)
			}
			p.Ptr, p.Col = gg.W.RowPtr, gg.W.Col
			p.W = make([]float32, len(p.Col))
			for i, v := range gg.W.Val {
				p.W[i] = float32(v)
			}
		}
		t1 := cpu()
		val := make([]float64, len(p.W))
		for i, v := range p.W {
			val[i] = float64(v)
		}
		w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: p.Ptr, Col: p.Col, Val: val}
		cc := x
		if *wt == "own" {
			cc = nil
		}
		t2 := cpu()
		out, err := layout.Fit(context.Background(), w, cc, layout.Options{})
		if err != nil {
			panic(err)
		}
		t3 := cpu()
		yy := make([]float32, 2*n)
		for i, v := range out.RawMatrix().Data {
			yy[i] = float32(v)
		}
		fmt.Printf("  %-7s map %.4f cpu knn %.1f map %.1f entries %d\n", name, agree(yy, labels), t1-t0, t3-t2, len(p.Col))
		f, _ := os.Create(name + ".map")
		binary.Write(f, binary.LittleEndian, yy)
		f.Close()
	}
}

type proto struct {
	N                        int
	Ptr                      []int
	Col                      []int32
	W                        []float32
	Epochs, Neg              int
	A, B, Gamma, Rate, B1, B2 float32
}

func read2(v []int64) []int {
	o := make([]int, len(v))
	for i, x := range v {
		o[i] = int(x)
	}
	return o
}

func agree(y []float32, l []int32) float64 {
	n := len(l)
	x := mat.NewDense(n, 2, nil)
	for i, v := range y {
		x.RawMatrix().Data[i] = float64(v)
	}
	g, err := graph.Nearest(context.Background(), x, 10, nil)
	if err != nil {
		panic(err)
	}
	hit := 0
	for i := range n {
		ix, _, _ := g.Row(i)
		for _, j := range ix {
			if l[j] == l[i] {
				hit++
			}
		}
	}
	return float64(hit) / float64(10*n)
}

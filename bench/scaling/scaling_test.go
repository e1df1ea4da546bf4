package scaling

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
)

// TestMain lets Run start this program as its child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildFlag {
		if err := Child(context.Background(), os.Stdout, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func TestRunMeasuresEveryStageAtEverySize(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	var r *Report
	err = Run(context.Background(), Options{Sizes: []int{300, 600}, Runs: 1, OutDir: t.TempDir(), Program: program}, func(now *Report) error {
		calls++
		r = now
		return nil
	})
	if err != nil || calls != 2*len(contestants) {
		t.Fatalf("%v after %d calls", err, calls)
	}
	of := map[string]int{}
	for _, p := range r.Points {
		of[p.By+", "+p.Stage]++
		if p.By == byPeer && !strings.Contains(p.LeftOut, "no Python") {
			t.Errorf("a peer without Python: %+v", p)
		}
		if p.By == byGo && (p.CPU <= 0 || p.LeftOut != "") {
			t.Errorf("%+v", p)
		}
	}
	for _, stage := range []string{stageRead, stageExact, stageEigen, stageKMeans} {
		if n := of[byGo+", "+stage]; n != 2 {
			t.Errorf("%s: %d points", stage, n)
		}
	}
}

// Where the exact graph would take too long, the stages after it run on the approximate one.
func TestLargeRunsOnTheApproximateGraph(t *testing.T) {
	program := must.Get(os.Executable())(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "abstracts.jsonl")
	must.Do(t, writeCorpus(file, 600))
	r := &runner{Options: Options{Limit: time.Minute, Program: program, Threads: 1}, report: &Report{}}
	for _, s := range contestants[0].stages {
		p := Point{Docs: 300, By: byNative, Stage: s, CPU: 0.1}
		if s == stageExact {
			p.CPU = 50
		}
		r.report.Points = append(r.report.Points, p)
	}
	c := contestants[0]
	if c.engine = native.Default().Name(); c.kind != kindExact {
		t.Fatal("the first contestant has no exact graph")
	}
	must.Do(t, r.contest(context.Background(), 600, 1, c, file, dir))
	if p := r.last(byNative, stageExact); p.Docs != 600 || !strings.Contains(p.LeftOut, "would take some 200 s") {
		t.Errorf("%+v", p)
	}
	for _, s := range large {
		if p := r.last(byNative, s); p == nil || p.Docs != 600 || p.CPU <= 0 || p.LeftOut != "" {
			t.Errorf("%s: %+v", s, p)
		} else if s == stageApprox && !strings.Contains(p.Note, "100.0 %") {
			t.Errorf("the recall is not noted: %q", p.Note)
		}
	}
	if kept, err := os.ReadDir(dir); err != nil || len(kept) < 3 {
		t.Errorf("graph and coordinates are not kept for the peers: %v, %v", kept, err)
	}
	points := len(r.report.Points)
	approx := contestants[len(contestants)-1]
	if err := r.contest(context.Background(), 600, 1, approx, file, dir); err != nil || len(r.report.Points) != points {
		t.Errorf("the approximate graph is measured twice, or %v", err)
	}
}

func TestChildRefusesAKindOfEngineThatIsNotThere(t *testing.T) {
	if err := Child(context.Background(), io.Discard, []string{"file", "no-engine", kindExact, "1", ""}); err == nil {
		t.Error("no error")
	}
	if err := Child(context.Background(), io.Discard, []string{"file"}); err == nil {
		t.Error("no error of missing arguments")
	}
}

func TestExponentIsTheSlope(t *testing.T) {
	var points []Point
	for _, n := range []int{1000, 3000, 10_000, 100_000} {
		points = append(points, Point{Docs: n, CPU: 1e-7 * math.Pow(float64(n), 1.7)})
	}
	points[0].CPU = leastCPU / 2 // too short to count
	points = append(points, Point{Docs: 300_000, LeftOut: "too long"})
	slope, used := exponent(points, 0)
	if used != 3 || math.Abs(slope-1.7) > 1e-9 {
		t.Errorf("exponent %g of %d points, want 1.7 of 3", slope, used)
	}
	if _, used := exponent(points, 10_000); used != 2 {
		t.Errorf("%d points from 10,000 on, want 2", used)
	}
	if slope, _ := exponent(points[1:2], 0); !math.IsNaN(slope) {
		t.Errorf("one point gives the exponent %g", slope)
	}
}

// smallReport has a curve of every kind, and a stage that was left out.
func smallReport() *Report {
	r := &Report{Load: [2]float64{1, 2}, Peers: "python3"}
	r.Machine.CPU = "a processor"
	for _, c := range contestants {
		for _, s := range c.stages {
			for i, n := range []int{1000, 10_000, 100_000} {
				p := Point{Docs: n, By: c.by, Stage: s, CPU: 0.03 * math.Pow(20, float64(i)), Runs: 1}
				if c.by == byPeer && s == stageExact && i == 2 {
					p = Point{Docs: n, By: c.by, Stage: s, LeftOut: "would take some 900 s"}
				}
				r.Points = append(r.Points, p)
			}
		}
		r.Peaks = append(r.Peaks, Peak{1000, c.by, c.kind, 50})
	}
	return r
}

func TestTableHasWholeRowsAndSaysWhatIsLeftOut(t *testing.T) {
	var b strings.Builder
	must.Do(t, smallReport().WriteTable(&b))
	text := b.String()
	for _, want := range []string{"- graph, exact, scikit-learn, SciPy, 100,000 documents: would take some 900 s", "| 0.03 | 0.6 | 12 | 1.30 |  |", "| 0.03 | 0.6 |  | 1.30 |  |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	width := 0
	for l := range strings.SplitSeq(text, "\n") {
		bars := strings.Count(l, "|")
		switch {
		case bars == 0:
			width = 0
		case width == 0:
			width = bars
		case bars != width:
			t.Errorf("line %q has %d bars, the table %d", l, bars, width)
		}
	}
}

func TestPlotIsTheSameEveryTime(t *testing.T) {
	for _, format := range []string{"png", "svg"} {
		var first, second bytes.Buffer
		must.Do(t, errors.Join(smallReport().WritePlot(&first, format), smallReport().WritePlot(&second, format)))
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("two pictures as %s differ", format)
		}
		if format == "png" {
			if _, err := png.Decode(&first); err != nil {
				t.Error(err)
			}
			continue
		}
		for d := xml.NewDecoder(&first); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := smallReport().WritePlot(io.Discard, "gif"); err == nil {
		t.Error("a format that is not there gives no error")
	}
}

func TestStagesThatWouldTakeTooLongAreLeftOut(t *testing.T) {
	r := &runner{Options: Options{Limit: time.Minute, PeerTime: 10 * time.Second, Python: "python3", MemoryMB: 1000}, report: &Report{}}
	peer := contestants[2]
	for _, s := range peer.stages {
		r.report.Points = append(r.report.Points, Point{Docs: 1000, By: byPeer, Stage: s, CPU: 2})
	}
	stages := r.affordable(3000, peer) // the graph 2 s · 9, the others 2 s · 3
	if len(stages) != 3 {
		t.Fatalf("stages %v", stages)
	}
	if p := r.last(byPeer, stageExact); !strings.Contains(p.LeftOut, "18 s") {
		t.Errorf("%+v", p)
	}
	if stages := r.affordable(10_000, peer); len(stages) != 0 {
		t.Errorf("stages %v at 10,000", stages)
	}
	own := contestants[0]
	r.report.Peaks = []Peak{{1000, own.by, own.kind, 200}}
	if stages := r.affordable(10_000, own); stages != nil {
		t.Errorf("stages %v without the memory", stages)
	}
	if p := r.last(own.by, stageKMeans); p == nil || !strings.Contains(p.LeftOut, "GB") {
		t.Errorf("%+v", p)
	}
}

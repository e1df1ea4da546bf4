package bench

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
)

//go:embed python/whole.py
var wholeScript string

// reviews is the archive of 100,000 film reviews (Maas et al. 2011) in the folder of --data.
const reviews = "aclImdb.tar.xz"

// wholeSection measures whole processes, from a file to clusters: time, processor time and peak
// memory, start and imports included.
func wholeSection(ctx context.Context, s *session) ([]Group, error) {
	if s.Eigenmap == "" {
		return []Group{{Title: "whole processes", Notes: []string{"left out: no program was named (--eigenmap bin/eigenmap)"}}}, nil
	}
	file, name, k, err := s.corpusFile(ctx)
	if err != nil {
		return nil, err
	}
	var groups []Group
	for _, measure := range []func() (Group, error){
		func() (Group, error) { return s.wholeGroup(ctx, name+" → clusters", file, k) },
		func() (Group, error) { return s.outGroup(ctx, name, file, k) },
		func() (Group, error) { return s.besideGroup(ctx, name, file, k) },
		func() (Group, error) { return s.archiveGroup(ctx) },
		func() (Group, error) { return s.reviewsGroup(ctx) },
	} {
		g, err := measure()
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// corpusFile is TDT2.mat, or a file of made-up documents, and the number of its classes.
func (s *session) corpusFile(ctx context.Context) (file, name string, k int, err error) {
	c, _, err := s.documents(ctx)
	if err != nil {
		return "", "", 0, err
	}
	k = slices.Max(c.Labels) + 1
	if c.Name == "TDT2" {
		return filepath.Join(s.DataDir, "TDT2.mat"), "TDT2.mat", k, nil
	}
	copied := *c
	copied.ClassNames = nil
	for i := range k {
		copied.ClassNames = append(copied.ClassNames, fmt.Sprintf("%03d", i))
	}
	file = filepath.Join(s.matrix, "corpus.npz")
	return file, c.Name, k, corpus.Write(ctx, file, &copied)
}

// command is a contestant that is a process of its own; note, which may be nil, makes its note from
// what it printed.
func command(name string, side Side, note func([]byte) (string, error), program string, args ...string) Contestant {
	return Contestant{name, side, func(ctx context.Context) (o Outcome, err error) {
		cmd := exec.CommandContext(ctx, program, args...)
		var out, said bytes.Buffer
		cmd.Stderr = &said
		cmd.Stdout = io.Discard
		if note != nil {
			cmd.Stdout = &out
		}
		memory.ResetPeak()
		clock := startStopwatch()
		if err := cmd.Run(); err != nil {
			lines := strings.Split(strings.TrimSpace(said.String()), "\n") // the last one is Python's error
			return o, errors.New(strings.TrimSpace(lines[len(lines)-1] + " (" + err.Error() + ")"))
		}
		o = clock.outcome(1, "")
		o.CPU, o.PeakMB = Ended(cmd.ProcessState)
		if note != nil {
			o.Note, err = note(out.Bytes())
		}
		return o, err
	}}
}

// cluster is our run on a file, with further arguments.
func (s *session) cluster(name, file string, k int, more ...string) Contestant {
	args := append([]string{"cluster", file, "--method", "le", "-k", fmt.Sprint(k), "--quiet", "--json"}, more...)
	return command(name, Native, func(out []byte) (string, error) {
		var r struct {
			Metrics map[string]float64 `json:"metrics"`
			Timings map[string]float64 `json:"timings"`
		}
		if err := json.Unmarshal(out, &r); err != nil {
			return "", err
		}
		note := fmt.Sprintf("read %.2f, graph %.2f, eigenpairs %.2f, k-means %.2f s", r.Timings["read"], r.Timings["graph"], r.Timings["eigen"], r.Timings["kmeans"])
		if a, ok := r.Metrics["accuracy"]; ok {
			note = fmt.Sprintf("accuracy %.3f; ", a) + note
		}
		return note, nil
	}, s.Eigenmap, args...)
}

// pipelines are the peers on the same file.
func (s *session) pipelines(file string, k int, kinds ...string) []Contestant {
	if s.peer == nil {
		return nil
	}
	var all []Contestant
	for _, kind := range kinds {
		all = append(all, command(kind+" pipeline", Peer, func(out []byte) (string, error) {
			var a struct {
				By       string   `json:"by"`
				Accuracy *float64 `json:"accuracy"`
			}
			if err := json.Unmarshal(out, &a); err != nil || a.Accuracy == nil {
				return a.By, err
			}
			return fmt.Sprintf("accuracy %.3f; %s", *a.Accuracy, a.By), nil
		}, s.Python, "-W", "ignore", "-c", wholeScript, file, fmt.Sprint(k), kind))
	}
	return all
}

func (s *session) wholeGroup(ctx context.Context, title, file string, k int, kinds ...string) (Group, error) {
	if len(kinds) == 0 {
		kinds = []string{"scipy", "scikit-learn"}
	}
	return s.compare(ctx, title+", whole process", append([]Contestant{s.cluster("eigenmap cluster", file, k)}, s.pipelines(file, k, kinds...)...))
}

// outGroup measures what writing all files and pictures costs.
func (s *session) outGroup(ctx context.Context, name, file string, k int) (Group, error) {
	dir := filepath.Join(s.OutDir, "result")
	defer os.RemoveAll(dir)
	g, err := s.compare(ctx, name+" without and with --out", []Contestant{s.cluster("without", file, k), s.cluster("with --out", file, k, "--out", dir)})
	if err == nil && g.Rows[0].Runs > 0 && g.Rows[1].Runs > 0 {
		more := g.Rows[1].Median - g.Rows[0].Median
		g.Notes = append(g.Notes, fmt.Sprintf("--out takes %s more, %.0f %% of the run; %s more of processor time", seconds(max(0, more)), 100*more/g.Rows[1].Median, seconds(max(0, g.Rows[1].CPU-g.Rows[0].CPU))))
	}
	return g, err
}

// SpinFlag is the argument with which a program that calls [Run] starts itself to keep one core
// busy; it must then call [Spin].
const SpinFlag = "--keep-a-core-busy"

// Spin computes until the context ends.
func Spin(ctx context.Context) {
	x := 1.0
	for ctx.Err() == nil {
		for range 1 << 20 {
			x = x*1.0000001 + 1e-9
		}
	}
	runtime.KeepAlive(x)
}

// besideGroup measures one thread and two, alone and beside a process that keeps one core busy.
func (s *session) besideGroup(ctx context.Context, name, file string, k int) (Group, error) {
	title := name + " beside a process that keeps one core busy"
	if s.Program == "" {
		return Group{Title: title, Notes: []string{"left out: no program that keeps a core busy"}}, nil
	}
	beside := func(c Contestant) Contestant {
		run := c.Run
		c.Name += ", beside it"
		c.Run = func(ctx context.Context) (Outcome, error) {
			busy, stop := context.WithCancel(ctx)
			defer stop()
			cmd := exec.CommandContext(busy, s.Program, SpinFlag)
			if err := cmd.Start(); err != nil {
				return Outcome{}, err
			}
			o, err := run(ctx)
			stop()
			_ = cmd.Wait() // it was killed
			return o, err
		}
		return c
	}
	one, two := s.cluster("1 thread", file, k, "--threads", "1"), s.cluster("2 threads", file, k, "--threads", "2")
	g, err := s.compare(ctx, title, []Contestant{one, two, beside(one), beside(two)})
	if err == nil && g.Rows[2].Runs > 0 && g.Rows[3].Runs > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("beside it two threads take %.2f times one thread's time", g.Rows[3].Median/g.Rows[2].Median))
	}
	return g, err
}

// archiveGroup measures reading an archive of texts beside unpacking it alone.
func (s *session) archiveGroup(ctx context.Context) (Group, error) {
	g := Group{Title: "reading " + reviews}
	file := filepath.Join(s.DataDir, reviews)
	if _, err := os.Stat(file); s.DataDir == "" || err != nil {
		g.Notes = []string{"left out: there is no " + reviews + " in the folder of --data"}
		return g, nil
	}
	if s.Quick {
		g.Notes = []string{"left out with --quick"}
		return g, nil
	}
	all := []Contestant{command("eigenmap info "+reviews, Native, nil, s.Eigenmap, "info", file, "--quiet")}
	unpacked := filepath.Join(s.OutDir, strings.TrimSuffix(reviews, ".xz"))
	defer os.Remove(unpacked)
	xz, err := exec.LookPath("xz")
	if err != nil {
		g.Notes = []string{"xz -dc and the unpacked archive are left out: there is no xz"}
	} else if err := unpack(ctx, xz, file, unpacked); err != nil {
		return g, err
	} else {
		all = append(all, command("eigenmap info, unpacked", Native, nil, s.Eigenmap, "info", unpacked, "--quiet"), command("xz -dc", Peer, nil, xz, "-dc", file))
	}
	measured, err := s.compare(ctx, g.Title, all)
	g.Rows = measured.Rows
	return g, err
}

func unpack(ctx context.Context, xz, from, to string) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	cmd := exec.CommandContext(ctx, xz, "-dc", from)
	cmd.Stdout = f
	return errors.Join(cmd.Run(), f.Close())
}

// reviewsGroup measures 100,000 reviews from the archive to clusters, in the long form.
func (s *session) reviewsGroup(ctx context.Context) (Group, error) {
	g := Group{Title: reviews + " → clusters, whole process"}
	file := filepath.Join(s.DataDir, reviews)
	if _, err := os.Stat(file); s.DataDir == "" || err != nil {
		g.Notes = []string{"left out: there is no " + reviews + " in the folder of --data"}
		return g, nil
	}
	if !s.Long {
		g.Notes = []string{"left out: minutes; --long measures it"}
		return g, nil
	}
	return s.wholeGroup(ctx, reviews+" → 20 clusters", file, 20, "scipy")
}

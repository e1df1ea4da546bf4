package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Options are the sections to measure and their inputs. The zero value measures everything on
// made-up corpora without peers.
type Options struct {
	Sections []string // names from [Sections]; none or "all": every one
	DataDir  string   // folder of the original TDT2.mat; empty: a made-up corpus of its size
	OutDir   string   // folder of the matrices for the peers; empty: a temporary one
	Python   string   // the interpreter of the peers; empty: no peers
	Program  string   // this program, for the memory figures ([ChildFlag]); empty: no such figures
	Eigenmap string   // bin/eigenmap, for whole processes; empty: no such figures
	Quick    bool     // smaller inputs and fewer runs
	Long     bool     // also what takes many minutes: a million points, 100,000 reviews
	ARPACK   bool     // with Long: also ARPACK with 150 vectors on a million points
	Seed     uint64
	Plan     Plan
	Observer progress.Observer
}

// sections in the order in which they run.
var sections = []struct {
	name string
	run  func(ctx context.Context, s *session) ([]Group, error)
}{
	{"machine", machineSection},
	{"dense", denseSection},
	{"knn", knnSection},
	{"eigen", eigenSection},
	{"geometry", geometrySection},
	{"maps", mapsSection},
	{"paths", pathsSection},
	{"kmeans", kmeansSection},
	{"whole", wholeSection},
}

// Sections lists the sections in the order in which they run: machine (peaks of arithmetic and
// memory), dense, knn, eigen, geometry, maps, paths, kmeans, whole.
func Sections() []string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

// session is what the sections of one run share.
type session struct {
	Options
	peer    *peer // nil without peers
	matrix  string
	tdt2    *corpus.Corpus // read when it is needed, see documents
	rows    mat.Matrix
	peak    float64 // flop/s of a large gemm, 0 until measured
	triad   float64 // bytes/s
	backend string  // engine in use before the run
	tiles   *tiles  // compiled when it is needed, see tilesProgram
	noTiles error   // why there is none
}

// Run measures the sections that opt names. The error of an unknown name satisfies errors.Is(err,
// fs.ErrInvalid).
func Run(ctx context.Context, opt Options) (*Report, error) {
	start := time.Now()
	wanted, err := wantedSections(opt.Sections)
	if err != nil {
		return nil, err
	}
	if opt.Quick {
		opt.Plan = Plan{Runs: 3, MinRuns: 2, Budget: 5 * time.Second}
	}
	s := &session{Options: opt, backend: native.Default().Name()}
	defer native.Use(s.backend)
	if opt.OutDir == "" {
		dir, err := os.MkdirTemp("", "eigenmap-bench-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		s.OutDir = dir
	}
	s.matrix = filepath.Join(s.OutDir, "matrices")
	if err := os.MkdirAll(s.matrix, 0o755); err != nil {
		return nil, err
	}
	report := &Report{Machine: DescribeMachine(ctx), Load: [2]float64{Load(), Load()}, Seed: opt.Seed, Quick: opt.Quick, Peers: "none (make bench-peers installs scikit-learn and SciPy)"}
	if opt.Python != "" {
		if s.peer, err = startPeer(ctx, opt.Python); err != nil {
			report.Peers = "none: " + err.Error()
			s.peer = nil
		} else {
			defer s.peer.close()
			report.Peers = s.peer.versions
		}
	}
	for _, sec := range sections {
		if !slices.Contains(wanted, sec.name) {
			continue
		}
		s.Observer.Notef("bench", "section %s", sec.name)
		report.Load[0], report.Load[1] = min(report.Load[0], Load()), max(report.Load[1], Load())
		groups, err := sec.run(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", sec.name, err)
		}
		report.Sections = append(report.Sections, Section{sec.name, groups})
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

func wantedSections(names []string) ([]string, error) {
	if len(names) == 0 || slices.Contains(names, "all") {
		return Sections(), nil
	}
	for _, name := range names {
		if !slices.Contains(Sections(), name) {
			return nil, invalid.Errorf("there is no section %q to measure; the sections are %s", name, strings.Join(Sections(), ", "))
		}
	}
	return names, nil
}

// compare runs contestants in turns and makes a group of them.
func (s *session) compare(ctx context.Context, title string, contestants []Contestant) (Group, error) {
	s.Observer.Notef("bench", "%s", title)
	rows, err := Alternate(ctx, s.Plan, contestants)
	return Group{Title: title, Rows: rows}, err
}

// side is the side of the engine of that name.
func side(engine string) Side {
	if engine == "go" {
		return Go
	}
	return Native
}

// documents returns the corpus of TDT2's size, its unit rows and, in its name, its source.
func (s *session) documents(ctx context.Context) (*corpus.Corpus, mat.Matrix, error) {
	if s.tdt2 != nil {
		return s.tdt2, s.rows, nil
	}
	var c *corpus.Corpus
	path := filepath.Join(s.DataDir, "TDT2.mat")
	if _, err := os.Stat(path); s.DataDir != "" && err == nil && !s.Quick {
		if c, err = corpus.Read(ctx, path, corpus.ReadOptions{}); err != nil {
			return nil, nil, err
		}
		c.Name = "TDT2"
	} else {
		d := TDT2Size(s.Seed)
		name := "made-up documents of TDT2's size"
		if s.Quick {
			d.Docs = 2000
			name = "made-up documents"
		}
		counts, labels := d.Counts()
		c = &corpus.Corpus{Name: name, X: counts, Labels: labels}
	}
	rows, err := c.Weighted("tf", "l2")
	if err != nil {
		return nil, nil, err
	}
	s.tdt2, s.rows = c, rows
	return c, rows, nil
}

// export writes a matrix for the peers and returns the file's path: CSR as SciPy's .npz, dense as
// .npy.
func (s *session) export(name string, m mat.Matrix) (string, error) {
	format := "npz"
	if _, dense := m.(*mat.Dense); dense {
		format = "npy"
	}
	path := filepath.Join(s.matrix, name+"."+format)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := corpus.WriteMatrix(f, format, m); err != nil {
		f.Close()
		return "", err
	}
	return path, f.Close()
}

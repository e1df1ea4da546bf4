package papers

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// Options of a run. The zero value computes everything as often as the paper does and keeps
// nothing.
type Options struct {
	Dir        string // folder of the corpora
	Checkpoint string // file that keeps what is done; none: nothing is kept
	Fresh      bool   // start the checkpoint anew
	Block      Block  // the part to compute; its checkpoint lies beside that of the whole
	Seed       uint64
	Tests      int      // draws of classes; 0: the paper's number
	Cases      int      // draws of labels; 0: the paper's number
	Rows       []string // keys of the rows to compute; none: all
	Methods    []string // methods to compute; none: all
	Observer   progress.Observer
}

// Run is a finished run of an experiment.
type Run struct {
	Experiment   *Experiment
	Seed         uint64
	Tests, Cases int
	Block        Block // of a part, there are no scores
	Rows         []Row
	Columns      []Column
	CorpusSHA256 string       // of the corpus' file; of several, of lines "FILE SHA256"
	Corpora      []CorpusFile // if there are several; rows of missing ones are left out
	Threads      int          // goroutines of this run
	Computed     int          // cells that this run computed; the others were there
	Cells        int          // all of them
	Wall         float64      // seconds that this run took
	Seconds      float64      // one thread's seconds in all cells, those of earlier runs included

	check *checkpoint
}

// task is a unit with its missing cells.
type task struct {
	row     Row
	test    int
	columns []Column
}

// Run computes the cells that the checkpoint does not have. Units are shared among native.Threads()
// goroutines, each of which works on one thread; the setting is restored afterwards. An error of a
// cell names it. Errors: *DataError, a request that is wrong (errors.Is(err, fs.ErrInvalid)), those
// of methods and of the file system, and the context's. The cells that were done by then are in the
// checkpoint.
func (e *Experiment) Run(ctx context.Context, opt Options) (*Run, error) {
	start := time.Now()
	r, data, err := e.begin(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer r.check.close()
	if r.check.note != "" {
		opt.Observer.Notef(e.Name, "%s", r.check.note)
	}
	tasks := r.missing()
	r.each(func(Row, int) { r.Cells += len(r.Columns) })
	for _, t := range tasks {
		r.Computed += len(t.columns)
	}
	if had := r.Cells - r.Computed; had > 0 {
		opt.Observer.Notef(e.Name, "%d of %d cells were there already, in %s", had, r.Cells, filepath.Dir(opt.Checkpoint))
	}
	if len(tasks) > 0 {
		if e.Corpus.Parts == nil {
			opt.Observer.Report("reading "+e.Corpus.Name, 0, 0, "")
			if _, err := data.of(ctx, tasks[0].row); err != nil {
				return nil, err
			}
		}
		if err := r.compute(ctx, data, tasks, opt.Observer); err != nil {
			return nil, err
		}
	}
	if err := r.check.close(); err != nil {
		return nil, err
	}
	r.each(func(row Row, test int) {
		for _, c := range r.Columns {
			r.Seconds += r.check.get(cellKey{row.Key, test, c.Key()}).seconds
		}
	})
	r.Wall = time.Since(start).Seconds()
	return r, nil
}

// begin is a run that has computed nothing: its rows, columns and draws, its corpora, and its
// checkpoint, open.
func (e *Experiment) begin(ctx context.Context, opt Options) (*Run, *corpora, error) {
	rows, columns, err := e.pick(opt.Rows, opt.Methods)
	if err != nil {
		return nil, nil, err
	}
	if err := opt.Block.Validate(); err != nil {
		return nil, nil, err
	}
	if opt.Fresh && !opt.Block.All() {
		return nil, nil, invalid.Errorf("a block does not start anew, since other blocks may be at work")
	}
	if opt.Tests < 0 || opt.Cases < 0 {
		return nil, nil, invalid.Errorf("%d tests of %d cases cannot be drawn: give numbers of at least 1", opt.Tests, opt.Cases)
	}
	r := &Run{Experiment: e, Seed: opt.Seed, Tests: opt.Tests, Cases: opt.Cases, Block: opt.Block, Rows: rows, Columns: columns, Threads: native.Threads()}
	if r.Tests == 0 {
		r.Tests = e.Tests
	}
	if r.Cases == 0 {
		r.Cases = e.Cases
	}
	data, err := e.corpora(ctx, opt.Dir)
	if err != nil {
		return nil, nil, err
	}
	r.CorpusSHA256, r.Corpora = data.sum, data.files
	if r.Rows, err = data.present(rows, opt.Observer); err != nil {
		return nil, nil, err
	}
	r.check, err = openCheckpoint(opt.Checkpoint, opt.Block, e.header(opt.Seed, data), e.Metrics, opt.Fresh)
	return r, data, err
}

// each calls f for the units of the run's block, test by test, so that every row comes early.
func (r *Run) each(f func(row Row, test int)) {
	for test := range r.Tests {
		for _, row := range r.Rows {
			number := slices.IndexFunc(r.Experiment.Rows, func(other Row) bool { return other.Key == row.Key })
			if test < r.tests(row) && r.Block.has(test, number) {
				f(row, test)
			}
		}
	}
}

// tests is how many draws the row has.
func (r *Run) tests(row Row) int {
	if row.Tests > 0 {
		return min(row.Tests, r.Tests)
	}
	return r.Tests
}

func (e *Experiment) header(seed uint64, data *corpora) header {
	h := header{Format: checkpointFormat, Experiment: e.Name, Version: e.Version, Seed: seed, Protocol: e.Protocol, Corpus: e.Corpus.File, SHA256: data.sum,
		Files: data.files, Backend: native.Info().Backend}
	for _, m := range e.Metrics {
		h.Metrics = append(h.Metrics, m.Key)
	}
	return h
}

// missing lists the units with missing cells, in the order of each, for the estimate of the time
// left. Rows of several corpora come corpus by corpus, so that few corpora are in memory at once.
func (r *Run) missing() []task {
	var tasks []task
	r.each(func(row Row, test int) {
		t := task{row: row, test: test}
		for _, c := range r.Columns {
			if r.check.known(cellKey{row.Key, test, c.Key()}) < c.cases(r.Cases) {
				t.columns = append(t.columns, c)
			}
		}
		if t.columns != nil {
			tasks = append(tasks, t)
		}
	})
	slices.SortStableFunc(tasks, func(a, b task) int { return r.part(a.row) - r.part(b.row) })
	return tasks
}

// part is the number of the row's corpus among several.
func (r *Run) part(row Row) int {
	return slices.IndexFunc(r.Corpora, func(f CorpusFile) bool { return row.Corpus != nil && f.Name == row.Corpus.Name })
}

// compute runs the tasks. It returns when every goroutine has stopped.
func (r *Run) compute(ctx context.Context, data *corpora, tasks []task, obs progress.Observer) error {
	defer native.Hold()()
	defer native.SetThreads(native.Threads())
	native.SetThreads(1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := newRemaining(r, tasks, min(r.Threads, len(tasks)))
	left.start(obs)
	data.expect(tasks)
	var next atomic.Int64
	var workers sync.WaitGroup
	var crash atomic.Pointer[string]
	for range left.workers {
		workers.Add(1)
		go func() {
			defer workers.Done()
			defer func() {
				if p := recover(); p != nil {
					text := fmt.Sprintf("%v\n%s", p, debug.Stack())
					crash.CompareAndSwap(nil, &text)
					cancel(context.Canceled)
				}
			}()
			for i := next.Add(1) - 1; i < int64(len(tasks)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := r.unit(ctx, data, tasks[i], left, obs); err != nil {
					cancel(err) // the first one counts
					return
				}
			}
		}()
	}
	workers.Wait()
	if text := crash.Load(); text != nil {
		panic(*text)
	}
	return context.Cause(ctx)
}

// unit computes what is missing of one unit.
func (r *Run) unit(ctx context.Context, data *corpora, t task, left *remaining, obs progress.Observer) error {
	began := time.Now() // making the unit belongs to its first cell
	return r.visit(ctx, data, t, func(_ Row, _ int, u *Unit) error {
		for _, c := range t.columns {
			key := cellKey{t.row.Key, t.test, c.Key()}
			l := line{Row: key.row, Test: key.test, Column: key.column, Case: r.check.known(key)}
			for n := l.Case; n < c.cases(r.Cases); n++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				scores, err := c.figures(ctx, u, LabelSeed(r.Seed, t.row.Key, t.test, c.Share, n))
				if err != nil {
					return r.inCell(ctx, t, c, err)
				}
				l.Scores = append(l.Scores, scores)
			}
			l.Seconds = time.Since(began).Seconds()
			if err := r.check.put(l); err != nil {
				return err
			}
			left.done(t.row, c, l.Seconds, obs)
			began = time.Now()
		}
		return nil
	})
}

// inCell adds the cell to an error. The error of an interrupt stays as it is.
func (r *Run) inCell(ctx context.Context, t task, c Column, err error) error {
	if stopped := ctx.Err(); stopped != nil {
		return stopped
	}
	at := fmt.Sprintf("%s: %s = %s, test %d", r.Experiment.Name, r.Experiment.Param, t.row.Key, t.test)
	if c.Method != "" {
		at += ", " + c.Title()
	}
	return fmt.Errorf("%s: %w", at, err)
}

// Score averages a metric, by its number in the experiment, in a cell's row and column over the
// tests; the zero value if the column does not have it.
func (r *Run) Score(row Row, c Column, metric int) Estimate {
	has := metricsOf(r.Experiment.Metrics, c.Key())
	at := slices.IndexFunc(has, func(m Metric) bool { return m.Key == r.Experiment.Metrics[metric].Key })
	if at < 0 {
		return Estimate{}
	}
	tests := make([][]float64, r.tests(row))
	for t := range tests {
		known := r.check.get(cellKey{row.Key, t, c.Key()})
		for _, scores := range known.scores[:c.cases(r.Cases)] {
			tests[t] = append(tests[t], scores[at])
		}
	}
	return ofTests(tests)
}

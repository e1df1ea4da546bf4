package papers

import (
	"context"
	"fmt"
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
	Dir      string // folder of the corpora
	Cells    string // folder that keeps what is done, NAME.cells; none: nothing is kept
	Fresh    bool   // throw away what it has
	Block    Block  // the part to compute
	Seed     uint64
	Tests    int      // draws of classes; 0: the paper's number
	Cases    int      // draws of labels; 0: the paper's number
	Rows     []string // keys of the rows to compute; none: all
	Methods  []string // methods to compute; none: all
	Observer progress.Observer
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
	Seconds      float64      // one thread's seconds in all cells, including cells of earlier runs

	cells *cells
}

// task is a unit with its missing cells.
type task struct {
	row     Row
	test    int
	columns []Column
	passed  int // times that another process was at work on it
}

// Run computes the cells that the folder does not have. Units are shared among native.Threads()
// goroutines, each of which works on one thread, and among processes that run on the same folder;
// the setting is restored afterwards. An error of a cell names it. Errors: *DataError, a request
// that is wrong (errors.Is(err, fs.ErrInvalid)), errors of methods and of the file system, and the
// context's. The cells that were done by then are in the folder.
func (e *Experiment) Run(ctx context.Context, opt Options) (*Run, error) {
	start := time.Now()
	r, data, err := e.begin(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer r.cells.close()
	tasks := r.missing()
	r.each(func(Row, int) { r.Cells += len(r.Columns) })
	had := r.Cells
	for _, t := range tasks {
		had -= len(t.columns)
	}
	if had > 0 {
		opt.Observer.Notef(e.Name, "%d of %d cells were there already, in %s", had, r.Cells, opt.Cells)
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
	r.Computed = r.cells.added
	r.each(func(row Row, test int) {
		for _, c := range r.Columns {
			r.Seconds += r.known(row, test, c).seconds
		}
	})
	r.Wall = time.Since(start).Seconds()
	return r, nil
}

// begin is a run that has computed nothing: its rows, columns and draws, its corpora, and the cells
// that are there.
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
	if r.cells, err = e.openCells(opt, data); err != nil {
		return nil, nil, err
	}
	r.each(func(row Row, test int) {
		if err == nil {
			err = r.cells.load(unitKey{row.Key, test})
		}
	})
	if err != nil {
		r.cells.close()
	}
	return r, data, err
}

// known is what is known of a cell.
func (r *Run) known(row Row, test int, c Column) cell {
	return r.cells.get(cellKey{unitKey{row.Key, test}, c.Key()})
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

// missing lists the units with missing cells, in the order of each, for the estimate of the time
// left. Rows of several corpora come corpus by corpus, so that few corpora are in memory at once.
func (r *Run) missing() []task {
	var tasks []task
	r.each(func(row Row, test int) {
		t := task{row: row, test: test}
		for _, c := range r.Columns {
			if len(r.known(row, test, c).scores) < c.cases(r.Cases) {
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
	defer oneThreadEach()()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := newRemaining(r, tasks, min(r.Threads, len(tasks)))
	left.start(obs)
	data.expect(tasks)
	queue := &queue{tasks: tasks}
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
			for t, ok := queue.next(); ok && ctx.Err() == nil; t, ok = queue.next() {
				done, err := r.unit(ctx, data, t, left, obs)
				if err != nil {
					cancel(err) // the first one counts
					return
				}
				if !done {
					queue.later(ctx, t)
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

// queue has the tasks that no goroutine works on.
type queue struct {
	mu    sync.Mutex
	tasks []task
}

func (q *queue) next() (t task, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return t, false
	}
	t, q.tasks = q.tasks[0], q.tasks[1:]
	return t, true
}

// later puts a task that another process is at work on behind the others.
func (q *queue) later(ctx context.Context, t task) {
	if t.passed++; t.passed > 1 {
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	q.mu.Lock()
	q.tasks = append(q.tasks, t)
	q.mu.Unlock()
}

// unit computes what is missing of one unit. It is not done if another process is at work on it.
func (r *Run) unit(ctx context.Context, data *corpora, t task, left *remaining, obs progress.Observer) (done bool, err error) {
	unit := unitKey{t.row.Key, t.test}
	release, err := r.cells.occupy(unit)
	if release == nil || err != nil {
		return false, err
	}
	defer release()
	columns := t.columns
	t.columns = nil
	for _, c := range columns {
		if known := r.known(t.row, t.test, c); len(known.scores) >= c.cases(r.Cases) {
			left.done(t.row, c, known.seconds, obs) // by another process
		} else {
			t.columns = append(t.columns, c)
		}
	}
	if t.columns == nil {
		data.done(t.row)
		return true, nil
	}
	err = r.columnsOf(ctx, data, t, left, obs)
	if saved := r.cells.save(unit); err == nil {
		err = saved
	}
	return true, err
}

// columnsOf computes the columns of a task, and saves its cells from time to time.
func (r *Run) columnsOf(ctx context.Context, data *corpora, t task, left *remaining, obs progress.Observer) error {
	began := time.Now() // making the unit belongs to its first cell
	saved := began
	return r.visit(ctx, data, t, func(_ Row, _ int, u *Unit) error {
		for _, c := range t.columns {
			key := cellKey{unitKey{t.row.Key, t.test}, c.Key()}
			var found [][]float64
			for n := len(r.cells.get(key).scores); n < c.cases(r.Cases); n++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				scores, err := c.figures(ctx, u, LabelSeed(r.Seed, t.row.Key, t.test, c.Share, n))
				if err != nil {
					return r.inCell(ctx, t, c, err)
				}
				found = append(found, scores)
			}
			seconds := time.Since(began).Seconds()
			r.cells.add(key, found, seconds)
			if r.cells.store.Worth(time.Since(saved)) {
				if err := r.cells.save(key.unitKey); err != nil {
					return err
				}
				saved = time.Now()
			}
			left.done(t.row, c, seconds, obs)
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
		known := r.known(row, t, c)
		for _, scores := range known.scores[:c.cases(r.Cases)] {
			tests[t] = append(tests[t], scores[at])
		}
	}
	return ofTests(tests)
}

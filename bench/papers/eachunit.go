package papers

import (
	"context"
)

// EachUnit makes the units of a run in turn, on one goroutine, and hands each to visit: the
// documents and classes of a draw as the methods of the table get them. Programs beside the table
// can so be given the same data. Of the options Methods, Cells and Fresh have no effect.
// It returns the errors of [Experiment.Run], and the first error of visit.
func (e *Experiment) EachUnit(ctx context.Context, opt Options, visit func(row Row, test int, u *Unit) error) error {
	opt.Methods, opt.Cells, opt.Fresh = nil, "", false
	r, data, err := e.begin(ctx, opt)
	if err != nil {
		return err
	}
	defer r.cells.close()
	tasks := r.missing()
	data.expect(tasks)
	for n, t := range tasks {
		opt.Observer.Report("drawing "+e.Name, int64(n), int64(len(tasks)), "")
		if err := r.visit(ctx, data, t, visit); err != nil {
			return err
		}
	}
	return nil
}

// visit makes one unit and hands it over.
func (r *Run) visit(ctx context.Context, data *corpora, t task, visit func(Row, int, *Unit) error) error {
	all, err := data.of(ctx, t.row)
	if err != nil {
		return r.inCell(ctx, t, Column{}, err)
	}
	defer data.done(t.row)
	u, err := r.Experiment.prepare(ctx, all, t.row, t.test, r.Seed)
	if err != nil {
		return r.inCell(ctx, t, Column{}, err)
	}
	return visit(t.row, t.test, u)
}

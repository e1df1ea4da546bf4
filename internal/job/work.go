package job

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/version"
	"gonum.org/v1/gonum/mat"
)

// WithStore opens the folder of finished stages, if there is one, for the work of the context.
func (j *Job) WithStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	if j.settled {
		return store.With(ctx, j.store), nil
	}
	var data mat.Matrix = j.X
	if j.X == nil {
		data = j.Affinity.W
	}
	if j.store == nil { // the documents were not read from a file
		if _, err := j.withEarlyStore(ctx); err != nil {
			return nil, err
		}
	}
	if err := j.store.Settle(store.Rows(data).String()); err != nil {
		return nil, err
	}
	j.settled = true
	return store.With(ctx, j.store), nil
}

// withEarlyStore opens the folder of finished stages for reading the corpus. Whether the folder
// belongs to these documents is known only after they were weighted.
func (j *Job) withEarlyStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	v := version.Current()
	program := v.Version
	if v.Revision != "" {
		program += " " + v.Revision
	}
	s, err := store.Before(store.RankDir(j.Work, ranks.From(ctx)), store.Header{Program: program, Engine: v.Platform + " " + v.Backend + " " + v.Library})
	if err != nil {
		return nil, err
	}
	s.Note = j.Note
	j.store = s
	return store.With(ctx, s), nil
}

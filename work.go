package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/mat"
)

// WorkConfig is the file in a folder of finished stages that has the settings of the blocks of a
// graph. It is hidden, because a folder of stages holds nothing else.
const WorkConfig = ".graph.yaml"

// withStore opens the folder of finished stages, if there is one, for the work of the context.
func (j *job) withStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	if j.settled {
		return store.With(ctx, j.store), nil
	}
	var data mat.Matrix = j.x
	if j.x == nil {
		data = j.graph.W
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
func (j *job) withEarlyStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	v := Versions()
	program := v.Version
	if v.Revision != "" {
		program += " " + v.Revision
	}
	s, err := store.Before(store.RankDir(j.Work, ranks.From(ctx)), store.Header{Program: program, Engine: v.Platform + " " + v.Backend + " " + v.Library})
	if err != nil {
		return nil, err
	}
	s.Note = j.note
	j.store = s
	return store.With(ctx, s), nil
}

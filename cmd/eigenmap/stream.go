package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

// fitOnOption is the sample of a clustering that does not hold its documents.
type fitOnOption struct {
	FitOn string `flag:"fit-on" unset:"all documents, in memory" help:"for more texts than memory holds: fit on this many documents, drawn by the seed in one pass over FILE, and place all of them in a second; auto: only if the plan does not fit" group:"program"`
}

// streamed clusters by a sample if --fit-on asks for it; false if it does not, or if all documents
// fit.
func (a *app) streamed(ctx context.Context, cmd *cobra.Command, file string) (bool, error) {
	size, err := eigenmap.ParseFitOn(text(cmd.Flags(), eigenmap.FitOnKey))
	if err != nil || size == 0 {
		return err != nil, err
	}
	if size > 0 && text(cmd.Flags(), "retry") == "true" {
		return true, requestf("--retry has no effect with --%s: leave one of them out", eigenmap.FitOnKey)
	}
	opt := eigenmap.Options{Observer: a.ui.observe, Work: text(cmd.Flags(), "work")}
	raw, err := a.rawTexts(cmd.Flags())
	if err := errors.Join(apply(cmd.Flags(), &opt), err); err != nil {
		return true, err
	}
	p, err := eigenmap.Prepare(opt, "cluster")
	if err != nil {
		return true, err
	}
	var why string
	if size < 0 {
		if size, why, err = eigenmap.FitOnAuto(ctx, file, opt); err != nil {
			return true, err
		}
		if why = words.Rename(why, flagName); size == 0 {
			a.ui.note(why)
			return false, nil
		}
	}
	if err := eigenmap.CheckWork(opt.Work, file); err != nil {
		return true, err
	}
	out, err := a.openOutput(cmd, "cluster", file)
	if err != nil {
		return true, err
	}
	defer out.Discard()
	s, err := p.OnSample(ctx, file, size)
	if err != nil {
		return true, err
	}
	if raw {
		s.RawTexts()
	}
	s.Note(why)
	saved, err := s.PlaceIn(ctx, out)
	if err != nil {
		return true, err
	}
	a.ui.stop()
	if a.own.JSON {
		return true, a.printJSON(s.JSON(flagName, saved))
	}
	a.printStreamed(s, saved)
	return true, nil
}

// printStreamed is the table for a person: the clusters with all documents.
func (a *app) printStreamed(s *eigenmap.Streamed, saved []string) {
	if a.silent(saved, s.Warnings(flagName)) {
		return
	}
	a.printHead(append(s.Rows(), []string{"placed", fmt.Sprintf("%s documents, %s without anything in common with the sample", words.Thousands(s.Documents), words.Thousands(s.Isolated))}))
	t := clusterTable{size: "documents", terms: "top terms of the sample"}
	if s.Classes != nil {
		t.class, t.classes = "class", s.Classes
	}
	if s.Scores != nil {
		t.majority = "majority"
	}
	a.printClusters(s.Clusters, t, s.HasTerms())
	if s.Scores != nil {
		a.printf("scored on all %s documents with a label\n", words.Thousands(s.Scored))
		a.table(scoreRows(*s.Scores))
		a.printf("\n")
	}
	a.printTail(s.NotesAs(flagName), s.Timings, saved)
}

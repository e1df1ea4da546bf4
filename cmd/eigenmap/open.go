package main

import (
	"context"

	"github.com/spf13/cobra"
)

// open begins a run over one file: it refuses what contradicts itself, opens --out and reads the file. m is nil for commands without
// a method. The caller discards the output.
func (a *app) open(ctx context.Context, cmd *cobra.Command, file string, m *method) (*job, *output, error) {
	j := &job{opt: &a.opt, set: cmd.Flags(), ui: a.ui, file: file}
	if m != nil {
		if err := m.refuse(cmd.Flags()); err != nil {
			return nil, nil, err
		}
		if err := m.checkGiven(j.opt); err != nil {
			return nil, nil, err
		}
		if j.opt.edgeWeight == "" {
			j.opt.edgeWeight = m.edgeWeight
		}
		if err := j.checkKernelFlags(); err != nil {
			return nil, nil, err
		}
		if err := j.checkFewFlags(); err != nil {
			return nil, nil, err
		}
		j.counts = m.counts
	}
	if err := j.checkGraphFlags(); err != nil {
		return nil, nil, err
	}
	out, err := a.openOutput(false)
	if err != nil {
		return nil, nil, err
	}
	if err := j.read(ctx); err != nil {
		out.discard()
		return nil, nil, err
	}
	err = j.checkGraphFlags() // now that the kind of data is known
	if err == nil && m != nil && j.unreduced() {
		err = refuseWith(j.set, "dense data without --pca, which "+m.name+" takes as they are", svdFlags)
	}
	if err != nil {
		out.discard()
		return nil, nil, err
	}
	return j, out, nil
}

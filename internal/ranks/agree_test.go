package ranks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// TestAgree: all ranks get the error of the lowest one that has any.
func TestAgree(t *testing.T) {
	Together(4, func(team Team) {
		if err := Agree(team, nil); err != nil {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
		own := fmt.Errorf("rank %d: %w", team.Rank(), fs.ErrInvalid)
		if team.Rank() == 0 {
			own = nil
		}
		err := Agree(team, own)
		if err == nil || err.Error() != "rank 1: invalid argument" || !errors.Is(err, fs.ErrInvalid) || errors.Is(err, context.Canceled) {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
		var other *Error
		if errors.As(err, &other) == (team.Rank() == 1) || other != nil && other.Rank != 1 {
			t.Errorf("rank %d has %#v", team.Rank(), err)
		}
		if rank, said := First(team, []byte{byte(team.Rank())}[:min(1, team.Rank()/2)]); rank != 2 || said[0] != 2 {
			t.Errorf("rank %d said %d", rank, said)
		}
	})
}

// TestStopped: a context that ended on one rank has ended on all; without a team there is one rank.
func TestStopped(t *testing.T) {
	ended, stop := context.WithCancel(context.Background())
	stop()
	if err := Stopped(ended); err != context.Canceled {
		t.Error(err)
	}
	Together(3, func(team Team) {
		own := context.Background()
		if err := Stopped(With(own, team)); err != nil {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
		if team.Rank() == 2 {
			own = ended
		}
		if err := Stopped(With(own, team)); !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
}

package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/spf13/cobra"
)

// TestRanksRunOneCommand: ranks that were started with another command than rank 0 are refused,
// before one of them waits for the others; of a command that is not divided rank 0 alone works.
func TestRanksRunOneCommand(t *testing.T) {
	for _, c := range []struct {
		commands []string
		refused  bool
	}{{[]string{"cluster", "cluster"}, false}, {[]string{"info", "info"}, false}, {[]string{"cluster", "info"}, true}, {[]string{"info", "cluster"}, true}} {
		ranks.Together(len(c.commands), func(team ranks.Team) {
			name := c.commands[team.Rank()]
			_, idle, err := newApp(io.Discard, io.Discard, nil).ranked(ranks.With(context.Background(), team), &cobra.Command{Use: name}, []string{"a.jsonl"})
			if c.refused {
				if err == nil || !strings.Contains(err.Error(), "rank 1 ") || exitStatus(err) != exitRequest {
					t.Errorf("%q, rank %d: %v", c.commands, team.Rank(), err)
				}
			} else if err != nil || idle != (name == "info" && team.Rank() == 1) {
				t.Errorf("%q, rank %d: idle %v, %v", c.commands, team.Rank(), idle, err)
			}
		})
	}
}

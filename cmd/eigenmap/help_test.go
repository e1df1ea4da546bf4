package main

import (
	"context"
	"strings"
	"testing"
)

// Help of a method says of an option that another one replaces that it has an effect without it.
func TestHelpOfConditions(t *testing.T) {
	var out, errs strings.Builder
	if status := newApp(&out, &errs, nil).run(context.Background(), []string{"cluster", "--method", "cle", "--help"}); status != exitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"if there are fewer); without --epsilon", "with --edge-weight heat, without --heat-width or if it is local", "with --edge-weight poly --poly-offset",
		"(default: 2); without --vocabulary",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("help lacks %q", want)
		}
	}
}

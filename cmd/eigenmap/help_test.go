package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Every method has help on both commands and is explained, without marks of messages.
func TestHelpOfEveryMethod(t *testing.T) {
	for _, s := range eigenmap.Methods() {
		for _, args := range [][]string{{"cluster", "--method", s.Name, "--help"}, {"embed", "--method", s.Name, "--help"}, {"methods", s.Name}} {
			var out, errs strings.Builder
			if status := newApp(&out, &errs, nil).run(context.Background(), args); status != exitDone {
				t.Errorf("%q: status %d: %s", args, status, &errs)
			}
			if strings.ContainsAny(out.String(), "‹›") {
				t.Errorf("%q: an option is not named as a flag", args)
			}
		}
	}
}

// Help of a method says of an option that another one replaces that it has an effect without it.
func TestHelpOfConditions(t *testing.T) {
	var out, errs strings.Builder
	if status := newApp(&out, &errs, nil).run(context.Background(), []string{"cluster", "--method", "cle", "--help"}); status != exitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"if there are fewer); not with --graph-kind complete, without --epsilon", "with --edge-weight heat, without --heat-width or if it is local", "with --edge-weight poly --poly-offset",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("help lacks %q", want)
		}
	}
}

// Help of a method that does not exist says so before the general help.
func TestHelpOfUnknownMethod(t *testing.T) {
	var out, errs strings.Builder
	if status := newApp(&out, &errs, nil).run(context.Background(), []string{"cluster", "--method", "kmean", "--help"}); status != exitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	if want := "There is no method \"kmean\" (did you mean kmeans?).\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("help begins %.60q, want %q", out.String(), want)
	}
}

// The explanation of a method fits a terminal of 104 columns, its cost and reference too.
func TestExplanationsAreWrapped(t *testing.T) {
	for _, s := range eigenmap.Methods() {
		for _, line := range strings.Split(mustCall(t, "methods", s.Name).stdout, "\n")[1:] {
			if n := utf8.RuneCountInString(line); n > 104 {
				t.Errorf("%s: %d characters: %s", s.Name, n, line)
			}
		}
	}
}

// Help of compare is short, and with --methods has every flag of the methods named.
func TestHelpOfCompare(t *testing.T) {
	help := func(args ...string) string {
		var out, errs strings.Builder
		if status := newApp(&out, &errs, nil).run(context.Background(), append([]string{"compare", "--help"}, args...)); status != exitDone {
			t.Fatalf("status %d: %s", status, &errs)
		}
		return out.String()
	}
	short, long := help(), help("--methods", "nmf,plsa")
	if n := strings.Count(short, "\n"); n > 90 || !strings.Contains(short, "--seeds") || strings.Contains(short, "--spreadsheet-safe") {
		t.Errorf("help of %d lines:\n%s", n, short)
	}
	if !strings.Contains(long, "--nmf-iter") || strings.Contains(long, "--heat-width") {
		t.Errorf("help of two methods:\n%s", long)
	}
}

// Help and lists that go to a file or a pipe are as wide as COLUMNS says, between 60 and 100
// characters, but for examples, which are commands, and for flags whose values are long.
func TestHelpFoldsToColumns(t *testing.T) {
	long := regexp.MustCompile(`^  eigenmap |^ +--reuters-preset|^ +eigenmap \[command\]`)
	for columns, want := range map[string]int{"60": 60, "20": 60, "84": 84, "400": 100, "": 100, "wide": 100} {
		t.Setenv("COLUMNS", columns)
		for _, args := range [][]string{{"methods"}, {"methods", "cle"}, {"--help"}, {"cluster", "--help"}, {"predict", "--help"}, {"reproduce", "--help"}, {"compare", "--help"}, {"update", "--help"}} {
			out := must.Get(os.Create(filepath.Join(t.TempDir(), "out")))(t)
			var errs strings.Builder
			if status := newApp(out, &errs, nil).run(context.Background(), args); status != exitDone {
				t.Fatalf("%v: status %d, %s", args, status, &errs)
			}
			text, err := os.ReadFile(out.Name())
			if err != nil || len(text) < 400 {
				t.Fatalf("%v: %q, %v", args, text, err)
			}
			widest := 0
			for line := range strings.SplitSeq(string(text), "\n") {
				if n := utf8.RuneCountInString(line); n > want && !long.MatchString(line) && !strings.HasPrefix(line, "Use \"eigenmap") && want < 100 {
					t.Errorf("COLUMNS=%s %v: %d characters: %s", columns, args, n, line)
				} else if !long.MatchString(line) {
					widest = max(widest, n)
				}
			}
			if args[0] == "methods" && widest < want-12 {
				t.Errorf("COLUMNS=%s %v: the widest line has %d characters", columns, args, widest)
			}
		}
	}
}

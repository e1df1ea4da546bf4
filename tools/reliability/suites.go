package main

import (
	"fmt"
	"regexp"
	"strconv"
)

// suite is a promise and the commands that show whether it holds.
type suite struct {
	name, promise string
	commands      [][]string
	env           []string
	figures       func(out string) string
}

// tests is the command of some tests of packages.
func (s settings) tests(pattern string, more ...string) []string {
	return append([]string{s.goCommand, "test", "-v", "-count=1", "-timeout", s.limit.String(), "-run", pattern}, more...)
}

// suites are the rows of the table.
func suites(s settings) []suite {
	checks, long, faults := "-rapid.checks=2000", []string(nil), []string(nil)
	if s.long {
		checks, long, faults = "-rapid.checks=100000", []string{"EIGENMAP_LONG=1"}, []string{"EIGENMAP_FAULTS=all"}
	}
	return []suite{
		{"eigen", "no eigenpair is missing or wrong, with any solver, block and start", [][]string{
			s.tests("^(TestSuite|TestSuiteSymmetric|TestStartWithAHole|TestWeakBridges|TestBridgesKeepTheirDigits|TestEqualBridges|TestSuiteBridges|TestHardBridges|TestDenseOnStronglyRegularGraphs|TestCertificateBoundsTheComponent|TestARPACKRepeats)$", "./eigen"),
		}, long, eigenproblems},
		{"inertia", "--verify counts eigenvalues by a factorisation that agrees with LAPACK", [][]string{s.tests("Inertia|Count", "./sparse/ldl", "./eigen")}, nil, passed},
		{"methods", "every method passes one suite: same bits at any thread count, stored and read back", [][]string{s.tests("^TestAllMethods$", "./methods/methodtest")}, nil, methods},
		{"predict", "a new document has, bit for bit, the row that the whole graph gives it", [][]string{s.tests("^TestAttach", "./methods/graph", checks)}, nil, attached},
		{"commit", "a run that is killed or fails at any change of a name leaves one run's files, or they are refused", [][]string{
			s.tests("^(TestStoppedAtEveryStep|TestFailedAtEveryStep|TestChangedFiles)$", "./internal/folder"),
			s.tests("^(TestKilledAtEveryRename|TestSignals|TestSecondSignal|TestInterruptedProcess)$", "./cmd/eigenmap"),
		}, nil, passed},
		{"faults", "a status, one sentence and no half-written file, whatever fails around the program", [][]string{s.tests(".", "./cmd/eigenmap/faults")}, faults, faulty},
		{"fuzz", "no input makes a reader crash, hang or take memory beyond its limit", [][]string{{".ci/fuzz"}}, []string{"FUZZTIME=" + s.fuzzTime.String(), "GO=" + s.goCommand}, s.fuzzed},
		{"mutants", "a small fault in a mathematical package makes a test fail", [][]string{{s.goCommand, "run", "./tools/mutate", "-go", s.goCommand, "-n", strconv.Itoa(s.mutants)}}, nil, mutants},
	}
}

var (
	passes  = regexp.MustCompile(`(?m)^--- PASS`)
	fails   = regexp.MustCompile(`(?m)^--- FAIL`)
	skips   = regexp.MustCompile(`(?m)^--- SKIP`)
	pencils = regexp.MustCompile(`(\w[\w-]*): (\d+) (?:pencils|matrices|problems), (\d+) not converged`)
	wrong   = regexp.MustCompile(`(?m)^\s+suite_test\.go:\d+: `)
	inSuite = regexp.MustCompile(`(?m)^    --- (PASS|FAIL)`)
	checked = regexp.MustCompile(`OK, passed (\d+) tests`)
	total   = regexp.MustCompile(`(?m)^faults: total: (.*)$`)
	targets = regexp.MustCompile(`(?m)^== `)
	mutant  = regexp.MustCompile(`(?m)^\d+ mutants .*$`)
)

// passed counts tests.
func passed(out string) string {
	return fmt.Sprintf("%d tests, %d failed, %d skipped", count(passes, out)+count(fails, out), count(fails, out), count(skips, out))
}

func count(what *regexp.Regexp, out string) int { return len(what.FindAllString(out, -1)) }

// sum adds the numbers of a group over all matches.
func sum(what *regexp.Regexp, group int, out string) (n int) {
	for _, m := range what.FindAllStringSubmatch(out, -1) {
		v, _ := strconv.Atoi(m[group])
		n += v
	}
	return n
}

// eigenproblems adds up the solves of every solver. Each line of the suite that is no count is a
// miss or a wrong value.
func eigenproblems(out string) string {
	misses := count(wrong, out) - count(pencils, out)
	return fmt.Sprintf("%d eigenproblems, %d misses, %d reported as not converged; %s", sum(pencils, 2, out), max(0, misses), sum(pencils, 3, out), passed(out))
}

func methods(out string) string {
	return fmt.Sprintf("%d methods; %s", count(inSuite, out), passed(out))
}

func attached(out string) string {
	return fmt.Sprintf("%d random graphs; %s", sum(checked, 1, out), passed(out))
}

func faulty(out string) string {
	if m := total.FindStringSubmatch(out); m != nil {
		return m[1] + "; " + passed(out)
	}
	return passed(out)
}

func (s settings) fuzzed(out string) string {
	return fmt.Sprintf("%d targets of %v, %d crashes", count(targets, out), s.fuzzTime, count(fails, out))
}

func mutants(out string) string {
	if m := mutant.FindString(out); m != "" {
		return m
	}
	return "no verdict"
}

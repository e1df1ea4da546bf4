// Package methodtest is the suite that every method passes: [Check] runs a method on small corpora
// of its own and compares what it does with the contract of package method.
//
// A check that a method cannot pass is waived by name and with a reason ([Waive]); nothing is left
// out silently.
package methodtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
)

// checks are the parts of the suite, in the order in which they run. A check is a subtest of this
// name.
var checks = []struct {
	name string
	run  func(s *suite)
}{
	{"spec", checkSpec},
	{"options", checkOptions},
	{"refused input", checkRefused},
	{"degenerate input", checkDegenerate},
	{"scale", checkScale},
	{"units", checkUnits},
	{"memory", checkMemory},
	{"plan", checkPlan},
	{"storage", checkStorage},
	{"precision", checkPrecision},
	{"yields", checkYields},
	{"nested", checkNested},
	{"cancel", checkCancel},
	{"threads", checkThreads},
	{"resume", checkResume},
	{"ranks", checkRanks},
	{"progress", checkProgress},
	{"unchanged", checkUnchanged},
	{"used", checkUsed},
	{"defaults", checkDefaults},
	{"closed", checkClosed},
	{"store and load", checkStored},
	{"training rows", checkTrainingRows},
	{"training clusters", checkTrainingClusters},
	{"certainty", checkCertainty},
	{"rows apart", checkRowsApart},
	{"company", checkCompany},
	{"frame", checkFrame},
	{"refused rows", checkRefusedRows},
	{"messages", checkMessages},
}

// An Option changes what Check does.
type Option func(s *suite)

// Waive leaves out the check of a name, for a reason that the log of the test shows.
func Waive(check, reason string) Option { return func(s *suite) { s.waived[check] = reason } }

// With sets an option of the method before each fit, by its name and as text.
func With(name, value string) Option {
	return func(s *suite) { s.settings = append(s.settings, [2]string{name, value}) }
}

// Check runs the suite on a method, one subtest per check. It calls native.SetThreads, so it must
// not run beside other tests. It takes some hundred fits of 60 documents.
func Check(t *testing.T, spec method.Spec, options ...Option) {
	t.Helper()
	s := newSuite(spec, testing.Short(), options...)
	for name, reason := range s.waived {
		if reason == "" || !slices.Contains(Checks(), name) {
			t.Errorf("the waiver of %q (%q) is of no check or without a reason", name, reason)
		}
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if reason, ok := s.waived[c.name]; ok {
				t.Skipf("waived: %s", reason)
			}
			for _, fault := range s.faultsOf(c.run) {
				t.Error(fault)
			}
		})
	}
}

// Checks are the names of all checks.
func Checks() []string {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	return names
}

// suite is a run of the checks on one method.
type suite struct {
	spec     method.Spec
	short    bool
	settings [][2]string
	waived   map[string]string
	patience time.Duration // how long the ranks of a team may take
	faults   []string
	said     []string                  // all notes and errors so far
	fits     map[string]*method.Fitted // of the samples under plain options, by name
	refused  map[string]bool           // the samples that the settings are refused for, by name
}

func newSuite(spec method.Spec, short bool, options ...Option) *suite {
	s := &suite{spec: spec, short: short, patience: ranksTime, waived: map[string]string{}, fits: map[string]*method.Fitted{},
		refused: map[string]bool{}}
	for _, o := range options {
		o(s)
	}
	return s
}

// faultsOf runs one check; a panic outside of a fit is one more fault.
func (s *suite) faultsOf(run func(*suite)) (faults []string) {
	s.faults = nil
	defer func() {
		if p := recover(); p != nil {
			faults = append(s.faults, fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	run(s)
	return s.faults
}

// badf records a fault.
func (s *suite) badf(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// options are new ones with the settings of With.
func (s *suite) options() method.Options {
	o := s.spec.New()
	list := option.Of(o)
	for _, set := range s.settings {
		f := option.Find(list, set[0])
		if f == nil {
			s.badf("there is no option %s to be set", set[0])
		} else if err := f.Set(set[1]); err != nil {
			s.badf("option %s cannot be %q: %v", set[0], set[1], err)
		}
	}
	return o
}

// panicError is a panic of a method.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// guarded calls a function of the method and returns its panic as an error.
func (s *suite) guarded(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
		if err != nil {
			s.said = append(s.said, err.Error())
		}
	}()
	return call()
}

// fit runs the method; the notes that it sends are kept.
func (s *suite) fit(ctx context.Context, o method.Options, in *method.Input) (out *method.Fitted, err error) {
	observer := in.Observer
	own := *in
	own.Observer = func(e event) {
		if e.Message != "" {
			s.said = append(s.said, e.Message)
		}
		if observer != nil {
			observer(e)
		}
	}
	err = s.guarded(func() (err error) {
		out, err = s.spec.Fit(ctx, o, &own)
		return err
	})
	return out, err
}

// plain is the fit of a sample under plain options, nil if it failed, which is a fault.
func (s *suite) plain(sm sample) *method.Fitted {
	if out, done := s.fits[sm.name]; done {
		return out
	}
	out, err := s.fit(background, s.options(), sm.input())
	if err != nil {
		s.badf("%s: the fit fails: %v", sm.name, err)
		out = nil
	} else if out == nil {
		s.badf("%s: the fit gives neither a result nor an error", sm.name)
	}
	s.fits[sm.name] = out
	return out
}

// refusal says whether err refuses a request in the way of the contract.
func refusal(err error) bool {
	var p *panicError
	return errors.Is(err, fs.ErrInvalid) && !errors.As(err, &p)
}

var background = context.Background()

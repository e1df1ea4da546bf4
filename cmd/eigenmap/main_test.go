package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

// Environment of a test binary that plays the program.
const (
	playEnv  = "EIGENMAP_TEST_PLAY"  // set: be the program
	stageEnv = "EIGENMAP_TEST_STAGE" // send signals to itself when this stage begins
	sendEnv  = "EIGENMAP_TEST_SEND"  // their numbers, with commas; SIGINT if there are none, no signal if 0
	upEnv    = "EIGENMAP_TEST_UP"    // send this signal to the parent in their place
	whenEnv  = "EIGENMAP_TEST_WHEN"  // file for the time of that
	tmpfsEnv = "EIGENMAP_TEST_TMPFS" // mount a tmpfs of 64 KiB there first
	killEnv  = "EIGENMAP_TEST_KILL"  // kill itself before this change of a name in --out, from 0
)

// programsGrace is the time that the program leaves to the work after an interrupt, and
// programsSaving to saving. Tests leave more, so that what is saved does not depend on the load of
// the machine.
var programsGrace, programsSaving = graceForWork, graceForSaving

func TestMain(m *testing.M) {
	graceForWork, graceForSaving = time.Minute, time.Minute
	if os.Getenv(playEnv) == "" {
		for s := range stopping { // what nohup lets this process ignore, the program must not
			if signal.Ignored(s) {
				signal.Notify(make(chan os.Signal, 1), s)
			}
		}
		os.Exit(m.Run())
	}
	if dir := os.Getenv(tmpfsEnv); dir != "" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
	}
	if status, done := guard(); done {
		os.Exit(status)
	}
	if n, err := strconv.Atoi(os.Getenv(killEnv)); err == nil {
		folder.Step = func(string, string) error {
			if n--; n < 0 {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}
	os.Exit(program(interruptAt(os.Getenv(stageEnv), os.Getenv(whenEnv), os.Getenv(sendEnv))))
}

// interruptAt sends signals to this process at the first event of the stage, and waits there until
// the program has noticed each of them.
func interruptAt(stage, when, send string) func(context.Context) progress.Observer {
	return func(ctx context.Context) progress.Observer {
		sent := false
		return func(e progress.Event) {
			if stage == "" || sent || e.Stage != stage {
				return
			}
			sent = true
			os.WriteFile(when, []byte(strconv.FormatInt(time.Now().UnixNano(), 10)), 0o600)
			if n, err := strconv.Atoi(os.Getenv(upEnv)); err == nil {
				syscall.Kill(os.Getppid(), syscall.Signal(n))
				select {
				case <-ctx.Done():
				case <-time.After(2 * time.Minute): // the parent does not pass it on: the test fails
				}
				return
			}
			if send == "" {
				send = strconv.Itoa(int(syscall.SIGINT))
			}
			for number := range strings.SplitSeq(send, ",") {
				n, _ := strconv.Atoi(number)
				sendSelf(ctx, syscall.Signal(n))
			}
		}
	}
}

// sendSelf sends a signal to this process and waits until the program has noticed it: the first one
// ends the context, the second one the process, unless the system repeats it.
func sendSelf(ctx context.Context, s syscall.Signal) {
	if s == 0 || signal.Ignored(s) {
		syscall.Kill(os.Getpid(), s)
		return
	}
	arrived := make(chan os.Signal, 1)
	signal.Notify(arrived, s)
	second := ctx.Err() != nil
	syscall.Kill(os.Getpid(), s)
	switch {
	case !second:
		<-ctx.Done()
	case repeats(s):
		<-arrived
	default:
		select {}
	}
}

const modelName = eigenmap.ModelName

// result is what a call of the program left.
type result struct {
	status         int
	stdout, stderr string
}

// call runs the program in this process.
func call(args ...string) result { return callWatched(context.Background(), nil, args...) }

func callWatched(ctx context.Context, watch progress.Observer, args ...string) result {
	r, _ := callAbandoned(ctx, watch, args...)
	return r
}

// callAbandoned also returns a function that waits for the end of work that an interrupt abandoned.
func callAbandoned(ctx context.Context, watch progress.Observer, args ...string) (result, func()) {
	var out, errs bytes.Buffer
	a := newApp(&out, &errs, watch)
	a.ui.every = time.Hour // a slow machine must not add lines to what is compared
	status := a.run(ctx, args)
	return result{status, out.String(), errs.String()}, a.running.Wait
}

// mustCall fails the test unless the program says 0.
func mustCall(t *testing.T, args ...string) result {
	t.Helper()
	r := call(args...)
	if r.status != exitDone {
		t.Fatalf("eigenmap %s: status %d\n%s", strings.Join(args, " "), r.status, r.stderr)
	}
	return r
}

// object parses standard output as exactly one JSON object.
func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.stdout))
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("standard output is not a JSON object: %v\n%s", err, r.stdout)
	}
	if d.More() {
		t.Fatalf("more than one JSON value:\n%s", r.stdout)
	}
	return v
}

// write makes a file and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// texts writes a JSONL corpus of three clear topics with n documents each.
func texts(t *testing.T, dir string, n int) string {
	t.Helper()
	topics := [][]string{
		strings.Fields("boat river water sail harbour wave anchor captain fishing tide"),
		strings.Fields("violin concert orchestra melody piano symphony chord singer opera rhythm"),
		strings.Fields("engine wheel brake motor gearbox clutch exhaust driver petrol piston"),
	}
	var b strings.Builder
	seen := map[string]bool{}
	for k, words := range topics {
		for i := range n {
			var list []string
			for w := range 6 {
				list = append(list, words[(i*7+w*3+i/3*w)%len(words)])
			}
			for seen[counted(list)] { // no two are equal
				list = append(list, words[(i+len(list))%len(words)])
			}
			seen[counted(list)] = true
			text := strings.Join(list, " ")
			fmt.Fprintf(&b, "{\"id\":\"doc-%d-%d\",\"text\":%q,\"label\":\"topic%d\"}\n", k, i, text, k)
		}
	}
	return write(t, dir, "texts.jsonl", b.String())
}

// counted are the words of a text whatever their order.
func counted(list []string) string {
	return strings.Join(slices.Sorted(slices.Values(list)), " ")
}

// example is the corpus of the repository.
func example(t *testing.T) string {
	t.Helper()
	path := filepath.Join("..", "..", "examples", "debian", "packages.jsonl.gz")
	if _, err := os.Stat(path); err != nil {
		t.Fatal("the example corpus is part of the repository: ", err)
	}
	return path
}

// leftovers lists hidden or temporary files anywhere below dir.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && path != dir && (strings.HasPrefix(filepath.Base(path), ".") || strings.HasSuffix(path, ".tmp")) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// checkConfiguration: a run's object v records the settings of want, and none of not, which it did
// not use.
func checkConfiguration(t *testing.T, name string, v, want map[string]any, not []string) {
	t.Helper()
	config := v["config"].(map[string]any)
	for key, value := range want {
		if config[key] != value {
			t.Errorf("%s: %s is %v, want %v", name, key, config[key], value)
		}
	}
	for _, key := range not {
		if have, ok := config[key]; ok {
			t.Errorf("%s: it records %s = %v, which it did not use", name, key, have)
		}
	}
}

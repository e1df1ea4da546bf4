package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The limits hold before the program has a byte of the document.
func TestLimitsOfProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	corpustest.FakePDFToText(t, "", "cat >/dev/null; ulimit -t; ulimit -v; (echo x > "+file+") 2>/dev/null; exec 2>/dev/null; echo done")
	data := []byte("%PDF-1.4\n" + strings.Repeat("x", 1<<20-9))
	text, err := New(1<<30).Text(t.Context(), data, 1<<20)
	if want := fmt.Sprintf("%d\n%d\ndone\n", mostSeconds, (spaceBeside+spaceOf<<20)>>10); err != nil || text != want {
		t.Errorf("%q %v, not %q", text, err, want)
	}
	if info, err := os.Stat(file); err == nil && info.Size() > 0 {
		t.Error("the program wrote a file")
	}
}

// What takes too long is ended by its processor time.
func TestProcessorTime(t *testing.T) {
	corpustest.FakePDFToText(t, "", "cat >/dev/null; kill -XCPU $$")
	if _, err := New(1<<30).Text(t.Context(), []byte("%PDF-1.4\n"), 1<<20); !errors.Is(err, tooSlow) {
		t.Error(err)
	}
}

// No process is left, alive or dead, whatever way a document ends.
func TestNoProcessIsLeft(t *testing.T) {
	for _, script := range []string{"exec sleep 600", "cat >/dev/null; exec yes", "exit 1", ""} {
		corpustest.FakePDFToText(t, "", script)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, _ = New(1<<30).Text(ctx, []byte("%PDF-1.4\n"+strings.Repeat("x", 1<<20)), 1<<16)
		cancel()
		if left := children(t); len(left) > 0 {
			t.Errorf("%q left %q", script, left)
		}
	}
}

// children are the names of the processes that this one has started and that are there.
func children(t *testing.T) (names []string) {
	lists := must.Get(filepath.Glob("/proc/[0-9]*/stat"))(t)
	for _, list := range lists {
		stat, err := os.ReadFile(list)
		if err != nil {
			continue // it has ended
		}
		name, rest := stat[:bytes.LastIndexByte(stat, ')')+1], stat[bytes.LastIndexByte(stat, ')')+1:]
		var state string
		var parent int
		if _, err := fmt.Sscan(string(rest), &state, &parent); err == nil && parent == os.Getpid() {
			names = append(names, string(name)+" "+state)
		}
	}
	return names
}

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	must.Do(t, os.WriteFile(path, []byte("four"), 0o600))
	f, size, err := Open(path)
	if err != nil || size != 4 {
		t.Fatal(size, err)
	}
	f.Close()
	if _, _, err := Open(path + "b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, p := range []string{filepath.Dir(path), os.DevNull} {
		if _, _, err := Open(p); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestReadHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	must.Do(t, os.WriteFile(path, []byte("four"), 0o600))
	if data, err := Read(path, "a word", 4); err != nil || string(data) != "four" {
		t.Errorf("%q %v", data, err)
	}
	if _, err := Read(path, "a word", 3); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "a word") {
		t.Error(err)
	}
	if _, err := Read("/dev/zero", "a word", 3); !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

package eigenmap_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
)

// Every file that repeats the number of the release has the one of version.go.
func TestHouseRelease(t *testing.T) {
	n := strings.Split(eigenmap.Release, ".")
	if len(n) != 3 {
		t.Fatalf("%s is no semantic version", eigenmap.Release)
	}
	for path, want := range map[string]string{
		"capi/eigenmap.h": fmt.Sprintf("VERSION_MAJOR %s\n#define EIGENMAP_VERSION_MINOR %s\n#define EIGENMAP_VERSION_PATCH %s\n#define EIGENMAP_VERSION \"%s\"\n",
			n[0], n[1], n[2], eigenmap.Release),
		".ci/lib":                     "soname=libeigenmap.so." + n[0] + " ",
		"capi/eigenmap.map":           "EIGENMAP_" + n[0] + " {\n",
		"python/eigenmap/__init__.py": fmt.Sprintf("__version__ = %q\n", eigenmap.Release),
		"CHANGELOG.md":                "\n## " + eigenmap.Release,
		"CITATION.cff":                "\nversion: " + eigenmap.Release + "\n",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), want) {
			t.Errorf("%s does not have %q", path, want)
		}
	}
}

// Without a word of the linker the version is the number of the release.
func TestVersions(t *testing.T) {
	if v := eigenmap.Versions(); v.Version != eigenmap.Release {
		t.Errorf("the version is %q, not %q", v.Version, eigenmap.Release)
	}
}

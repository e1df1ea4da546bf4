package eigenmap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Where apt has no lists of packages yet, install-go fetches them before it says that there is no
// Go. deps --release finds the mirror of the release among sources and adds the backports of it,
// once; with many lines of policy too, of which the first ones are enough.
func TestInstallGo(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	many := `i=0; while [ $i -lt 5000 ]; do echo " 100 http://other.example/debian sid/main amd64 Packages"; i=$((i+1)); done`
	env := stubs(t, map[string]string{
		"id":         "echo 0",
		"dpkg-query": "exit 1",
		"tee":        `cat > /dev/null; echo "tee $*" >> ` + log,
		"apt-get":    `echo "apt-get $*" >> ` + log,
		"apt-cache": `if [ "$2" = golang-go ]; then grep -q update ` + log + ` 2>/dev/null && echo "  Candidate: 2:1.24~2"; exit 0; fi
echo " 500 http://deb.example/debian bookworm/main amd64 Packages"; echo "     release v=12,a=$SUITE,n=$SUITE,c=main"; ` + many,
		"old": "exit 1",
	})
	run := func(suite string, args ...string) (out, did string) {
		_ = os.Remove(log)
		cmd := exec.Command("bash", args...)
		cmd.Env = append(slices.Clip(env), "SUITE="+suite)
		text, _ := cmd.CombinedOutput()
		list, _ := os.ReadFile(log)
		return string(text), string(list)
	}
	out, did := run("trixie", ".ci/install-go", "old")
	if strings.Contains(out, "too old") || !strings.Contains(did, "install -y --no-install-recommends golang-go") {
		t.Errorf("a bare Debian: %s%s", out, did)
	}
	out, did = run("bookworm", ".ci/deps", "--release", "bookworm-backports", "golang-go")
	if !strings.Contains(did, "tee /etc/apt/sources.list.d/bookworm-backports.list") || strings.Count(did, "update") != 2 || !strings.Contains(did, "-t bookworm-backports golang-go") {
		t.Errorf("without backports: %s%s", out, did)
	}
	out, did = run("bookworm-backports", ".ci/deps", "--release", "bookworm-backports", "golang-go")
	if strings.Contains(did, "tee ") || !strings.Contains(did, "-t bookworm-backports golang-go") {
		t.Errorf("with backports: %s%s", out, did)
	}
}

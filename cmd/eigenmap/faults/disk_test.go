package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// ownMounts are name spaces in which a mount touches nothing outside.
func ownMounts() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// TestDiskFull gives the results a disk of one page, then of two and so on until they fit, so that
// the disk is full once at every page that is written.
func TestDiskFull(t *testing.T) {
	p := newPlace(t)
	disk := filepath.Join(p.dir, "disk")
	kept := filepath.Join(p.dir, "kept")
	must.Do(t, os.Mkdir(disk, 0o755))
	probe := exec.Command("/bin/sh", "-c", "mount -t tmpfs -o size=4k tmpfs "+disk)
	probe.SysProcAttr = ownMounts()
	if text, err := probe.CombinedOutput(); err != nil {
		t.Skipf("this system allows no mount in a name space (TestFileSize takes its place): %v %s", err, text)
	}
	step := 1
	if !everything {
		step = 12
	}
	for _, c := range p.commands() {
		if !c.out {
			continue
		}
		full := 0
		for pages := 1; ; pages += step {
			// The disk goes with the name space: its content is copied out of it by a second command.
			script := fmt.Sprintf(`mount -t tmpfs -o size=%dk tmpfs '%s' || exit 99; "$0" "$@"; s=$?; rm -rf '%s'; mkdir '%s'; [ ! -d '%s/out' ] || cp -a '%s/out' '%s/' || exit 98; exit $s`,
				4*pages, disk, kept, kept, disk, disk, kept)
			o := trial{fault: "disk full", wrap: []string{"/bin/sh", "-c", script}, attr: ownMounts(),
				args: c.args("--out", filepath.Join(disk, "out")), out: filepath.Join(kept, "out")}.run(t)
			if o.status == done {
				break
			}
			full++
			if o.status != failed || !strings.Contains(o.stderr, "no space left on device: free some space") || strings.Contains(o.stderr, "cannot read") || pages > 400 {
				t.Fatalf("%s with %d pages: status %d, %s", c.name, pages, o.status, o.stderr)
			}
		}
		t.Logf("%s: the disk was full at %d sizes", c.name, full)
		if full == 0 {
			t.Errorf("%s: the disk was never full", c.name)
		}
	}
}

// TestFileSize does the same with a limit for the size of one file (RLIMIT_FSIZE), which every
// system allows: each file in turn is the first that does not fit.
func TestFileSize(t *testing.T) {
	p := newPlace(t)
	for _, c := range p.commands() {
		if !c.out && c.name != "convert" {
			continue
		}
		for blocks := 0; blocks <= 4096; blocks = max(blocks+1, blocks*3/2) {
			if !everything && blocks > 0 {
				blocks *= 3
			}
			r := trial{fault: "file size", shell: "ulimit -f " + strconv.Itoa(blocks)}
			if c.out {
				r.out = filepath.Join(t.TempDir(), "out")
				r.args = c.args("--out", r.out)
			} else {
				r.file = filepath.Join(t.TempDir(), "converted.npz")
				c.operands[1] = r.file
				r.args = c.args()
			}
			if o := r.run(t); o.status == done {
				break
			} else if o.status != failed {
				t.Errorf("%s with %d blocks: status %d, want %d: %s", c.name, blocks, o.status, failed, o.stderr)
			}
		}
	}
}

// TestReadOnly: a folder that takes no files, and results of another user.
func TestReadOnly(t *testing.T) {
	p := newPlace(t)
	var other *syscall.SysProcAttr
	if os.Getuid() == 0 { // permissions do not hold for root
		other = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	closed := filepath.Join(p.dir, "closed")
	must.Do(t, os.Mkdir(closed, 0o555))
	for _, c := range p.commands() {
		outs := []string{closed, filepath.Join(closed, "out"), filepath.Dir(p.model)}
		if os.Getuid() != 0 || c.name == "predict" {
			outs = outs[:2] // the results are the test's own, or beside the model
		}
		for _, out := range outs {
			r := trial{fault: "read-only folder", attr: other}
			if c.out {
				r.args, r.out = c.args("--out", out), out
			} else if c.name == "convert" {
				c.operands[1] = filepath.Join(closed, "x.npz")
				r.args, r.file = c.args(), c.operands[1]
			} else {
				continue
			}
			if o := r.run(t); o.status == done || !strings.Contains(o.stderr, "permission denied") {
				t.Errorf("%s into %s: status %d, %s", c.name, out, o.status, o.stderr)
			}
		}
	}
}

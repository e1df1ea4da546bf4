package faults

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pathFlag finds the flags in a command's help whose value is a path. Help is made from the tags of
// the options, so that a new option of that kind is tested by itself.
var pathFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+) path\b`)

// pathFlags lists the flags of a command that take a path, with those of every method.
func pathFlags(t *testing.T, command string) (list []string) {
	t.Helper()
	args := []string{command, "--help"}
	if command == "cluster" || command == "embed" {
		args = append(args, "--method", "all")
	}
	text, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pathFlag.FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// hostile is something that a path can name and that is not what the program wants.
type hostile struct{ name, path string }

// hostiles makes them in a folder.
func hostiles(t *testing.T, dir string) []hostile {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("fifo"), 0o666); err != nil {
		t.Skip(err)
	}
	os.Symlink("loop", at("loop"))
	os.Symlink("nowhere", at("dangling"))
	os.Symlink("/dev/zero", at("zero.csv"))
	os.Mkdir(at("folder"), 0o755)
	write(t, at("with\nnewline\x1b[31m.jsonl"), corpusOf(2))
	write(t, at("empty"), "")
	write(t, at("binary"), strings.Repeat("\x00\xff\x01\xfe", 300))
	write(t, at("line"), strings.Repeat("[", 300_000))
	write(t, at("denied"), "id,label\n")
	os.Chmod(at("denied"), 0)
	list := []hostile{
		{"pipe", at("fifo")}, {"zeros", "/dev/zero"}, {"full device", "/dev/full"}, {"null device", "/dev/null"},
		{"link to zeros", at("zero.csv")}, {"loop of links", at("loop")}, {"dangling link", at("dangling")}, {"folder", at("folder")},
		{"missing newline name", at("not\nthere\x1b[2J")}, {"newline name", at("with\nnewline\x1b[31m.jsonl")}, {"empty", at("empty")},
		{"binary", at("binary")}, {"endless line", at("line")}, {"denied", at("denied")},
		{"long name", at(strings.Repeat("x", 300))}, {"nothing", ""}, {"below a file", at("empty/below")},
		{"memory of the process", "/proc/self/mem"}, {"terminal", "/dev/tty"},
	}
	if l, err := net.Listen("unix", at("socket")); err == nil {
		t.Cleanup(func() { l.Close() })
		list = append(list, hostile{"socket", at("socket")})
	}
	return list
}

// methodOf is the method that reads the file of a flag.
var methodOf = map[string]string{"labels": "semi-le", "constraints": "cle"}

// TestPaths gives pipes, devices, folders, links and binary files to every flag and operand that
// takes a path.
func TestPaths(t *testing.T) {
	p := newPlace(t)
	bad := hostiles(t, p.dir)
	turn, flags := 0, map[string]bool{}
	for _, c := range p.commands() {
		known := pathFlags(t, c.name)
		if !slices.Contains(known, "config") {
			t.Fatalf("%s: no flag --config among %v: has help changed?", c.name, known)
		}
		for _, flag := range known {
			flags[flag] = true
			turn++
			for _, h := range some(bad, 6, turn) {
				p.tryFlag(t, c, flag, h)
			}
		}
		for i := range c.operands {
			turn++
			for _, h := range some(bad, 4, turn) {
				p.tryOperand(t, c, i, h)
			}
		}
	}
	for _, want := range []string{"config", "out", "truth", "labels", "constraints", "stop-words", "vocabulary"} {
		if !flags[want] {
			t.Errorf("help shows no flag --%s with a path", want)
		}
	}
}

func (p place) tryFlag(t *testing.T, c command, flag string, h hostile) {
	t.Run(c.name+"/"+flag+"/"+h.name, func(t *testing.T) {
		t.Parallel()
		if m := methodOf[flag]; m != "" {
			c.flags = slices.Clone(c.flags)
			c.flags[slices.Index(c.flags, "--method")+1] = m
		}
		if c.name == "convert" {
			c.operands = []string{c.operands[0], filepath.Join(t.TempDir(), "converted.npz")}
		}
		r := trial{fault: "paths", args: c.args("--" + flag + "=" + h.path), within: 30 * time.Second}
		if flag == "out" {
			r.out = filepath.Join(p.dir, "nowhere") // what a link names must not be made by half
		} else if c.out {
			r.out = filepath.Join(t.TempDir(), "out")
			r.args = append(r.args, "--out", r.out)
		}
		r.run(t)
	})
}

func (p place) tryOperand(t *testing.T, c command, i int, h hostile) {
	t.Run(c.name+"/operand/"+h.name, func(t *testing.T) {
		t.Parallel()
		c.operands = slices.Clone(c.operands)
		r := trial{fault: "paths", within: 30 * time.Second}
		if c.name == "convert" && i == 0 {
			c.operands[1] = filepath.Join(t.TempDir(), "converted.npz")
			r.file = c.operands[1]
		}
		c.operands[i] = h.path
		r.args = c.args()
		if c.out {
			r.out = filepath.Join(t.TempDir(), "out")
			r.args = append(r.args, "--out", r.out)
		}
		r.run(t)
	})
}

// TestReproducePaths: the same for the command of the papers' tables.
func TestReproducePaths(t *testing.T) {
	dir := t.TempDir()
	turn := 0
	for _, flag := range pathFlags(t, "reproduce") {
		turn++
		for _, h := range some(hostiles(t, t.TempDir()), 6, turn) {
			args := []string{"reproduce", "cle/table4", "--tests", "1", "--quiet", "--data", dir, "--" + flag + "=" + h.path}
			trial{fault: "paths", args: args, within: 30 * time.Second}.run(t)
		}
	}
}

// TestNames: names of any bytes that a file system takes are names like others.
func TestNames(t *testing.T) {
	p := newPlace(t)
	for _, name := range []string{"a\nb", "-k", "a b\t", "ü\xff\xfe", "x;rm -rf ~", "$(id)", "\x1b]0;x\x07", "a=b,c", strings.Repeat("n", 200)} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		file, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
		write(t, file, corpusOf(10))
		o := trial{fault: "names", args: []string{"cluster", file, "--method", "le", "-k", "3", "--quiet", "--out", out}, out: out}.run(t)
		if o.status != done {
			t.Errorf("%q: status %d\n%s", name, o.status, o.stderr)
		}
		again := trial{fault: "names", args: []string{"cluster", "--config", filepath.Join(out, "config.yaml"), "--quiet", "--out", out}, out: out}.run(t)
		if again.status != done {
			t.Errorf("%q: the written configuration is refused\n%s", name, again.stderr)
		}
		trial{fault: "names", args: []string{"predict", filepath.Join(out, "model.npz"), p.corpus, "--quiet", "--out", out + "2"}, out: out + "2"}.run(t)
	}
}

package eigenmap_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// container is what a container file copies from the repository and runs to build the program.
type container struct {
	file  string
	copy  [][2]string // source, target
	steps []string    // of the build stage, in their order
	// rest are sources copied in the final stage from the build stage.
	rest []string
}

// readContainer reads a Dockerfile or an Apptainer definition, as far as these are used here.
func readContainer(t *testing.T, file string) container {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	c := container{file: file}
	if strings.HasSuffix(file, ".def") {
		c.readDefinition(strings.Split(joined, "\n"))
	} else {
		c.readDockerfile(strings.Split(joined, "\n"))
	}
	if c.copy == nil || c.steps == nil || c.rest == nil {
		t.Fatalf("%s: copies %v, steps %v, then %v: it was not understood", file, c.copy, c.steps, c.rest)
	}
	return c
}

func (c *container) readDefinition(lines []string) {
	section, stage := "", 0
	for _, line := range lines {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case strings.HasPrefix(line, "Bootstrap:"):
			section = ""
			stage++
		case strings.HasPrefix(line, "%"):
			section = strings.Join(words, " ")
		case section == "%files" && len(words) == 2:
			c.copy = append(c.copy, [2]string{words[0], words[1]})
		case section == "%files from build":
			c.rest = append(c.rest, words[0])
		case section == "%post" && stage == 1:
			c.steps = append(c.steps, strings.TrimSpace(line))
		}
	}
}

func (c *container) readDockerfile(lines []string) {
	dir := ""
	stage := 0
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch rest := words[1:]; {
		case words[0] == "FROM":
			stage++
		case words[0] == "WORKDIR" && stage == 1:
			dir = rest[0]
			c.steps = append(c.steps, "cd "+dir)
		case words[0] == "COPY" && strings.HasPrefix(rest[0], "--from=build"):
			c.rest = append(c.rest, rest[1])
		case words[0] == "COPY":
			for _, source := range rest[:len(rest)-1] {
				target := rest[len(rest)-1]
				if target = filepath.Join(dir, target); source != "." && !isDir(source) {
					target += "/"
				}
				c.copy = append(c.copy, [2]string{source, target})
			}
		case words[0] == "RUN" && stage == 1:
			c.steps = append(c.steps, strings.Join(rest, " "))
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// containers are the files that the repository has.
func containers(t *testing.T) []container {
	t.Helper()
	var list []container
	for _, pattern := range []string{"docker/Dockerfile*", "docker/*.def"} {
		files := must.Get(filepath.Glob(pattern))(t)
		for _, f := range files {
			if !strings.HasSuffix(f, ".dockerignore") {
				list = append(list, readContainer(t, f))
			}
		}
	}
	if len(list) < 2 {
		t.Fatal("the container files are gone")
	}
	return list
}

// programFolders are the folders of the packages that the program is built from, and the files
// embedded in them.
func programFolders(t *testing.T) []string {
	t.Helper()
	imports := map[string][]string{}
	for _, f := range sources(t) {
		if f.isTest() {
			continue
		}
		for _, spec := range f.ast.Imports {
			if path, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`)+"/", modulePath); ours {
				imports[f.dir()] = append(imports[f.dir()], filepath.Clean("./"+path))
			}
		}
	}
	need := []string{"cmd/eigenmap"}
	for i := 0; i < len(need); i++ {
		for _, dir := range imports[need[i]] {
			if !slices.Contains(need, dir) {
				need = append(need, dir)
			}
		}
	}
	if !slices.Contains(need, ".") || !slices.Contains(need, "sparse") {
		t.Fatalf("the packages of the program are %v", need)
	}
	return need
}

// TestHouseContainerFiles: what the container files copy exists, and is all that the build needs.
func TestHouseContainerFiles(t *testing.T) {
	for _, c := range containers(t) {
		covered := func(path string) bool {
			return slices.ContainsFunc(c.copy, func(pair [2]string) bool {
				source := filepath.Clean(pair[0])
				if ok, _ := filepath.Match(source, path); ok || source == "." {
					return true
				}
				return strings.HasPrefix(path, source+"/")
			})
		}
		for _, pair := range c.copy {
			if found, err := filepath.Glob(pair[0]); err != nil || len(found) == 0 {
				t.Errorf("%s copies %s, which is not there", c.file, pair[0])
			}
		}
		for _, dir := range programFolders(t) {
			entries := must.Get(os.ReadDir(dir))(t)
			for _, e := range entries {
				path := filepath.ToSlash(filepath.Join(dir, e.Name()))
				if !e.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !covered(path) {
					t.Errorf("%s does not copy %s, which the build needs", c.file, path)
					break
				}
			}
		}
		for _, path := range []string{"Makefile", "go.mod", "go.sum", ".ci/deps", ".ci/go-version"} {
			if !covered(path) {
				t.Errorf("%s does not copy %s, which the build needs", c.file, path)
			}
		}
	}
}

// TestContainersBuild copies what the container files copy and runs the steps of their build stage
// in the copy, but for those that install or fetch.
func TestContainersBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	for _, tool := range []string{"make", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool + " here")
		}
	}
	for _, c := range containers(t) {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			root := t.TempDir()
			for _, pair := range c.copy {
				copyInto(t, pair[0], filepath.Join(root, pair[1]), strings.HasSuffix(pair[1], "/") && strings.HasSuffix(c.file, ".def"))
			}
			var script strings.Builder
			script.WriteString("set -e\n")
			native := slices.Contains(eigenmap.Versions().Backends, "openblas")
			slepc := native && exec.Command("pkg-config", "--exists", "slepc", "petsc").Run() == nil
			for _, step := range c.steps {
				for part := range strings.SplitSeq(step, "&&") {
					if part = strings.TrimSpace(part); !fetches(part) && (slepc || !strings.HasPrefix(part, "make build-slepc")) {
						script.WriteString(strings.ReplaceAll(part, "/src", root+"/src") + "\n")
					}
				}
			}
			cmd := exec.Command(bash, "-c", script.String())
			cmd.Env = append(os.Environ(), "VERSION=of-a-test")
			if !native {
				cmd.Env = append(cmd.Env, "PUREGO=1")
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s\n%s", c.file, err, script.String(), out)
			}
			for _, path := range c.rest {
				program := filepath.Join(root, path)
				if strings.HasSuffix(path, "-slepc") && !slepc {
					t.Log("SLEPc is not installed here: its program was not built")
					continue
				}
				if out, err := exec.Command(program, "version").CombinedOutput(); err != nil || !strings.Contains(string(out), "eigenmap") {
					t.Errorf("%s: %v, %s", path, err, out)
				}
				if runtime.GOOS == "linux" && native {
					checkHardened(t, program)
				}
			}
		})
	}
}

// checkHardened: the native program is position-independent, and what the linker filled in
// cannot be written to while it runs.
func checkHardened(t *testing.T, program string) {
	t.Helper()
	f := must.Get(elf.Open(program))(t)
	defer f.Close()
	if f.Type != elf.ET_DYN {
		t.Errorf("the program is %v, not position-independent", f.Type)
	}
	if flags, err := f.DynValue(elf.DT_FLAGS); err != nil || !slices.ContainsFunc(flags, func(v uint64) bool { return elf.DynFlag(v)&elf.DF_BIND_NOW != 0 }) {
		t.Errorf("the program does not bind all symbols at the start: %v, %v", flags, err)
	}
	if !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_GNU_RELRO }) {
		t.Error("the program has no segment that becomes read-only")
	}
}

// fetches says whether a step brings in what a machine that runs the tests has: packages of the
// system, modules, the path of the image's Go.
func fetches(step string) bool {
	return strings.Contains(step, "apt-get") || step == "make deps" || step == "make deps deps-slepc" || step == "go mod download" || strings.HasPrefix(step, "export PATH=/usr/local/go/bin")
}

// copyInto copies what a pattern matches into a folder, under its own name if the target is the
// folder, as the container tools do.
func copyInto(t *testing.T, pattern, target string, under bool) {
	t.Helper()
	found := must.Get(filepath.Glob(pattern))(t)
	for _, source := range found {
		if isDir(source) {
			to := target
			if under {
				to = filepath.Join(target, filepath.Base(source))
			}
			if source == "." {
				copyTracked(t, to)
			} else if err := os.CopyFS(to, os.DirFS(source)); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
			continue
		}
		text := must.Get(os.ReadFile(source))(t)
		must.Do(t, os.MkdirAll(target, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(target, filepath.Base(source)), text, 0o777))
	}
}

// copyTracked copies the visible folders and files of the root, without what builds and runs leave.
func copyTracked(t *testing.T, to string) {
	t.Helper()
	entries := must.Get(os.ReadDir("."))(t)
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, ".") || name == "bin" || name == "out":
		case e.IsDir():
			copyInto(t, name, to, true)
		default:
			copyInto(t, name, to, false)
		}
	}
}

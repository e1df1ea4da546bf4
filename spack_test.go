package eigenmap_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// spackStub stands for Spack: the names that the recipe takes from it, which write down what they
// are called with. It prints, for both values of the variant, what is asked of make and of the
// environment.
const spackStub = `
import json, os, sys, types

said = []
class Prefix(str):
    def __getattr__(self, name): return Prefix(os.path.join(self, name))
class Libs(list):
    directories = ["/libs"]
class Spec:
    def __init__(self, blas): self.blas, self.prefix, self.libs = blas, Prefix("/prefix"), Libs(["/libs/libopenblas.so"])
    def satisfies(self, text): return self.blas == (text == "+blas")
    def __getitem__(self, name): return self
class Package:
    def __init__(self, blas): self.spec, self.prefix, self.stage = Spec(blas), Prefix("/to"), types.SimpleNamespace(path="/stage")
class Environment(dict):
    def set(self, name, value): self[name] = value

recipe, spack, builtin = sys.argv[1], types.ModuleType("spack.package"), types.ModuleType("makefile")
def directive(name): return lambda *args, **more: said.append([name, *map(str, args), *("%s=%s" % item for item in more.items())])
for name in ("license", "version", "variant", "depends_on"): setattr(spack, name, directive(name))
spack.join_path, spack.mkdirp, spack.symlink = os.path.join, directive("mkdirp"), directive("symlink")
builtin.MakefilePackage = Package
sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack, "spack_repo.builtin.build_systems.makefile": builtin})
names = {}
exec(compile(open(recipe).read(), recipe, "exec"), names)
out = {"said": said, "builds": []}
for blas in (True, False):
    package, env = names["Eigenmap"](blas), Environment()
    package.setup_build_environment(env)
    package.edit(package.spec, package.prefix)
    out["builds"].append({"env": env, "build": package.build_targets, "install": package.install_targets})
print(json.dumps(out))
`

// The recipe of Spack asks for the Go of go.mod and for our licence, and make knows the targets and
// the variables that it gives. Spack itself is not run.
func TestSpackRecipe(t *testing.T) {
	for _, tool := range []string{"python3", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool + " here")
		}
	}
	var got struct {
		Said   [][]string
		Builds []struct {
			Env            map[string]string
			Build, Install []string
		}
	}
	cmd := exec.Command("python3", "-c", spackStub, "packaging/spack/package.py")
	cmd.Stderr = os.Stderr
	out := must.Get(cmd.Output())(t)
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	module := must.Get(os.ReadFile("go.mod"))(t)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))[1]
	for _, want := range []string{
		"license BSD-3-Clause", "depends_on go@" + version + ": type=build", "depends_on arpack-ng when=+blas",
		"depends_on openblas~ilp64 symbol_suffix=none when=+blas", "symlink /libs/libopenblas.so /stage/links/liblapacke.so",
	} {
		if !slices.ContainsFunc(got.Said, func(words []string) bool { return strings.Join(words, " ") == want }) {
			t.Errorf("the recipe does not say %q: %v", want, got.Said)
		}
	}
	if env := got.Builds[0].Env["CGO_LDFLAGS"]; env != "-L/libs -Wl,-rpath,/libs -L/libs -Wl,-rpath,/libs -L/stage/links" || got.Builds[1].Env["CGO_LDFLAGS"] != "" {
		t.Errorf("the libraries are at %q", env)
	}
	for i, cgo := range []string{"CGO_ENABLED=1", "CGO_ENABLED=0"} {
		for _, targets := range [][]string{got.Builds[i].Build, got.Builds[i].Install} {
			steps, err := exec.Command("make", append([]string{"-n"}, targets...)...).CombinedOutput()
			if err != nil || !strings.Contains(string(steps), cgo+" go build") || strings.Contains(string(steps), ".ci/deps") {
				t.Errorf("make %v: %v\n%s", targets, err, steps)
			}
		}
	}
	if !slices.Contains(got.Builds[0].Install, "PREFIX=/to") {
		t.Errorf("it installs by make %v", got.Builds[0].Install)
	}
}

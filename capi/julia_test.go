//go:build cgo

package main

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// declaration is what a caller in another language must repeat of a C function or a type of a
// function.
type declaration struct {
	result string
	args   []string
}

var (
	comments    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	prototypes  = regexp.MustCompile(`(?m)^((?:const )?\w+ \**)(eigenmap_\w+)\(([^()]*)\);`)
	callbacks   = regexp.MustCompile(`typedef (int) \(\*(eigenmap_\w+)\)\(([^()]*)\);`)
	structures  = regexp.MustCompile(`(?s)typedef struct (\w+) \{(.*?)\}`)
	enumerators = regexp.MustCompile(`\b(EIGENMAP_[A-Z_]+) = (\d+)`)
	lastWord    = regexp.MustCompile(`\w+$`)
)

// cType returns the type of a parameter or a field, without its name.
func cType(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(lastWord.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")), "const ", "")
}

// declarations returns the functions and the types of functions that a header declares, its structs
// as lists of types, and its enumerators.
func declarations(header string) (functions map[string]declaration, structs map[string][]string, constants map[string]string) {
	header = comments.ReplaceAllString(header, "")
	functions, structs, constants = map[string]declaration{}, map[string][]string{}, map[string]string{}
	for _, m := range append(prototypes.FindAllStringSubmatch(header, -1), callbacks.FindAllStringSubmatch(header, -1)...) {
		d := declaration{result: strings.ReplaceAll(strings.TrimSpace(m[1]), "const ", "")}
		for arg := range strings.SplitSeq(m[3], ",") {
			if strings.TrimSpace(arg) != "void" {
				d.args = append(d.args, cType(arg))
			}
		}
		functions[m[2]] = d
	}
	for _, m := range structures.FindAllStringSubmatch(header, -1) {
		for line := range strings.SplitSeq(m[2], ";") {
			names := strings.Split(line, ",")
			for range names {
				if field := cType(names[0]); field != "" {
					structs[m[1]] = append(structs[m[1]], field)
				}
			}
		}
	}
	for _, m := range enumerators.FindAllStringSubmatch(header, -1) {
		constants[m[1]] = m[2]
	}
	return functions, structs, constants
}

// juliaTypes are the types by which Julia passes each type of C, of functions a pointer to any.
var juliaTypes = map[string][]string{
	"void": {"Cvoid"}, "int": {"Cint"}, "int32_t": {"Int32"}, "int64_t": {"Int64"}, "double": {"Float64"}, "size_t": {"Csize_t"},
	"char *": {"Cstring"}, "char **": {"Ref{Ptr{UInt8}}"}, "void *": {"Ptr{Cvoid}", "Any"},
	"int32_t *": {"Ptr{Int32}"}, "int64_t *": {"Ptr{Int64}"}, "double *": {"Ptr{Float64}"},
	"eigenmap_model *": {"Ptr{Cvoid}"}, "eigenmap_model **": {"Ref{Ptr{Cvoid}}"}, "eigenmap_known *": {"Ptr{Cvoid}"},
	"eigenmap_matrix *": {"Ref{EigenmapMatrix}"}, "eigenmap_matvec_fn": {"Ptr{Cvoid}"},
}

// sameTypes reports whether each of Julia's types is the one that C has in the same place.
func sameTypes(c, julia []string) bool {
	return slices.EqualFunc(c, julia, func(c, julia string) bool { return slices.Contains(juliaTypes[c], julia) })
}

// list splits types at commas.
func list(text string) []string {
	var all []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

var (
	juliaCalls     = regexp.MustCompile(`ccall\(\(:(\w+), lib\),\s*([\w{}]+),\s*\(([^()]*)\)`)
	juliaCallbacks = regexp.MustCompile(`@cfunction\(\w+, (\w+), \(([^()]*)\)\)`)
	juliaStruct    = regexp.MustCompile(`(?s)struct EigenmapMatrix.*?\n(.*?)end`)
	juliaField     = regexp.MustCompile(`(?m)^\s+\w+::(\S+)$`)
	juliaConstants = regexp.MustCompile(`(?m)^const (EIGENMAP_\w+) = (\d+)$`)
)

// wrongInJulia returns what a page in Julia says otherwise than the header, and how many calls it
// has.
func wrongInJulia(header, page string) (wrong []string, calls int) {
	functions, structs, constants := declarations(header)
	for _, m := range juliaCalls.FindAllStringSubmatch(page, -1) {
		calls++
		d, ok := functions[m[1]]
		if !ok || !sameTypes([]string{d.result}, []string{m[2]}) || !sameTypes(d.args, list(m[3])) {
			wrong = append(wrong, m[1])
		}
	}
	for _, m := range juliaCallbacks.FindAllStringSubmatch(page, -1) {
		if d := functions["eigenmap_matvec_fn"]; !sameTypes([]string{d.result}, []string{m[1]}) || !sameTypes(d.args, list(m[2])) {
			wrong = append(wrong, "@cfunction")
		}
	}
	var fields []string
	if m := juliaStruct.FindStringSubmatch(page); m != nil {
		for _, f := range juliaField.FindAllStringSubmatch(m[1], -1) {
			fields = append(fields, f[1])
		}
	}
	if !sameTypes(structs["eigenmap_matrix"], fields) {
		wrong = append(wrong, "EigenmapMatrix")
	}
	for _, m := range juliaConstants.FindAllStringSubmatch(page, -1) {
		if constants[m[1]] != m[2] {
			wrong = append(wrong, m[1])
		}
	}
	return wrong, calls
}

// The calls, the struct, the callback and the constants of the page on Julia are the header's.
func TestJuliaPage(t *testing.T) {
	text := must.Get(os.ReadFile("../docs/julia.md"))(t)
	header := must.Get(os.ReadFile("eigenmap.h"))(t)
	functions, structs, _ := declarations(string(header))
	if len(functions) < 40 || len(structs["eigenmap_matrix"]) != 7 || len(functions["eigenmap_symmetric"].args) != 9 {
		t.Fatalf("the header was not understood: %d functions, %v", len(functions), slices.Sorted(maps.Keys(functions)))
	}
	page := string(text)
	wrong, calls := wrongInJulia(string(header), page)
	if len(wrong) > 0 {
		t.Errorf("docs/julia.md says otherwise than eigenmap.h: %v", wrong)
	}
	if want := strings.Count(page, "ccall((:"); calls != want || calls < 10 {
		t.Errorf("%d of %d calls were understood", calls, want)
	}
	for name, change := range map[string][2]string{
		"eigenmap_fit":         {"(Ref{EigenmapMatrix}, Int32, Cstring", "(Ref{EigenmapMatrix}, Int64, Cstring"},
		"eigenmap_model_count": {"lib), Int64, (Ptr{Cvoid}", "lib), Int32, (Ptr{Cvoid}"},
		"@cfunction":           {"Cint, (Any, Int64, ", "Cint, (Any, Int32, "},
		"EigenmapMatrix":       {"    stride::Int64\n", ""},
		"EIGENMAP_DIMS":        {"EIGENMAP_DIMS = 3", "EIGENMAP_DIMS = 4"},
	} {
		changed := strings.Replace(page, change[0], change[1], 1)
		if wrong, _ := wrongInJulia(string(header), changed); changed == page || !slices.Equal(wrong, []string{name}) {
			t.Errorf("a wrong %s is not found: %v", name, wrong)
		}
	}
}

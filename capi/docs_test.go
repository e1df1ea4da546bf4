//go:build cgo

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

var snippet = regexp.MustCompile("(?s)```c\n(.*?)```")

// The snippets in C of the manual are one program: functions, and what main does in their order.
func TestManual(t *testing.T) {
	lib := libraryDir(t)
	page := must.Get(os.ReadFile("../docs/c.md"))(t)
	var functions, body string
	for _, m := range snippet.FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(m[1], "int product(") {
			functions += "static " + m[1]
		} else {
			body += m[1] + "if (code != EIGENMAP_DONE) { fprintf(stderr, \"%s\\n\", eigenmap_last_error()); return 1; }\n"
		}
	}
	program := `#include <eigenmap.h>
#include <math.h>
#include <stdio.h>
` + functions + `
int main(void)
{
	enum { rows = 120, cols = 30, each = 6 };
	static int64_t indptr[rows + 1];
	static int32_t indices[rows * each];
	static double values_of[rows * each];
	for (int i = 0; i < rows; i++) {
		indptr[i + 1] = indptr[i] + each;
		for (int k = 0; k < each; k++) {
			indices[i * each + k] = (i % 3) * 10 + k + (k >= (i / 3) % each);
			values_of[i * each + k] = 1 + (i * 7 + k * 3) % 5;
		}
	}
` + body + `
	for (int j = 0; j < 6; j++)
		if (fabs(values[j] - (2 - 2 * cos((j + 1) * 3.14159265358979 / 501))) > 1e-9)
			return 2;
	if (found[0] != found[1] || found[2] != found[3] || found[0] == found[2])
		return 3;
	for (int i = 0; i < rows; i++)
		if (labels[i] < 0 || labels[i] > 11)
			return 4;
	printf("%.6f\n", fabs(vectors[0]) / (sqrt(2.0 / 501) * sin(3.14159265358979 / 501)));
	return 0;
}
`
	file := filepath.Join(t.TempDir(), "manual.c")
	must.Do(t, os.WriteFile(file, []byte(program), 0o600))
	if out := output(t, lib, compiled(t, "gcc", "-std=c11", file, "-I"+lib, "-L"+lib, "-leigenmap", "-lm")); out != "1.000000\n" {
		t.Error(out)
	}
}

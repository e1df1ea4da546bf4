package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// TestPlanOnTheCommandLine: a plan has the stages of the run that follows, takes its flags, and
// writes nothing.
func TestPlanOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), t.TempDir()
	for name, args := range map[string][]string{
		"le":        {"--method", "le", "--neighbors", "8"},
		"landmarks": {"--method", "le", "--landmarks", "30"},
		"complete":  {"--method", "le", "--graph-kind", "complete"},
		"semi-le":   {"--method", "semi-le", "--labeled-fraction", "0.2"},
		"cle":       {"--method", "cle", "--labeled-fraction", "0.2", "--normalize-rows"},
		"kmeans":    {"--method", "kmeans", "--restarts", "3"},
		"nmf":       {"--method", "nmf"},
		"gmm":       {"--method", "gmm", "--pca", "3"},
		"lsi":       {"--method", "lsi", "-d", "4"},
		"pca":       {"--method", "pca"},
		"plsa":      {"--method", "plsa"},
		"lapgmm":    {"--method", "lapgmm", "--pca", "3", "--covariance", "diag", "--lambda", "10"},
		"ckmeans":   {"--method", "ckmeans", "--labeled-fraction", "0.2"},
		"seeded":    {"--method", "seeded-kmeans", "--labeled-fraction", "0.2"},
		"labels":    {"--method", "label-propagation", "--labeled-fraction", "0.2"},
		"isomap":    {"--method", "isomap", "--neighbors", "8"},
		"lle":       {"--method", "lle", "--parts", "all"},
		"spg":       {"--method", "spg"},
		"lpp":       {"--method", "lpp"},
		"lda":       {"--method", "lda", "--labeled-fraction", "0.2"},
		"spca":      {"--method", "spca"},
		"le-cas":    {"--method", "le-cas"},
		"ggle":      {"--method", "ggle"},
		"s-le":      {"--method", "s-le"},
		"scple":     {"--method", "scple", "--labeled-fraction", "0.2"},
		"semi-ldc":  {"--method", "semi-ldc", "--labeled-fraction", "0.2"},
		"tsvm":      {"--method", "tsvm", "--labeled-fraction", "0.2"},
		"logistic":  {"--method", "logistic", "--labeled-fraction", "0.2"},
		"committee": {"--method", "committee", "--labeled-fraction", "0.2"},
		"graph-ssl": {"--method", "graph-ssl", "--labeled-fraction", "0.2"},
		"kernel":    {"--method", "kernel-kmeans"},
		"default":   nil,
	} {
		v := mustCall(t, append([]string{"plan", file, "--json"}, args...)...).object(t)
		if v["documents"] != 60.0 || v["clusters"] != 3.0 || v["complete"] != true || v["fits"] != true || v["share_read"] != 1.0 {
			t.Errorf("%s: %v", name, v)
		}
		ran := mustCall(t, append([]string{"cluster", file, "--json", "--map", "--out", filepath.Join(out, name)}, args...)...).object(t)
		timed := ran["timings"].(map[string]any)
		if seconds, ok := timed["seconds"].(map[string]any); ok {
			timed = seconds
		}
		peak := 0.0
		for _, s := range v["stages"].([]any) {
			stage := s.(map[string]any)
			if _, ok := timed[stage["stage"].(string)]; !ok {
				t.Errorf("%s: the stage %v of the plan is none of the run's: %v", name, stage["stage"], timed)
			}
			if peak = max(peak, stage["peak_bytes"].(float64)); stage["bytes"].(float64) <= 0 && stage["stage"] != "weights" {
				t.Errorf("%s: the stage %v takes nothing", name, stage["stage"])
			}
		}
		if peak != v["peak_bytes"] {
			t.Errorf("%s: the peak is %v, of the stages %g", name, v["peak_bytes"], peak)
		}
	}
	// With so many neighbours the graph takes most.
	r := mustCall(t, "plan", texts(t, t.TempDir(), 200), "--method", "le", "--neighbors", "300", "--confidence", "raw")
	for _, says := range []string{"stage", "its arrays", "graph", "eigen", "it fits", "(rough)", "--landmarks", "note  -k 3"} {
		if !strings.Contains(r.stdout, says) {
			t.Errorf("the plan does not say %q:\n%s", says, r.stdout)
		}
	}
	if left := leftovers(t, dir); len(left) > 1 {
		t.Errorf("the plan wrote %v", left)
	}
	if r := mustCall(t, "plan", "--help"); !strings.Contains(r.stdout, "--method NAME --help lists every flag") {
		t.Errorf("help:\n%s", r.stdout)
	}
	if r := mustCall(t, "plan", "--method", "le", "--help"); !strings.Contains(r.stdout, "--landmarks") {
		t.Errorf("help of le:\n%s", r.stdout)
	}
}

// TestPlanOfRanks: --ranks plans one rank: what it takes and receives, and what all take.
func TestPlanOfRanks(t *testing.T) {
	file := write(t, t.TempDir(), "long.mtx", "%%MatrixMarket matrix coordinate real general\n3000000 50000 120000000\n1 1 1\n"+strings.Repeat("%"+strings.Repeat("x", 1022)+"\n", 33<<10))
	args := []string{"plan", file, "--method", "le", "-k", "30", "--solver", "slepc"}
	v := mustCall(t, append(args, "--json", "--ranks", "4")...).object(t)
	one := mustCall(t, append(args, "--json")...).object(t)
	if v["ranks"] != 4.0 || v["divided"] != true || one["ranks"] != 0.0 || one["divided"] != false || v["peak_bytes"].(float64) > 0.5*one["peak_bytes"].(float64) {
		t.Errorf("%v, without ranks %v", v, one)
	}
	if allowed := v["allowed_bytes"].(float64); allowed > 0.3*one["allowed_bytes"].(float64) {
		t.Errorf("a rank of four on a machine may take %v bytes, one process %v", allowed, one["allowed_bytes"])
	}
	for _, s := range v["stages"].([]any) {
		if stage := s.(map[string]any); stage["stage"] == "eigen" && stage["received_bytes"].(float64) < 1e9 {
			t.Errorf("%v", stage)
		}
	}
	args = append(args, "--ranks", "4", "--max-memory", "1GiB")
	runtime.GC() // what earlier tests left counts as taken
	if allowed := mustCall(t, append(args, "--json")...).object(t)["allowed_bytes"].(float64); allowed < 0.7*(1<<30) || allowed > 1.2*(1<<30) {
		t.Errorf("with --max-memory 1GiB a rank may take %v bytes", allowed)
	}
	r := mustCall(t, args...)
	for _, says := range []string{"received", "write", "of the largest rank, at most", "of all 4", "does not fit", "are allowed to each rank by the machine or --max-memory", "smaller by  --ranks, --neighbors", "Rank 0 has no memory for the"} {
		if !strings.Contains(r.stdout, says) {
			t.Errorf("the plan does not say %q:\n%s", says, r.stdout)
		}
	}
	small := mustCall(t, "plan", texts(t, t.TempDir(), 20), "--method", "le", "--ranks", "2")
	if !strings.Contains(small.stdout, "--ranks: every rank has all documents of fewer than 4000") || strings.Contains(small.stdout, "received") {
		t.Errorf("few documents:\n%s", small.stdout)
	}
}

// TestPlanDoesNotFit: with little memory the plan says so, and how it takes less.
func TestPlanDoesNotFit(t *testing.T) {
	file := write(t, t.TempDir(), "long.mtx", "%%MatrixMarket matrix coordinate real general\n3000000 50000 120000000\n1 1 1\n"+strings.Repeat("%"+strings.Repeat("x", 1022)+"\n", 33<<10))
	r := mustCall(t, "plan", file, "--method", "le", "-k", "30", "--max-memory", "4GiB")
	for _, says := range []string{"it does not fit", "by its header", "are allowed by the machine or --max-memory", "smaller by", "3,000,000 documents"} {
		if !strings.Contains(r.stdout, says) {
			t.Errorf("the plan does not say %q:\n%s", says, r.stdout)
		}
	}
}

// A plan finds labels that are in parts, as the run does: here these lack the list of their run.
func TestPlanLabelsInParts(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for i := range 2 {
		must.Do(t, os.WriteFile(filepath.Join(dir, shards.Name("clusters.csv", i+1, 2)), []byte("id,cluster\n"), 0o644))
	}
	r := call("plan", file, "--method", "semi-le", "--labels", filepath.Join(dir, "clusters.csv"))
	if r.status != exitRequest || !strings.Contains(r.stderr, "clusters-00001-of-00002.csv: this part lies without the run.json") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// A file of labels may have other classes than the corpus. A plan with -k needs neither.
func TestPlanOfOtherLabels(t *testing.T) {
	dir := t.TempDir()
	file, labels := texts(t, dir, 20), write(t, dir, "labels.csv", "id,label\n0,x\n1,x\n20,y\n21,y\n")
	mustCall(t, "plan", file, "--method", "semi-ldc", "--labels", labels, "-k", "2")
}

// The parts of the documents by which confidences are calibrated have no say in how many dimensions
// the documents give: a plan of more than half as many was refused, and a run of it was not
// calibrated.
func TestPlanOfManyDimensions(t *testing.T) {
	dir := t.TempDir()
	table := "id,a,b\n"
	for i := range 90 {
		table += fmt.Sprintf("r%d,%d.%d,%d\n", i, 9*(i%2), i%7, i*i%11)
	}
	file := write(t, dir, "table.csv", table)
	args := []string{file, "--method", "le", "--dims", "80", "-k", "2"}
	mustCall(t, append([]string{"plan"}, args...)...)
	if said := mustCall(t, append([]string{"cluster"}, args...)...).stdout; strings.Contains(said, "not calibrated") {
		t.Errorf("the run says %s", said)
	}
}

func TestPlanRequests(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for says, args := range map[string][]string{
		"plan needs FILE":                                                {},
		"there is no such":                                               {filepath.Join(dir, "none.jsonl"), "--method", "le"},
		"no method \"ell\"":                                              {file, "--method", "ell"},
		"has no use for --neighbors":                                     {file, "--method", "kmeans", "--neighbors", "3"},
		"-k 61 is more than its 60 documents":                            {file, "--method", "le", "-k", "61"},
		"--landmarks 61 is more than":                                    {file, "--method", "le", "--landmarks", "61"},
		"--landmarks has no effect beside":                               {file, "--method", "le", "--landmarks", "20", "--graph-kind", "complete"},
		"learns from labels":                                             {file, "--method", "semi-le"},
		"a plan is made from documents":                                  {file, "--method", "le", "--precomputed"},
		"--graph: a plan counts the graph":                               {file, "--method", "le", "--graph", file},
		"one number of clusters":                                         {file, "--method", "le", "-k", "auto"},
		"the number of edges of --epsilon 0.5":                           {file, "--method", "le", "--epsilon", "0.5"},
		"--max-memory \"1MB\"":                                           {file, "--method", "le", "--max-memory", "1MB"},
		"for \"--ranks\" flag: it must be at least":                      {file, "--method", "le", "--ranks", "0"},
		"--ranks 61 are more than its 60":                                {file, "--method", "le", "--ranks", "61"},
		"isomap is not divided among ranks":                              {file, "--method", "isomap", "--ranks", "2"},
		"--precision single is for one":                                  {file, "--method", "le", "--precision", "single", "--ranks", "2"},
		"unknown flag: --out (eigenmap cluster FILE --dry-run takes it)": {file, "--method", "le", "--out", dir},
		"one argument too many":                                          {file, file},
		"none.csv: there is no such file or folder; check the path":      {file, "--labels", filepath.Join(dir, "none.csv")},
		"none.txt: there is no such file or folder":                      {file, "--method", "cle", "-k", "3", "--constraints", filepath.Join(dir, "none.txt")},
	} {
		r := call(append([]string{"plan"}, args...)...)
		if r.status != exitRequest {
			t.Errorf("%s: status %d\n%s", says, r.status, r.stdout)
			continue
		}
		checkSentence(t, r, says)
	}
}

// TestPlanOfSampleRefusesAsTheRun: a plan of a sample of a file that is not read in blocks is
// refused, as the run is.
func TestPlanOfSampleRefusesAsTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(file, []byte("a,b\n"+strings.Repeat("1,2\n3,5\n7,1\n", 20)), 0o600))
	for _, command := range []string{"plan", "cluster"} {
		if r := call(command, file, "-k", "2", "--fit-on", "20"); r.status != exitRequest || !strings.Contains(r.stderr, "is not read in blocks") {
			t.Errorf("%s: status %d\n%s", command, r.status, r.stderr)
		}
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPlanOnTheCommandLine: a plan has the stages of the run that follows, takes its flags, and
// writes nothing.
func TestPlanOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
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
		"default":   nil,
	} {
		v := mustCall(t, append([]string{"plan", file, "--json"}, args...)...).object(t)
		if v["documents"] != 60.0 || v["clusters"] != 3.0 || v["complete"] != true || v["fits"] != true || v["share_read"] != 1.0 {
			t.Errorf("%s: %v", name, v)
		}
		ran := mustCall(t, append([]string{"cluster", file, "--json"}, args...)...).object(t)
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
			if peak = max(peak, stage["peak_bytes"].(float64)); stage["bytes"].(float64) <= 0 {
				t.Errorf("%s: the stage %v takes nothing", name, stage["stage"])
			}
		}
		if peak != v["peak_bytes"] {
			t.Errorf("%s: the peak is %v, of the stages %g", name, v["peak_bytes"], peak)
		}
	}
	r := mustCall(t, "plan", file, "--method", "le")
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

func TestPlanRequests(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for says, args := range map[string][]string{
		"plan needs FILE":                      {},
		"there is no such":                     {filepath.Join(dir, "none.jsonl"), "--method", "le"},
		"no method \"ell\"":                    {file, "--method", "ell"},
		"has no use for --neighbors":           {file, "--method", "kmeans", "--neighbors", "3"},
		"-k 61 is more than its 60 documents":  {file, "--method", "le", "-k", "61"},
		"--landmarks 61 is more than":          {file, "--method", "le", "--landmarks", "61"},
		"--landmarks has no effect beside":     {file, "--method", "le", "--landmarks", "20", "--graph-kind", "complete"},
		"learns from labels":                   {file, "--method", "semi-le"},
		"a plan is made from documents":        {file, "--method", "le", "--precomputed"},
		"--graph: a plan counts the graph":     {file, "--method", "le", "--graph", file},
		"one number of clusters":               {file, "--method", "le", "-k", "auto"},
		"the number of edges of --epsilon 0.5": {file, "--method", "le", "--epsilon", "0.5"},
		"--max-memory \"1MB\"":                 {file, "--method", "le", "--max-memory", "1MB"},
		"unknown flag: --out":                  {file, "--method", "le", "--out", dir},
		"one argument too many":                {file, file},
	} {
		r := call(append([]string{"plan"}, args...)...)
		if r.status != exitRequest {
			t.Errorf("%s: status %d\n%s", says, r.status, r.stdout)
			continue
		}
		checkSentence(t, r, says)
	}
}

//go:build unix

package lle

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
)

// peer prints the processor time of the fastest of three fits by scikit-learn, which solves by
// shift-invert, and the sum of the eigenvalues.
const peer = `
import json, sys, time
import numpy as np
from sklearn.manifold import LocallyLinearEmbedding
q = json.load(sys.stdin)
x = np.array(q["x"]).reshape(-1, 3)
spent = []
for _ in range(3):
    t = time.process_time()
    m = LocallyLinearEmbedding(n_neighbors=12, n_components=3, reg=q["reg"], eigen_solver="arpack", tol=1e-12, random_state=0).fit(x)
    spent.append(time.process_time() - t)
json.dump([min(spent), m.reconstruction_error_], sys.stdout)
`

// BenchmarkPeers embeds a swiss roll of 2,000 points by shift-invert, neighbour search included, on
// one thread. times-sklearn is the processor time of scikit-learn, which solves by shift-invert
// too, over ours, each the shortest; apart-e6 is the difference of the sums of the eigenvalues, in
// 1e-6 of them.
func BenchmarkPeers(b *testing.B) {
	x := roll(2000, 2)
	defer native.SetThreads(0)
	native.SetThreads(1)
	ours, sum := math.Inf(1), 0.0
	opt := Options{Dims: 3, Neighbors: 12, Eigen: eigen.Options{Solver: eigen.ShiftInvert}}
	for b.Loop() {
		start := scikit.CPUSeconds(b)
		m := must.Get(Fit(context.Background(), x, opt))(b)
		ours = min(ours, scikit.CPUSeconds(b)-start)
		sum = 0
		for _, v := range m.Values {
			sum += v
		}
	}
	b.ReportMetric(ours, "cpu-s")
	var answer [2]float64
	scikit.Ask(b, peer, map[string]any{"x": x.RawMatrix().Data, "reg": 1e-3}, &answer)
	b.ReportMetric(answer[0]/ours, "times-sklearn")
	b.ReportMetric(1e6*math.Abs(sum/answer[1]-1), "apart-e6")
}

//go:build unix

package plsa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// peer does iterations of both models, of the aspect model as compiled loops (numba), in one pass
// over the entries, of the clustering model as products of SciPy. It prints the processor times of
// the fastest iterations and the log-likelihoods after five of them.
const peer = `
import sys, time
import numpy as np, scipy.sparse as sp
n, p, k, entries, pseudo = *map(int, sys.argv[2:6]), float(sys.argv[6])
raw = np.fromfile(sys.argv[1])
ptr, raw = raw[:n + 1].astype(np.int64), raw[n + 1:]
ind, raw = raw[:entries].astype(np.int32), raw[entries:]
val, start = raw[:entries].copy(), raw[entries:].reshape(p, k)

def timed(step):
    spent = []
    for i in range(15):
        t = time.process_time()
        loglik = step()
        spent.append(time.process_time() - t)
        if i == 5:
            after = loglik
    return min(spent), after

def clustering():
    x = sp.csr_matrix((val, ind, ptr), (n, p))
    xt, s = x.T.tocsr(), {'theta': start.copy(), 'pi': np.full(k, 1 / k)}
    def step():
        logs = np.log(s['theta'])
        l = x @ logs + np.log(s['pi'])
        top = l.max(1, keepdims=True)
        q = np.exp(l - top)
        sums = q.sum(1, keepdims=True)
        q /= sums
        theta = xt @ q + pseudo
        s['theta'], s['pi'] = theta / theta.sum(0), q.mean(0)
        return (top + np.log(sums)).sum() + 0 * logs.sum()
    return timed(step)

def aspect():
    from numba import njit
    @njit(fastmath=True)
    def sweep(ptr, ind, val, q, theta, nextq, nexttheta, pseudo):
        n, k = q.shape
        nexttheta[:] = pseudo
        loglik, acc = 0.0, np.zeros(k)
        for i in range(n):
            acc[:] = 0
            for e in range(ptr[i], ptr[i + 1]):
                j, d = ind[e], 0.0
                for c in range(k):
                    d += q[i, c] * theta[j, c]
                r = val[e] / d
                loglik += val[e] * np.log(d)
                for c in range(k):
                    v = r * q[i, c] * theta[j, c]
                    acc[c] += v
                    nexttheta[j, c] += v
            nextq[i] = acc / acc.sum()
        sums = np.zeros(k)
        for j in range(nexttheta.shape[0]):
            sums += nexttheta[j]
        inverse = 1 / sums
        for j in range(nexttheta.shape[0]):
            nexttheta[j] *= inverse
        return loglik
    s = [np.full((n, k), 1 / k), start.copy(), np.empty((n, k)), np.empty((p, k))]
    sweep(ptr, ind, val, s[0].copy(), s[1].copy(), s[2], s[3], pseudo)
    def step():
        loglik = sweep(ptr, ind, val, *s, pseudo)
        s[0], s[1], s[2], s[3] = s[2], s[3], s[0], s[1]
        return loglik
    return timed(step)

for model in clustering, aspect:
    print(*model())
`

// BenchmarkPeers is an iteration of both models on TDT2 with K = 30, on one thread. times-peer is
// the processor time of the peer's iteration over ours, each the shortest: SciPy's products for the
// clustering model, loops compiled by numba for the aspect model. apart-e9 is the difference of the
// log-likelihoods after five iterations, in 1e-9 of them.
func BenchmarkPeers(b *testing.B) {
	x, _ := tdt2(b)
	c := must.Get(readCounts(ctx, x))(b)
	defer native.SetThreads(0)
	native.SetThreads(1)
	pr := newProblem(c, Options{K: 30, Restarts: 1}.withDefaults())
	start := newState(pr)
	must.Do(b, pr.start(ctx, start, rand.New(rand.NewPCG(0, 0))))
	theirs := peerIterations(b, pr, start.theta)
	for at, kind := range []Kind{Clustering, Aspect} {
		b.Run(string(kind), func(b *testing.B) {
			s, m := newState(pr), steps(newMixture(pr))
			if kind == Aspect {
				m = newAspects(pr)
			}
			ours := math.Inf(1)
			for b.Loop() {
				copy(s.theta.Data, start.theta.Data)
				copy(s.weights, start.weights)
				last := scikit.CPUSeconds(b)
				must.Do(b, em(ctx, m, s, false, 5, 1e-300, func(int) error {
					now := scikit.CPUSeconds(b)
					ours, last = min(ours, now-last), now
					return nil
				}))
			}
			b.ReportMetric(1e3*ours, "cpu-ms/iteration")
			if theirs == nil {
				return
			}
			seconds, loglik := theirs[2*at], theirs[2*at+1]
			b.ReportMetric(seconds/ours, "times-peer")
			b.ReportMetric(1e9*math.Abs(s.loglik[5]/loglik-1), "apart-e9")
		})
	}
}

// peerIterations runs the peers from Θ and returns what they print; nil if they are not installed.
func peerIterations(b *testing.B, pr *problem, theta block) []float64 {
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return nil
	}
	data := filepath.Join(b.TempDir(), "data")
	must.Do(b, os.WriteFile(data, packed(pr.x, theta, pr.k), 0o600))
	cmd := exec.Command(python, "-c", peer, data, fmt.Sprint(pr.n), fmt.Sprint(pr.p), fmt.Sprint(pr.k), fmt.Sprint(pr.x.NNZ()), fmt.Sprint(pr.pseudo))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		b.Logf("no comparison: the peers need SciPy and numba: %v", err)
		return nil
	}
	answer := make([]float64, 4)
	if _, err := fmt.Sscan(string(out), &answer[0], &answer[1], &answer[2], &answer[3]); err != nil {
		b.Fatal(err)
	}
	return answer
}

// packed is row pointers, columns and values of x and the first k columns of theta, as float64.
func packed(x *sparse.CSR, theta block, k int) []byte {
	var all []float64
	for _, v := range x.RowPtr {
		all = append(all, float64(v))
	}
	for _, v := range x.Col {
		all = append(all, float64(v))
	}
	all = append(all, x.Val...)
	for j := range theta.Rows {
		all = append(all, theta.Data[j*theta.Stride:][:k]...)
	}
	var raw bytes.Buffer
	_ = binary.Write(&raw, binary.LittleEndian, all) // a Buffer takes every value
	return raw.Bytes()
}

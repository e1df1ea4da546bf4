package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// imagesGroup measures the exact search of dense rows, the images of MNIST, beside faiss's
// IndexFlatL2, and the bound: half the product of all rows by NumPy's sgemm.
func (s *session) imagesGroup(ctx context.Context) (Group, error) {
	const file = "mnist-train-images-idx3-ubyte.gz"
	g := Group{Title: "nearest neighbours of dense rows, MNIST"}
	path := filepath.Join(s.DataDir, file)
	var x *mat.Dense
	if _, err := os.Stat(path); s.DataDir == "" || err != nil || s.Quick {
		x = normalRows(2000, 784, s.Seed)
		g.Title = "nearest neighbours of dense rows, normal numbers"
		if !s.Quick {
			g.Notes = append(g.Notes, fmt.Sprintf("there is no %s in the folder of --data", file))
		}
	} else {
		c, err := corpus.Read(ctx, path, corpus.ReadOptions{})
		if err != nil {
			return g, err
		}
		x = mat.DenseCopyOf(c.X)
	}
	n, d := x.Dims()
	g.Title += fmt.Sprintf(" %d×%d, k = %d", n, d, neighbors)
	var ours *graph.KNN
	all := []Contestant{exact(x, &ours)}
	if s.peer == nil {
		g.Notes = append(g.Notes, "no faiss and no sgemm: there are no peers")
	} else {
		rows, err := s.export("images", x)
		if err != nil {
			return g, err
		}
		all = append(all, s.asking("faiss IndexFlatL2", peerTask{Task: "flat", What: "faiss", Files: []string{rows}, K: neighbors}),
			s.asking("bound: half of x·xᵀ by NumPy's sgemm", peerTask{Task: "flat", What: "sgemm", Files: []string{rows}}))
	}
	measured, err := s.compare(ctx, g.Title, all)
	g.Rows = measured.Rows
	if len(g.Rows) == 3 && g.Rows[2].Median > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("the search takes %.2f times the bound", g.Rows[0].Median/g.Rows[2].Median))
	}
	return g, err
}

// asking is a contestant that has the interpreter solve a task.
func (s *session) asking(name string, t peerTask) Contestant {
	return Contestant{name, Peer, func(ctx context.Context) (Outcome, error) {
		a, err := s.peer.ask(ctx, t)
		return Outcome{Seconds: a.Seconds, CPU: a.CPU, Note: a.Note}, err
	}}
}

func normalRows(n, d int, seed uint64) *mat.Dense {
	return mat.NewDense(n, d, randomGeneral(n, d, seed).Data)
}

package text

import (
	"archive/tar"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/ulikunitz/xz"
)

// BenchmarkTarOnce reads 4,000 made-up texts of 8 MB from a .tar.xz. ratio is the time of reading
// the archive twice over the time of one pass, in turn.
func BenchmarkTarOnce(b *testing.B) {
	path := filepath.Join(b.TempDir(), "texts.tar.xz")
	f := must.Get(os.Create(path))(b)
	z := must.Get(xz.NewWriter(f))(b)
	w := tar.NewWriter(z)
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.2, 4, 50000)
	for i := range 4000 {
		var text strings.Builder
		for range 300 {
			fmt.Fprintf(&text, "w%x ", zipf.Uint64())
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("set/%d/%d.txt", i%7, i), Size: int64(text.Len()), Mode: 0o644}
		must.Do(b, w.WriteHeader(h))
		if _, err := w.Write([]byte(text.String())); err != nil {
			b.Fatal(err)
		}
	}
	must.Do(b, w.Close())
	must.Do(b, z.Close())
	must.Do(b, f.Close())
	read := func(once bool) time.Duration {
		start := time.Now()
		file, done, err := input.Open(context.Background(), path, input.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		defer done()
		file.Path = path
		in := &source{File: file}
		if once {
			if _, _, ok, err := in.readTarOnce(); err != nil || !ok {
				b.Fatal(ok, err)
			}
		} else {
			list := must.Get(in.tarList())(b)
			if _, err := in.readTarTexts(list); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	var one, two time.Duration
	for b.Loop() {
		one += read(true)
		two += read(false)
	}
	b.ReportMetric(two.Seconds()/one.Seconds(), "ratio")
}

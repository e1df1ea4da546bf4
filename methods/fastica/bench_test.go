package fastica

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
)

// One step of each algorithm on 3,000 rows, and how much of the symmetric one is products.
func BenchmarkStep(b *testing.B) {
	for _, k := range []int{50, 400} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			z := panel.New(3000, k)
			for i := range z.Data {
				z.Data[i] = rng.ExpFloat64() - 1
			}
			s := &search{z: z, opt: Options{}.withDefaults()}
			s.g = s.opt.contrast()
			w := panel.New(k, k)
			for i := range k {
				w.Data[i*k+i] = 1
			}
			var products, rest time.Duration
			for b.Loop() {
				began := time.Now()
				next := must.Get(s.step(ctx, w))(b)
				products += time.Since(began)
				began = time.Now()
				must.Do(b, decorrelate(ctx, next, w))
				rest += time.Since(began)
				w = next
			}
			b.ReportMetric(float64(products)/float64(products+rest), "products/all")
			b.ReportMetric(4*3000*float64(k)*float64(k)*float64(b.N)/math.Max(1, float64(products)), "GF/s")
		})
	}
}

//go:build amd64 && !purego

package geodesic

import "golang.org/x/sys/cpu"

var haveAVX = cpu.X86.HasAVX

//go:noescape
func relaxAVX(dist *float64, dirty *byte, from *float64, cols *int32, vals *float64, n int) bool

// relax is relaxGo. The caller guarantees nodes within the graph.
func relax(dist []float64, dirty []byte, u int, cols []int32, vals []float64) bool {
	if !haveAVX {
		return relaxGo(dist, dirty, u, cols, vals)
	}
	if len(cols) == 0 {
		return false
	}
	from := dist[u*width : (u+1)*width]
	_ = vals[len(cols)-1]
	return relaxAVX(&dist[0], &dirty[0], &from[0], &cols[0], &vals[0], len(cols))
}

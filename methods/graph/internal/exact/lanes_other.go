//go:build !amd64 || purego

package exact

// MulLanes sets out[r][·] to Σ val·terms[index][·] for rows lo to hi.
func MulLanes(a *LaneRows, lo, hi int, terms, out []float32) { mulLanesGo(a, lo, hi, terms, out) }

func passing(t *screenTile, row, lane int) (int, int, uint32) { return passingGo(t, row, lane) }

func addTransposed(tile, a []float32, stride int) { addTransposedGo(tile, a, stride) }

//go:build !linux

package pdf

func bound(int, uint64, uint64) {}

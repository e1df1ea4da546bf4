//go:build !linux

package memory

func addressSpace() int64 { return Unknown }

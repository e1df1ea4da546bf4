//go:build !cgo || !linux

package lzma

import "io"

// NewReader returns nil: this build has no liblzma.
func NewReader(io.Reader, uint64) io.ReadCloser { return nil }

// Package lzma unpacks .xz files by liblzma, where the native build finds it on the machine: some
// 2.5 times as fast as the Go library. It is opened when the first file is read, so that neither
// the build nor the start needs it; the pure-Go build has the same functions, which find nothing.
package lzma

import (
	"errors"
	"sync/atomic"
)

// What is wrong with a sound file that is not unpacked.
var (
	// ErrFilter is a filter or a kind of checksum that liblzma does not know.
	ErrFilter = errors.New("it has filters or checksums that liblzma does not know")
	// ErrDictionary is a dictionary that takes more memory than is allowed.
	ErrDictionary = errors.New("unpacking it would take more memory than is allowed")
	// ErrMemory is a machine or a process without the memory that it takes.
	ErrMemory = errors.New("there is no memory to unpack it")
)

// streams counts the readers that have memory in C.
var streams atomic.Int64

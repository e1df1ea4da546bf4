// Package lzma unpacks .xz files by liblzma, where the native build finds it on the machine: some
// 2.5 times as fast as the Go library. It is opened when the first file is read, so that neither
// the build nor the start needs it; the pure-Go build has the same functions, which find nothing.
package lzma

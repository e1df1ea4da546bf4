//go:build cgo

// Command capi is the C interface, built as a shared library or an archive by make lib. It is a
// main package because the buildmodes c-shared and c-archive need one; its main does nothing.
//
// eigenmap.h declares the functions, and shim.c has them. Each one calls its Go half in this
// package on the calling thread, with the thread's callbacks, its text of errors and the default
// floating-point environment. The Go halves convert arrays and options and call the root package.
//
// Input arrays become matrices where they are: int64 row pointers are Go's int, and package
// sparse has int32 columns too. No matrix outlives its call: a model is copied, so that it shares
// no memory with the caller.
package main

func main() {}

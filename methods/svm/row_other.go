//go:build !amd64 || purego

package svm

func dotRow(cols []int32, vals, w []float64) float64 { return dotRowGo(cols, vals, w) }

func addRow(cols []int32, vals, w []float64, s float64) { addRowGo(cols, vals, w, s) }

func fetchRow([]int32, []float64) {}

//go:build !race

package eigenmap

const underRace = false

//go:build race

package race

// On says whether the race detector runs.
const On = true

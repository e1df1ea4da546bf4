//go:build race

package eigenmap

// underRace says that the race detector runs, under which a fit takes ten times as long.
const underRace = true

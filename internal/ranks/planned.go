package ranks

// Planned is rank 0 of a team of so many ranks that is not there: for estimates of what a rank
// takes, which look at sizes alone. Its collective calls panic.
type Planned int

// Rank implements [Team].
func (Planned) Rank() int { return 0 }

// Size implements [Team].
func (p Planned) Size() int { return max(1, int(p)) }

const noOthers = "a planned team has no other ranks"

// Sum implements [Team].
func (Planned) Sum([]float64) { panic(noOthers) }

// Share implements [Team].
func (Planned) Share([]float64) { panic(noOthers) }

// Exchange implements [Team].
func (Planned) Exchange([][]byte) [][]byte { panic(noOthers) }

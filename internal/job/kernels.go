package job

import "github.com/eigenmap/eigenmap/native"

// NoteKernels says so where dense work runs slower than this processor allows.
func (j *Job) NoteKernels() {
	if slow := native.Info().Slow(); slow != "" {
		j.Note(slow + ".")
	}
}

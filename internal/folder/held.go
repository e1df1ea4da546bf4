package folder

import "io/fs"

// HeldError is the refusal of a folder that another process is writing to. errors.Is finds
// fs.ErrInvalid in it.
type HeldError struct{ Dir string }

func (e *HeldError) Error() string {
	return "another eigenmap is writing to " + e.Dir + ": wait for it, or choose another folder"
}

// Is says that the request is at fault.
func (e *HeldError) Is(target error) bool { return target == fs.ErrInvalid }

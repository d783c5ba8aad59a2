package scenario

// Found returns the error found by EarlyCheck, even in a short text.
func (a *EarlyCheck) Found() error { return a.err }

package scenario

// Found returns the error that EarlyCheck has found, or nil. Unlike Write, it also returns errors
// within the first parseOnlyBytes bytes.
func (a *EarlyCheck) Found() error { return a.err }

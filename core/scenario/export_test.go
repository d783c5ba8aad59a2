package scenario

// Found returns the error that EarlyCheck has found, even if the text is short.
func (a *EarlyCheck) Found() error { return a.err }

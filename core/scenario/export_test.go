package scenario

// Found returns the error that Ahead has found, even if the text is short.
func (a *Ahead) Found() error { return a.err }

package scenario

// Found returns what Ahead has found, however short the text.
func (a *Ahead) Found() error { return a.err }

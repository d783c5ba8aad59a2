// This module takes the place of the real github.com/vugu/vjson, see vjson.go.
module github.com/vugu/vjson

go 1.26.0

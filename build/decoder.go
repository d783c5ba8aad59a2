package main

import (
	"errors"
	"os"
	"strings"
)

// inPlace lets the decoder unpack a program into one buffer where the window is
// the whole program. As published it moves the window after each of a hundred
// blocks, which takes a third of the time.
var inPlace = strings.NewReplacer(
	"{var s=F(r,this.s);if(!s){",
	"{var p=this.s.w.length==this.s.u&&this.s.w,y=this.s.y,s=F(r,this.s,p);if(!s){",
	"if(this.ondata(s,!1),u(this.s.w,0,s.length),this.s.w.set(s,this.s.w.length-s.length),this.s.l){",
	"if(p&&(s=p.subarray(y,this.s.e=this.s.y)),this.ondata(s,!1),p||(u(this.s.w,0,s.length),this.s.w.set(s,this.s.w.length-s.length)),this.s.l){",
)

// inPlaceGrows is by how much inPlace lengthens the decoder it was written for.
const inPlaceGrows = 95

// decoder is the script that unpacks the program in the page.
func decoder(dir string) ([]byte, error) {
	name, err := installed(dir, "fzstd", "umd", "index.js")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := inPlace.Replace(string(data))
	if len(out)-len(data) != inPlaceGrows {
		return nil, errors.New("the decoder fzstd is another one than build/decoder.go knows: adapt inPlace")
	}
	return []byte(out), nil
}

// addDecoder adds the decoder with its licence.
func addDecoder(root string, a *assets) error {
	script, err := decoder(browserDir(root))
	if err != nil {
		return err
	}
	if err := a.add("js/fzstd.js", script); err != nil {
		return err
	}
	name, err := installed(browserDir(root), "fzstd", "LICENSE")
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return a.add("js/fzstd.LICENSE", licence)
}

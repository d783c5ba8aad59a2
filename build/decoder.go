package main

import (
	"errors"
	"os"
	"strings"
)

// inPlace lets the decoder unpack a program into one buffer where the window is
// the whole program. As published it moves the window after each of a hundred
// blocks, which takes a third of the time.
var inPlace = []string{
	"{var s=F(r,this.s);if(!s){",
	"{var p=this.s.w.length==this.s.u&&this.s.w,y=this.s.y,s=F(r,this.s,p);if(!s){",
	"if(this.ondata(s,!1),u(this.s.w,0,s.length),this.s.w.set(s,this.s.w.length-s.length),this.s.l){",
	"if(p&&(s=p.subarray(y,this.s.e=this.s.y)),this.ondata(s,!1),p||(u(this.s.w,0,s.length),this.s.w.set(s,this.s.w.length-s.length)),this.s.l){",
}

// The loop over the sequences of a block, and what follows it.
const (
	sequences = "for(++j;--j;){var _=N.s[X]"
	sequenced = "if(V!=M)for(;M<D.length;)"
	published = "_e.Decompress=I;"
)

// inBatches has the decoder take the sequences of a block 64 at a time, by a function
// of their own: what an engine has compiled for speed it takes at the next call, and
// what is small it compiles soon. As published the first of eight megabytes takes half
// of the time, as its blocks are done before the decoder is compiled.
func inBatches(script string) []string {
	_, rest, _ := strings.Cut(script, sequences)
	body, _, _ := strings.Cut(rest, sequenced)
	loop := sequences + body
	return []string{
		loop, "for(SV.set([Q,X,Y,$,M,0]);j>0;j-=64)SQ(r,n,D,N,J,K,j<64?j:64);M=SV[4],V=SV[5];",
		published, "var SV=new s(6);function SQ(r,n,D,N,J,K,j){var Q=SV[0],X=SV[1],Y=SV[2],$=SV[3],M=SV[4],V=SV[5],R,L;" +
			loop + "SV[0]=Q,SV[1]=X,SV[2]=Y,SV[3]=$,SV[4]=M,SV[5]=V}" + published,
	}
}

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
	out := string(data)
	edits := append(inBatches(out), inPlace...)
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(out, edits[i]) != 1 {
			return nil, errors.New("the decoder fzstd is another one than build/decoder.go knows: adapt inPlace and inBatches")
		}
		out = strings.Replace(out, edits[i], edits[i+1], 1)
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

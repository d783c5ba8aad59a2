package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const onePage = `<!DOCTYPE html>
<html>
<head>
  <meta charset="utf-8">
  <link rel="manifest" href="lab.webmanifest">
  <link rel="icon" type="image/svg+xml" href="icons/icon.svg">
  <link rel="stylesheet" href="css/lab.css">
  <script defer src="js/boot.js" data-wasm="lab.wasm" data-run="js/run.js" data-worker="js/worker.js"></script>
  <script defer src="js/run.js"></script>
  <script defer src="js/offline.js" data-service="sw.js" data-version="1"></script>
</head>
<body>
  <p>Words.</p>
</body>
</html>
`

func parts(name string) ([]byte, error) {
	all := map[string]string{
		"icons/icon.svg": "<svg/>", "css/lab.css": "p {}", "js/boot.js": "boot()", "js/run.js": "run()", "js/worker.js": "work()", "js/offline.js": "keep()", "lab.wasm.zst": "program",
	}
	if content, ok := all[name]; ok {
		return []byte(content), nil
	}
	return nil, errors.New(name + " is missing")
}

func TestOneFileHoldsAllPartsInTheOrderOfThePage(t *testing.T) {
	f := oneFile{part: parts}
	page, err := f.page(onePage)
	require.NoError(t, err)
	require.Equal(t, `<!DOCTYPE html>
<html class="alone">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src `+hashSource("work()")+" "+hashSource("boot()")+" "+hashSource("run()")+` 'wasm-unsafe-eval'; style-src `+hashSource("p {}")+`; worker-src blob:; img-src data: blob:">
  <link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,PHN2Zy8+">
  <style>p {}</style>
</head>
<body>
  <p>Words.</p>
<script type="text/plain" id="lab.wasm.zst">cHJvZ3JhbQ==</script>
<script type="text/plain" id="js/worker.js">work()</script>
<script id="js/boot.js" data-wasm="lab.wasm" data-run="js/run.js" data-worker="js/worker.js">boot()</script>
<script id="js/run.js">run()</script>
</body>
</html>
`, page)
}

func TestOneFileRefusesWhatItCannotHold(t *testing.T) {
	for content, want := range map[string]string{"x = '</SCRIPT>'": "</script", "a <!-- b": "<!--"} {
		f := oneFile{part: func(name string) ([]byte, error) {
			if name == "js/run.js" {
				return []byte(content), nil
			}
			return parts(name)
		}}
		_, err := f.page(onePage)
		require.ErrorContains(t, err, want)
	}
	f := oneFile{part: parts}
	_, err := f.page(strings.Replace(onePage, "js/run.js\"></", "js/gone.js\"></", 1))
	require.EqualError(t, err, "js/gone.js is missing")
}

// This module has functions that the program calls because they are shorter in JavaScript than in
// Go: animation frames, downloads and dropped files.

// nextFrame calls a function when the browser is about to draw. On a hidden page, which is not
// drawn, it calls the function after 100 ms.
export function nextFrame(f) {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    f();
  };
  const frame = requestAnimationFrame(once), timer = setTimeout(once, 100);
}

// download lets the person save bytes as a file.
export function download(name, type, bytes) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}

// onDrop passes the first file of each drop on the page to a function.
export function onDrop(take) {
  for (const name of ['dragover', 'drop']) {
    document.addEventListener(name, event => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (name === 'drop') take(event.dataTransfer.files[0]);
    });
  }
}

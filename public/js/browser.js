// Browser functions that are shorter in JavaScript than in Go: animation frames,
// downloads, dropped files.

export function nextFrame(f) {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    f();
  };
  // A hidden page gets no animation frames.
  const frame = requestAnimationFrame(once), timer = setTimeout(once, 100);
}

export function download(name, type, bytes) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}

export function onDrop(take) {
  for (const name of ['dragover', 'drop']) {
    document.addEventListener(name, event => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (name === 'drop') take(event.dataTransfer.files[0]);
    });
  }
}

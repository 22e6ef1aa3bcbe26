const KEPT_MS = 60_000

/** Has the browser save a text as a file; a long one may come in parts. */
export function saveFile(name: string, text: string | BlobPart[], type = 'text/plain'): void {
  const parts = typeof text === 'string' ? [text] : text
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  // Some browsers begin a download after the click has been handled, and only for a link that is on the page.
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

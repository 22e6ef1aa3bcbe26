const URL_LIFETIME_MS = 60_000

/** Makes the browser save text as a file. Long text can be passed in parts. */
export function saveFile(name: string, text: string | BlobPart[], type = 'text/plain'): void {
  const parts = typeof text === 'string' ? [text] : text
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  // Some browsers start the download after the click handler, and only for links in the document.
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS)
}

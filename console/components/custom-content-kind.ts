type ContentKind = 'address' | 'document' | 'markdown'

/** What an operator gave for a page: the address of another one, a whole HTML document, or Markdown with HTML in it. */
export function contentKind(content: string): ContentKind {
  const text = content.trim()
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return 'address'
  return /^(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)[\s>]/i.test(text) ? 'document' : 'markdown'
}

/** What a page in a frame may do. One of our own origin with both its scripts and its origin could act as the reader. */
export function frameSandbox(address: string, ownOrigin: string): string {
  const foreign = new URL(address).origin !== ownOrigin
  const allowed = ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox']
  return [...allowed, ...(foreign ? ['allow-same-origin'] : [])].join(' ')
}

type ContentKind = 'address' | 'document' | 'markdown'

/** Returns the kind of an operator's page content: the URL of another page, an HTML document, or Markdown with HTML. */
export function contentKind(content: string): ContentKind {
  const text = content.trim()
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return 'address'
  return /^(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)[\s>]/i.test(text) ? 'document' : 'markdown'
}

/**
 * Returns the value of the iframe's `sandbox` attribute. A page of our own origin does not get `allow-same-origin`.
 * Otherwise, the page's scripts could act as the user.
 */
export function frameSandbox(address: string, pageOrigin: string): string {
  const isOtherOrigin = new URL(address).origin !== pageOrigin
  const allowed = ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox']
  return [...allowed, ...(isOtherOrigin ? ['allow-same-origin'] : [])].join(' ')
}

type ContentKind = 'address' | 'document' | 'markdown'

/** Classifies an operator's page content: the URL of another page, an HTML document, or Markdown with HTML. */
export function contentKind(content: string): ContentKind {
  const text = content.trim()
  if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return 'address'
  return /^(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)[\s>]/i.test(text) ? 'document' : 'markdown'
}

/** Returns the sandbox flags of a framed page. A same-origin page with both scripts and its origin could act as the user. */
export function frameSandbox(address: string, pageOrigin: string): string {
  const isOtherOrigin = new URL(address).origin !== pageOrigin
  const allowed = ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox']
  return [...allowed, ...(isOtherOrigin ? ['allow-same-origin'] : [])].join(' ')
}

/**
 * Whether an image may be fetched. The browser sends the reader's cookie to our own server, where even a GET may act:
 * an image of ours must be a plain file. Pictures inside of the text are fetched from nowhere.
 */
export function isHarmlessImage(src: string, page = globalThis.location?.href): boolean {
  if (src.startsWith('data:')) return src.startsWith('data:image/')
  if (!URL.canParse(src, page)) return false
  const { origin, pathname, protocol } = new URL(src, page)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return (
    page === undefined || origin !== new URL(page).origin || /^\/[^/]+\.(png|jpe?g|gif|svg|webp|ico)$/i.test(pathname)
  )
}

/** Whether a browser would ask another site for an image. */
export function isElsewhere(src: string, page = globalThis.location?.href): boolean {
  if (src.startsWith('data:') || !URL.canParse(src, page)) return false
  return page === undefined || new URL(src, page).origin !== new URL(page).origin
}

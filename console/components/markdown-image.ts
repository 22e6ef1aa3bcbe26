/**
 * Returns whether the page may load an image. For URLs of our own server, the browser sends the session cookie, and
 * even GET requests can change data. Therefore images of our own server must be files in its root folder. Data URLs
 * cause no request.
 */
export function isSafeImage(src: string, page = globalThis.location?.href): boolean {
  if (src.startsWith('data:')) return src.startsWith('data:image/')
  if (!URL.canParse(src, page)) return false
  const { origin, pathname, protocol } = new URL(src, page)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return (
    page === undefined || origin !== new URL(page).origin || /^\/[^/]+\.(png|jpe?g|gif|svg|webp|ico)$/i.test(pathname)
  )
}

/** Returns whether loading an image would contact another site. */
export function isOtherOrigin(src: string, page = globalThis.location?.href): boolean {
  if (src.startsWith('data:') || !URL.canParse(src, page)) return false
  return page === undefined || new URL(src, page).origin !== new URL(page).origin
}

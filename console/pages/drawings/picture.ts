/** Where the gateway hands out pictures of drawings. */
const OWN_PICTURES = '/mj/image/'

/**
 * The address that a picture is shown from: by https, or by this gateway, whose own name may be another one than this page
 * is opened by. Undefined for any other: an address of ours may act by being fetched, and plain http is not private.
 */
export function pictureAddress(url: string, page: string, serverAddress: string): string | undefined {
  if (!URL.canParse(url, page)) return undefined
  const { origin, protocol, pathname, search, href } = new URL(url, page)
  const own = [page, serverAddress].some((address) => URL.canParse(address) && new URL(address).origin === origin)
  if (own) return pathname.startsWith(OWN_PICTURES) ? pathname + search : undefined
  return protocol === 'https:' ? href : undefined
}

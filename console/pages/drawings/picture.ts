/** Start of the paths of the gateway's drawing images. */
const GATEWAY_PICTURES = '/mj/image/'

/**
 * Returns the URL from which to show an image: an https URL, or an image path of this gateway. `serverAddress` is the
 * gateway's configured address, which may differ from the address of the page. Returns undefined for plain http, which
 * is not private. Also returns undefined for other paths of the gateway, because GET requests to them may change data.
 */
export function pictureAddress(url: string, page: string, serverAddress: string): string | undefined {
  if (!URL.canParse(url, page)) return undefined
  const { origin, protocol, pathname, search, href } = new URL(url, page)
  const isGateway = [page, serverAddress].some((address) => URL.canParse(address) && new URL(address).origin === origin)
  if (isGateway) return pathname.startsWith(GATEWAY_PICTURES) ? pathname + search : undefined
  return protocol === 'https:' ? href : undefined
}

/** Path of the gateway's drawing images. */
const GATEWAY_PICTURES = '/mj/image/'

/**
 * Returns the URL to show an image from: https, or an image path of this gateway, whose configured address may differ from
 * this page's. Undefined for others: other GET requests to us may act, and plain http is not private.
 */
export function pictureAddress(url: string, page: string, serverAddress: string): string | undefined {
  if (!URL.canParse(url, page)) return undefined
  const { origin, protocol, pathname, search, href } = new URL(url, page)
  const isGateway = [page, serverAddress].some((address) => URL.canParse(address) && new URL(address).origin === origin)
  if (isGateway) return pathname.startsWith(GATEWAY_PICTURES) ? pathname + search : undefined
  return protocol === 'https:' ? href : undefined
}

/**
 * Classifies a redirect: whether the same calls work at another address of the server. `address`: without the path of the call;
 * `displayUrl`: target of the redirect, without secrets.
 */
export function destination(
  server: string,
  requested: string,
  location: string,
): { how: 'https' | 'moved' | 'elsewhere'; address: string; displayUrl: string } {
  if (location === '' || !URL.canParse(location, requested))
    return { how: 'elsewhere', address: server, displayUrl: location }
  const [from, to] = [new URL(requested), new URL(location, requested)]
  if (!/^https?:$/.test(to.protocol)) return { how: 'elsewhere', address: server, displayUrl: to.protocol }
  const call = ended(from.pathname).slice(ended(new URL(server).pathname).length)
  const path = ended(to.pathname)
  const kept = path.endsWith(call)
  const address = to.origin + (kept ? path.slice(0, path.length - call.length) : path)
  const displayUrl = to.origin + path
  // Some servers redirect every call to their front page. A redirect to itself or from https to http is no usable address.
  const inTheOpen = from.protocol === 'https:' && to.protocol === 'http:'
  if ((!kept && path !== '') || address === server || inTheOpen) return { how: 'elsewhere', address, displayUrl }
  const secured = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  return { how: secured ? 'https' : 'moved', address, displayUrl }
}

const ended = (path: string): string => path.replace(/\/+$/, '')

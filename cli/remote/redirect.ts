/**
 * Classifies a redirect. `https`: the calls need the same address with https. `moved`: calls probably work at `address`, the
 * new base URL. `elsewhere`: there is no usable address. `displayUrl`: target of the redirect, without secrets.
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
  const call = withoutEndSlash(from.pathname).slice(withoutEndSlash(new URL(server).pathname).length)
  const path = withoutEndSlash(to.pathname)
  const keepsPath = path.endsWith(call)
  const address = to.origin + (keepsPath ? path.slice(0, path.length - call.length) : path)
  const displayUrl = to.origin + path
  // Some servers redirect every call to their front page. The target is not usable if it is the same address, or if it changes
  // from https to http.
  const losesTls = from.protocol === 'https:' && to.protocol === 'http:'
  if ((!keepsPath && path !== '') || address === server || losesTls) return { how: 'elsewhere', address, displayUrl }
  const addsTls = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  return { how: addsTls ? 'https' : 'moved', address, displayUrl }
}

const withoutEndSlash = (path: string): string => path.replace(/\/+$/, '')

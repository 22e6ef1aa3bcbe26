/** Headers that belong to the connection or to the body: whoever sends them writes them. */
const OUR_OWN = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'expect',
  'proxy-authorization',
  'proxy-connection',
])
/** Where clients put their key of this gateway, or their session: no upstream may read it. */
const OF_CLIENTS = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'mj-api-secret',
  'cookie',
  // Browsers put it there for realtime sessions.
  'sec-websocket-protocol',
])

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
/** https://www.rfc-editor.org/rfc/rfc9110#name-field-values: what is visible, blanks and tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const CLIENT_HEADER = /\{client_header:([^}]*)\}/gi

/** Whether a channel may not set a header of this name. */
export function isOwnHeader(name: string): boolean {
  return OUR_OWN.has(name.toLowerCase())
}

/** Whether this can be sent as a header. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value)
}

/** The first of the client's headers in a template that must not leave the gateway. */
export function secretIn(template: string): string | undefined {
  return [...template.matchAll(CLIENT_HEADER)].map(([, name = '']) => name.trim()).find(isSecret)
}

function isSecret(name: string): boolean {
  return OF_CLIENTS.has(name.toLowerCase())
}

/** A value with its places filled in: `{api_key}`, and `{client_header:<name>}` except for what is secret. */
export function fillHeader(
  template: string,
  { key, clientHeader }: { key: string; clientHeader: (name: string) => string },
): string {
  return template.replace(/\{api_key\}|\{client_header:([^}]*)\}/gi, (_, given?: string) => {
    if (given === undefined) return key
    const name = given.trim().toLowerCase()
    return isSecret(name) ? '' : clientHeader(name)
  })
}

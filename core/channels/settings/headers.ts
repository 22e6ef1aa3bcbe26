import { commaList } from '../../input.ts'

/** Headers about one connection or body. The gateway's HTTP client sets these headers itself. */
const CONNECTION_HEADERS = new Set(
  commaList(`
    host, content-length, connection, transfer-encoding, upgrade, te, trailer, keep-alive, expect, proxy-authorization,
    proxy-connection
  `),
)
/** Client headers that may contain an API key or session of this gateway. They must not reach an upstream. */
const SECRET_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'mj-api-secret',
  'cookie',
  // Browsers send the key in this header in realtime sessions.
  'sec-websocket-protocol',
])

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
/** https://www.rfc-editor.org/rfc/rfc9110#name-field-values: visible characters, spaces and tabs. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const CLIENT_HEADER = /\{client_header:([^}]*)\}/gi

/** Returns whether a channel's settings must not set a header of this name. */
export function isConnectionHeader(name: string): boolean {
  return CONNECTION_HEADERS.has(name.toLowerCase())
}

/** Returns whether name and value are a valid header. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value)
}

/** Returns the name of the first secret client header in a template, which must not be forwarded, or undefined. */
export function findSecretHeader(template: string): string | undefined {
  return [...template.matchAll(CLIENT_HEADER)].map(([, name = '']) => name.trim()).find(isSecret)
}

function isSecret(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase())
}

/** Fills in the placeholders `{api_key}` and `{client_header:<name>}`. A secret client header becomes empty. */
export function fillHeader(
  template: string,
  { key, clientHeader }: { key: string; clientHeader: (name: string) => string },
): string {
  return template.replace(/\{api_key\}|\{client_header:([^}]*)\}/gi, (_, headerName?: string) => {
    if (headerName === undefined) return key
    const name = headerName.trim().toLowerCase()
    return isSecret(name) ? '' : clientHeader(name)
  })
}

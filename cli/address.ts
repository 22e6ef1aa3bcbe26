const EVERY_ADDRESS = ['0.0.0.0', '::']

/** Whether the host stands for all network interfaces. */
export function isEveryAddress(host: string): boolean {
  return EVERY_ADDRESS.includes(host)
}

/** Returns the URL of a local gateway with this listening address. */
export function localUrlOf({ host, port }: { host: string; port: number }): string {
  const name = isEveryAddress(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Returns a curl command that sends a first chat request. */
export function curlExample({ url, key, model }: { url: string; key: string; model: string }): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
  return [
    `curl ${url}/v1/chat/completions \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n')
}

import { addressOf, everyAddress } from '../../address.ts'
import type { Cli } from '../../cli.ts'
import { aligned } from '../../output/display-width.ts'

/** Prints the address and how to sign in; the generated password appears only here. */
export function announce(
  cli: Cli,
  { host, port, username, password }: { host: string; port: number; username: string; password: string | undefined },
): void {
  const url = addressOf({ host, port })
  if (cli.json) {
    cli.writeJson({ url, username, ...(password && { password }) })
    return
  }
  cli.write(`
${cli.text('Tollgate is running.')}

${aligned([
  [cli.text('Console'), url],
  [cli.text('API'), `${url}/v1`],
  [cli.text('Listening on'), listening(cli, { host, port })],
  [cli.text('Sign in'), password ? cli.say`${username} with the password ${password} (shown only once)` : username],
])}

${cli.text('Stop it with Ctrl-C.')}
`)
}

function listening({ say }: Cli, { host, port }: { host: string; port: number }): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return everyAddress(host) ? say`${address}, all addresses of this machine (local only: --host 127.0.0.1)` : address
}

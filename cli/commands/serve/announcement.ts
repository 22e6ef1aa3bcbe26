import { addressOf } from '../../address.ts'
import type { Cli } from '../../cli.ts'

/** Says where the gateway is and how to sign in; the generated password only now. */
export function announce(
  cli: Cli,
  { host, port, password }: { host: string; port: number; password: string | undefined },
): void {
  const url = addressOf({ host, port })
  if (cli.json) {
    cli.writeJson({ url, username: 'root', ...(password && { password }) })
    return
  }
  cli.write(`
Tollgate is running.

  Console   ${url}
  API       ${url}/v1
  Sign in   root${password ? ` with the password ${password} (shown only now)` : ''}

Stop it with Ctrl-C.
`)
}

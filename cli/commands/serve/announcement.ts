import { isEveryAddress, localUrlOf } from '../../address.ts'
import type { Cli } from '../../cli.ts'
import { aligned } from '../../output/display-width.ts'

/** Prints the address and how to sign in; the generated password appears only here. */
export function announce(
  cli: Cli,
  { host, port, username, password }: { host: string; port: number; username: string; password: string | undefined },
): void {
  const url = localUrlOf({ host, port })
  if (cli.json) {
    cli.writeJson({ url, username, ...(password && { password }) })
    return
  }
  cli.write(`
${cli.t('run.tollgateIsRunning')}

${aligned([
  [cli.t('run.console'), url],
  [cli.t('run.api'), `${url}/v1`],
  [cli.t('run.listeningOn'), listening(cli, { host, port })],
  [cli.t('run.signIn'), password ? cli.t('run.withThePasswordShownOnlyOnce', { username, password }) : username],
])}

${cli.t('run.stopIt')}
`)
}

function listening({ t }: Cli, { host, port }: { host: string; port: number }): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return isEveryAddress(host) ? t('run.allAddressesOfThisMachine', { address }) : address
}

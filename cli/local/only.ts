import type { Config } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import { type CommandError, usageError } from '../errors.ts'

/** What to say where a server is meant, and only the database itself will do. */
export function databaseOnly({ say }: Pick<Cli, 'say'>, url: string): CommandError {
  return usageError(
    say`this works on the database itself, not through ${url}: run it on that machine, or give --profile local`,
  )
}

/** The settings of the database on this machine, which is not opened. Throws a usage error when a server is meant, CONFIG_INVALID. */
export async function localConfig(cli: Cli): Promise<Config> {
  const [backing, { toConfig }] = await Promise.all([cli.backing(), import('../settings.ts')])
  if (backing.kind === 'remote') throw databaseOnly(cli, backing.server.url)
  return toConfig(await cli.settings())
}

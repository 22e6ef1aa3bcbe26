import { resolve } from 'node:path'
import type { Config } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import { type CommandError, usageError } from '../errors.ts'

/** Returns the error for an operation that needs the database if the target is a server. */
export function localOnlyError({ t }: Pick<Cli, 't'>, url: string): CommandError {
  return usageError(t('list.thisCommandNeedsTheDatabaseItself', { url }))
}

/**
 * Reads the local database's settings without opening it, with an absolute data folder. Throws CONFIG_INVALID, and a usage error
 * if the target is a server.
 */
export async function localConfig(cli: Cli): Promise<Config> {
  const [target, { toConfig }] = await Promise.all([cli.target(), import('../settings.ts')])
  if (target.kind === 'remote') throw localOnlyError(cli, target.server.url)
  const config = toConfig(await cli.settings())
  return { ...config, dataFolder: resolve(cli.folder, config.dataFolder) }
}

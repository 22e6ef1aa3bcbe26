import { resolve } from 'node:path'
import type { Config } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import { type CommandError, usageError } from '../errors.ts'

/** Returns the error for a command that needs the local database while the target is a server. */
export function localOnlyError({ t }: Pick<Cli, 't'>, url: string): CommandError {
  return usageError(t('list.thisCommandNeedsTheDatabaseItself', { url }))
}

/**
 * Reads the settings without opening the local database. Makes the data folder an absolute path. Throws CONFIG_INVALID,
 * and a usage error if the target is a server.
 */
export async function localConfig(cli: Cli): Promise<Config> {
  const [target, { toConfig }] = await Promise.all([cli.target(), import('../settings.ts')])
  if (target.kind === 'remote') throw localOnlyError(cli, target.server.url)
  const config = toConfig(await cli.settings())
  return { ...config, dataFolder: resolve(cli.folder, config.dataFolder) }
}

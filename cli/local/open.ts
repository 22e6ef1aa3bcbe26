import { openToolkit } from '../../core/toolkit.ts'
import type { Cli } from '../cli.ts'
import { databaseMissing, isDatabaseThere, rootMissing } from '../database-state.ts'
import { toConfig } from '../settings.ts'
import type { OpenedTarget } from '../target.ts'
import { terminalOrigin } from './terminal.ts'
import { localToolkit } from './toolkit.ts'

/**
 * Opens the configured database. The actor is root, because the user has access to the database and its key. Never
 * creates a database: a wrong address or folder would result in an empty gateway. Throws DATABASE_MISSING,
 * ROOT_MISSING.
 */
export async function openLocal({ cli }: { cli: Cli }): Promise<OpenedTarget> {
  const config = toConfig(await cli.settings())
  if (!(await isDatabaseThere(config))) throw databaseMissing(cli, config)
  const local = await openToolkit(config)
  try {
    const root = await local.accounts.findRoot()
    if (!root) throw rootMissing(cli, config)
    return {
      toolkit: localToolkit(local, config, cli.language),
      actor: { id: root.id, role: root.role, origin: terminalOrigin() },
      local,
    }
  } catch (error) {
    await local.close()
    throw error
  }
}

import { openToolkit } from '../../core/toolkit.ts'
import type { Opened } from '../backing.ts'
import type { Cli } from '../cli.ts'
import { databaseMissing, isDatabaseThere } from '../database-state.ts'
import { toConfig } from '../settings.ts'
import { terminalOrigin } from './terminal.ts'
import { localToolkit } from './toolkit.ts'

/**
 * The database that the settings name; whoever may read its file, and its key, acts for root. It is never made here: a slip in an
 * address, or a pipeline in another folder, would get an empty gateway. Throws DATABASE_MISSING.
 */
export async function openLocal({ cli }: { cli: Cli }): Promise<Opened> {
  const config = toConfig(await cli.settings())
  if (!(await isDatabaseThere(config))) throw databaseMissing(cli, config)
  const local = await openToolkit(config)
  try {
    const root = await local.accounts.findRoot()
    if (!root) throw databaseMissing(cli, config)
    return {
      toolkit: localToolkit(local, config),
      actor: { id: root.id, role: root.role, origin: terminalOrigin() },
      local,
    }
  } catch (error) {
    await local.close()
    throw error
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, GATEWAY } from '../../../core/actor.ts'
import type { Config } from '../../../core/config.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import type { Cli } from '../../cli.ts'
import { databaseState } from '../../database-state.ts'
import { localConfig } from '../../local/require-local.ts'
import { terminalOrigin } from '../../local/terminal.ts'

/**
 * Opens the local database, and creates a missing database. With `isDry`, opens a temporary empty database instead of a missing
 * database. The actor is root, or the gateway itself if root does not exist. Throws a usage error if the target is a server.
 */
export async function withTarget<T>(
  cli: Cli,
  { isDry }: { isDry: boolean },
  work: (toolkit: LocalToolkit, actor: Actor, config: Config) => Promise<T>,
): Promise<T> {
  const config = await localConfig(cli)
  const folder =
    isDry && !(await databaseState(config)).exists ? await mkdtemp(join(tmpdir(), 'tollgate-dry-run-')) : undefined
  const toolkit = await openToolkit(
    folder === undefined
      ? config
      : { databaseUrl: `sqlite:${join(folder, 'empty.db')}`, secret: undefined, dataFolder: folder },
  )
  try {
    const root = await toolkit.accounts.findRoot()
    const origin = terminalOrigin()
    return await work(toolkit, root ? { id: root.id, role: root.role, origin } : { ...GATEWAY, origin }, config)
  } finally {
    await toolkit.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, GATEWAY } from '../../../core/actor.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import type { Cli } from '../../cli.ts'
import { databaseState } from '../../database-state.ts'
import { localConfig } from '../../local/only.ts'
import { terminalOrigin } from '../../local/terminal.ts'

/**
 * The database of this machine, made if there is none, and who acts in it: root, or before there is one the operator at the terminal.
 * `isDry`: nothing is made; where there is no database, the work sees an empty one that is gone afterwards. Throws a usage error
 * when a server is meant.
 */
export async function withTarget<T>(
  cli: Cli,
  { isDry }: { isDry: boolean },
  work: (toolkit: LocalToolkit, actor: Actor) => Promise<T>,
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
    return await work(toolkit, root ? { id: root.id, role: root.role, origin } : { ...GATEWAY, origin })
  } finally {
    await toolkit.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

import { readFile } from 'node:fs/promises'
import { secretFile } from '../../core/master-key.ts'
import { openTestGateway } from '../support/gateway.ts'
import { openTestToolkit, type TestOptions } from '../support/toolkit.ts'
import { type CommandWorld, commandsIn, createFolder, environmentIn } from './support.ts'

/** The two gateways that the same command is for. */
export const BACKINGS = ['database', 'server'] as const
export type BackingKind = (typeof BACKINGS)[number]

export interface BackedWorld extends CommandWorld {
  /** Of the server; undefined where the database is asked itself. */
  url: string | undefined
}

/** A gateway with its root user, asked through a database on this machine or through a running server, in this process. */
export async function openBacking(
  kind: BackingKind,
  options: Pick<TestOptions, 'database'> = {},
): Promise<BackedWorld> {
  const folder = await createFolder()
  if (kind === 'database') {
    const { toolkit, root, config } = await openTestToolkit(options)
    // Beside a SQLite database commands find its key.
    const TOLLGATE_SECRET = options.database === 'postgres' ? (await readFile(secretFile(config), 'utf8')).trim() : ''
    const env = { ...environmentIn(folder), DATABASE_URL: config.databaseUrl, TOLLGATE_SECRET }
    return { folder, env, url: undefined, ...commandsIn({ env, folder }), inside: (work) => work(toolkit, root) }
  }
  const { toolkit, root, url } = await openTestGateway(options)
  const token = await toolkit.accessTokens.create(root)
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token }
  return { folder, env, url, ...commandsIn({ env, folder }), inside: (work) => work(toolkit, root) }
}

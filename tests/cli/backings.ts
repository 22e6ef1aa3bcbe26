import { openTestGateway } from '../support/gateway.ts'
import { openTestToolkit } from '../support/toolkit.ts'
import { type CommandWorld, commandsIn, createFolder, environmentIn } from './support.ts'

/** The two gateways that the same command is for. */
export const BACKINGS = ['database', 'server'] as const
export type BackingKind = (typeof BACKINGS)[number]

export interface BackedWorld extends CommandWorld {
  /** Of the server; undefined where the database is asked itself. */
  url: string | undefined
}

/** A gateway with its root user, asked through a database on this machine or through a running server, in this process. */
export async function openBacking(kind: BackingKind): Promise<BackedWorld> {
  const folder = await createFolder()
  if (kind === 'database') {
    const { toolkit, root, config } = await openTestToolkit()
    const env = { ...environmentIn(folder), DATABASE_URL: config.databaseUrl }
    return { folder, env, url: undefined, ...commandsIn({ env, folder }), inside: (work) => work(toolkit, root) }
  }
  const { toolkit, root, url } = await openTestGateway()
  const token = await toolkit.accessTokens.create(root)
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token }
  return { folder, env, url, ...commandsIn({ env, folder }), inside: (work) => work(toolkit, root) }
}

import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { createFolder } from '../../../core/create-folder.ts'
import { type CopyProgress, copyDatabase } from '../../../core/db/copy/copy.ts'
import type { TableProof } from '../../../core/db/copy/verify.ts'
import { pendingMigrations, refuseForeign } from '../../../core/db/migrate.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { requireUsable } from '../../../core/db/usable.ts'
import { signWith } from '../../../core/ledger/chain.ts'
import { openSecrets } from '../../../core/master-key.ts'
import type { Cli } from '../../cli.ts'
import { databaseMissing, isDatabaseThere } from '../../database-state.ts'
import { CommandError, usageError } from '../../errors.ts'
import { localOnlyError } from '../../local/require-local.ts'
import type { Column } from '../../output/column.ts'

const COLUMNS: readonly Column<TableProof>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'rows', value: ({ rows }) => String(rows), align: 'right' },
  {
    title: 'sums',
    value: ({ sums }) =>
      Object.entries(sums)
        .map(([column, sum]) => `${column} ${sum}`)
        .join(', ') || '-',
  },
  { title: 'digest', value: ({ digest }) => digest },
]
const KEY_FILE = 'tollgate.secret'

/** Throws COPY_FAILED, DATABASE_*, SECRET_*, INTERRUPTED, and a usage error if the target is a server. */
export async function runCopy(
  cli: Cli,
  { from, to, whileRunning }: { from: string; to: string; whileRunning: boolean },
): Promise<void> {
  const target = await cli.target()
  if (target.kind === 'remote') throw localOnlyError(cli, target.server.url)
  const [here, there] = [await configOf(cli, from), await configOf(cli, to)]
  if (here.databaseUrl === there.databaseUrl) throw usageError(cli.say`both are the same database: pass two databases`)
  if (!(await isDatabaseThere(here))) throw databaseMissing(cli, here)
  const signal = cli.interruption()
  const source = await openDatabase(here.databaseUrl)
  try {
    await requireUsable(source)
    if ((await pendingMigrations(source.reader)).length > 0) {
      throw usageError(cli.say`${from} has an older version: run tollgate db migrate first`)
    }
    const secrets = await openSecrets(source, here)
    const target = await openDatabase(there.databaseUrl)
    try {
      await refuseForeign(target)
      const onProgress = progressOf(cli)
      const context = { sign: signWith(secrets) }
      const result = await copyDatabase(source, target, { context, whileRunning, onProgress, signal })
      const stoppedMs = Math.round(result.stoppedMs)
      if (cli.json) cli.writeJson({ ...result, stoppedMs })
      else await cli.print(result.tables, { columns: COLUMNS, empty: '' })
      cli.note(cli.say`Copied ${result.tables.length} tables, all equal. Writes were blocked for ${stoppedMs} ms.`)
    } finally {
      await target.close()
    }
    copyKey(cli, here, there)
    if (!whileRunning) cli.note(cli.say`Start the gateway with DATABASE_URL=${withoutPassword(to)}`)
  } catch (error) {
    if (signal.aborted)
      throw new CommandError(
        'INTERRUPTED',
        cli.say`interrupted: the new database is not complete. The same command begins again`,
      )
    throw error
  } finally {
    await source.close()
  }
}

async function configOf(cli: Cli, url: string): Promise<Config> {
  const [settings, { toConfig }] = await Promise.all([cli.settings({ DATABASE_URL: url }), import('../../settings.ts')])
  return toConfig(settings)
}

/** Copies the master key file, since the copy is unreadable without it. */
function copyKey(cli: Cli, here: Config, there: Config): void {
  const [from, to] = [here, there].map(({ dataFolder }) => resolve(cli.folder, dataFolder)) as [string, string]
  if (here.secret !== undefined || from === to || !existsSync(join(from, KEY_FILE))) return
  createFolder(to, 0o700)
  if (existsSync(join(to, KEY_FILE))) {
    cli.note(cli.say`${join(to, KEY_FILE)} already exists: it must contain the same key`)
    return
  }
  copyFileSync(join(from, KEY_FILE), join(to, KEY_FILE))
  cli.note(cli.say`Copied the master key to ${join(to, KEY_FILE)}`)
}

function progressOf(cli: Cli): (progress: CopyProgress) => void {
  let last = ''
  return ({ step }) => {
    if (step === last) return
    last = step
    if (step === 'rows') cli.note(cli.text('Copying rows …'))
    if (step === 'comparing') cli.note(cli.text('Comparing …'))
    if (step === 'waiting')
      cli.note(cli.text('Nearly everything is copied. Stop the gateway now: the rest takes a moment.'))
  }
}

const withoutPassword = (url: string): string => url.replace(/:[^:@/]*@/, ':***@')

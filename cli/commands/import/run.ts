import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Actor, GATEWAY } from '../../../core/actor.ts'
import type { Config } from '../../../core/config.ts'
import type { ImportReport, ImportRequest, Product } from '../../../core/import/imports.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { type LocalToolkit, openToolkit } from '../../../core/toolkit.ts'
import type { Cli } from '../../cli.ts'
import { databaseState } from '../../database-state.ts'
import { CommandError } from '../../errors.ts'
import { localConfig } from '../../local/require-local.ts'
import { terminalOrigin } from '../../local/terminal.ts'
import { rootAfterImport } from '../../root-user.ts'
import { printReport } from './report.ts'

interface ImportOptions {
  product: Product
  address: string
  logs: ImportRequest['logs']
  sinceLast?: true
  dryRun?: true
  yes?: true
}

/** Prints a dry run, asks, and imports. Throws IMPORT_*, INTERRUPTED, and a usage error if the target is a server. */
export async function runImport(cli: Cli, { address, ...options }: ImportOptions): Promise<void> {
  const source = await openSource(sourceAddress(cli.folder, address))
  await importSource(cli, { ...options, source })
}

type SourceRequest = Omit<ImportOptions, 'address'> & Pick<ImportRequest, 'source' | 'read'>

/** Imports from an opened source and closes it. */
export async function importSource(cli: Cli, { yes, dryRun, ...request }: SourceRequest): Promise<void> {
  const { source } = request
  try {
    if (dryRun || !yes) {
      const planned = await withTarget(cli, { isDry: true }, (toolkit, actor) =>
        toolkit.imports.run(actor, { ...request, dryRun: true }),
      )
      if (dryRun || !cli.json) await printReport(cli, planned)
      if (dryRun) return
    }
    await cli.confirm(cli.t('moving.importAllOfThis'), { yes })
    const done = await importAll(cli, request)
    await printReport(cli, done)
    cli.note(cli.t('moving.completedImport', { id: done.id }))
    cli.note(done.canUndo === false ? cli.t('moving.itImportedTheRootUser') : cli.t('moving.undoIt', { id: done.id }))
    await withTarget(cli, { isDry: false }, (toolkit, _, config) => rootAfterImport(cli, toolkit, config))
  } finally {
    await source.close()
  }
}

async function importAll(cli: Cli, request: ImportRequest): Promise<ImportReport> {
  const signal = cli.interruption()
  let current: { table: string; progress: ReturnType<Cli['progress']> } | undefined
  try {
    return await withTarget(cli, { isDry: false }, (toolkit, actor) =>
      toolkit.imports.run(actor, {
        ...request,
        signal,
        onProgress({ table, done, total }) {
          if (current?.table !== table) {
            current?.progress.end()
            current = { table, progress: cli.progress({ title: table, total }) }
          }
          current.progress.at(done)
        },
      }),
    )
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CommandError('INTERRUPTED', cli.t('moving.interruptedRunTheSameCommand'))
  } finally {
    current?.progress.end()
  }
}

/** Returns the address of a source. A path is relative to `folder`. */
export function sourceAddress(folder: string, address: string): string {
  return /^[a-z]+:\/\//i.test(address) || address.includes('@tcp(')
    ? address
    : resolve(folder, address.replace(/^sqlite:/, ''))
}

/**
 * Opens the local database, and creates a missing database. With `isDry`, opens a temporary empty database instead of a
 * missing database. The actor is root, or the gateway itself if root does not exist. Throws a usage error if the target
 * is a server.
 */
async function withTarget<T>(
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

import { resolve } from 'node:path'
import { ROLE, requireRole } from '../../../core/actor.ts'
import type { ArchiveManifest, ArchiveResult } from '../../../core/logs/archive/archive.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { rowAge } from '../../input/arguments.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

interface Options {
  before?: number
  to?: string
  remove?: true
  verify?: string
  yes?: true
}

type FileRow = Pick<ArchiveManifest, 'file' | 'rows' | 'bytes' | 'types'>
const COLUMNS: readonly Column<FileRow>[] = [
  { name: 'file', value: ({ file }) => file },
  { name: 'rows', value: ({ rows }) => String(rows), align: 'right' },
  { name: 'bytes', value: ({ bytes }) => String(bytes), align: 'right' },
  { name: 'quota', value: ({ types }) => String(types.reduce((sum, { quota }) => sum + quota, 0)), align: 'right' },
]

export const logArchive = plainVerb({
  name: 'archive',
  description: 'log.writeOldLogRowsToCompressed',
  examples: [
    'tollgate log archive --before 90d --to ./log-archive',
    'tollgate log archive --before 2026-01-01 --to ./log-archive --remove --yes',
    'tollgate log archive --verify ./log-archive/logs-2025-12-001.jsonl.gz',
  ],
  syntax: (command) =>
    command
      .note('log.eachFileIsGzipCompressedJson')
      .option('--before <when>', 'log.onlyRowsOlder', rowAge)
      .option('--to <folder>', 'log.folderForTheFilesDefault')
      .option('--remove', 'log.removeTheRowsFromTheLog')
      .option('--verify <file>', 'log.verifyAFileAgainstItsManifest')
      .option(...YES),
  async run(cli, { verify, ...options }: Options) {
    if (verify === undefined) return archive(cli, options)
    if (Object.keys(options).length > 0) throw usageError(cli.t('log.verifyCannotBeCombinedWithOther'))
    return check(cli, verify)
  },
})

async function archive(cli: Cli, { before, to, remove, yes }: Omit<Options, 'verify'>): Promise<void> {
  if (before === undefined) throw usageError(cli.t('log.passBeforeOrVerify'))
  const { toolkit, actor } = await cli.openLocal()
  requireRole(actor, ROLE.admin)
  const folder = to ?? (await defaultFolder(cli))
  // `end_timestamp` is inclusive, but rows with exactly the time `before` are not archived.
  const { total } = await toolkit.logs.list(actor, { end_timestamp: before - 1, page: 1, pageSize: 1 })
  const date = new Date(before * 1000).toISOString()
  if (remove) await cli.confirm(cli.t('log.archiveAndRemoveLogRowsOlder', { count: total, date }), { yes })
  const signal = cli.interruption()
  const progress = cli.progress({ title: cli.t('log.archiving'), total })
  try {
    const result = await toolkit.logArchive.archive(actor, {
      folder: resolve(cli.folder, folder),
      before,
      remove: remove === true,
      signal,
      onProgress: (rows) => progress.at(rows),
    })
    progress.end()
    await printResult(cli, result, folder)
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    throw new CommandError('INTERRUPTED', cli.t('log.interruptedTheFiles', { folder }))
  }
}

async function defaultFolder(cli: Cli): Promise<string> {
  const [{ toolkit }, { OPTIONS }] = await Promise.all([cli.openLocal(), import('../../../core/options/registry.ts')])
  const folder = toolkit.options.get(OPTIONS.LogArchiveBeforeRemoval)
  if (folder === '') throw usageError(cli.t('log.passAFolder'))
  return folder
}

async function printResult(cli: Cli, result: ArchiveResult, folder: string): Promise<void> {
  const { files, rows, earlier, removed } = result
  if (cli.json) return cli.writeJson({ folder, files, rows, earlier, removed })
  if (files.length > 0) await cli.print(files, { columns: COLUMNS, empty: '' })
  cli.note(cli.t('log.archivedLogRowsToFiles', { rows, count: files.length, folder, removed }))
  if (earlier.length > 0) cli.note(cli.t('log.skippedRowsOfEarlierFiles', { count: earlier.length }))
}

async function check(cli: Cli, path: string): Promise<void> {
  const { verifyArchive } = await import('../../../core/logs/archive/file.ts')
  const manifest = await verifyArchive(resolve(cli.folder, path))
  const { file, rows } = manifest
  cli.report(cli.t('log.isIntact', { file, count: rows }), manifest)
}

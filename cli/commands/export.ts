import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { Manifest, PeerExport } from '../../core/export/exports.ts'
import type { Cli } from '../cli.ts'
import { CommandError, usageError } from '../errors.ts'
import type { Column } from '../output/column.ts'

interface Options {
  to?: 'new-api'
  secrets: boolean
}

type TableRow = Pick<Manifest['files'][number], 'table' | 'rows' | 'sums'>
const COLUMNS: readonly Column<TableRow>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'rows', value: ({ rows }) => String(rows), align: 'right' },
  {
    title: 'sums',
    value: ({ sums }) =>
      Object.entries(sums)
        .map(([column, sum]) => `${column} ${sum}`)
        .join(', ') || '-',
  },
]

export function exportNoun(cli: Cli): Command {
  return new Command('export')
    .argument('<path>', 'new or empty folder; with --to, a new file')
    .addOption(new Option('--to <product>', 'write a database of this program instead').choices(['new-api']))
    .option('--no-secrets', 'omit keys and other secrets')
    .addHelpText(
      'after',
      `
Writes one JSON Lines file per table, and manifest.json with row counts, sums and SHA-256 checksums. Keys are in clear text: only
you can read the files; protect them like the database and its master key.

Examples:
  tollgate export ./backup
  tollgate export --to new-api one-api.db`,
    )
    .action(async (path: string, { to, secrets }: Options) => {
      if (to !== undefined && !secrets) throw usageError(cli.say`--no-secrets needs a folder: ${to} requires the keys`)
      const { toolkit, actor } = await cli.openLocal()
      const signal = cli.interruption()
      const place = resolve(cli.folder, path)
      try {
        if (to === undefined) {
          await printFolder(cli, await toolkit.exports.toFolder(actor, place, { withSecrets: secrets, signal }), path)
        } else await printPeer(cli, await toolkit.exports.toNewApi(actor, place, { signal }), path)
      } catch (error) {
        if (signal.aborted) throw new CommandError('INTERRUPTED', cli.say`interrupted: nothing was written`)
        throw error
      }
    })
}

async function printFolder(cli: Cli, manifest: Manifest, path: string): Promise<void> {
  if (cli.json) return cli.writeJson(manifest)
  await cli.print(manifest.files, { columns: COLUMNS, empty: '' })
  cli.note(cli.say`Wrote ${manifest.files.length} tables to ${path}.`)
  if (manifest.secrets) cli.note(cli.say`It contains keys in clear text: protect it like the database.`)
}

async function printPeer(cli: Cli, result: PeerExport, path: string): Promise<void> {
  if (cli.json) return cli.writeJson({ ...result, file: path })
  await cli.print(result.tables, { columns: COLUMNS, empty: '' })
  cli.note(cli.say`Wrote a database of new-api to ${path}. Start new-api with SQLITE_PATH=${path}`)
  if (result.passwordsToSet > 0) {
    cli.note(
      result.passwordsToSet === 1
        ? cli.text('1 user must set a new password: new-api cannot check argon2id hashes')
        : cli.say`${result.passwordsToSet} users must set a new password: new-api cannot check argon2id hashes`,
    )
  }
  for (const { table, rows, reason } of result.leftOut) cli.note(cli.say`Skipped: ${rows} rows of ${table}, ${reason}`)
}

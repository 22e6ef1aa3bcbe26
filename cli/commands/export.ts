import { resolve } from 'node:path'
import type { Manifest, PeerExport } from '../../core/export/exports.ts'
import type { Cli } from '../cli.ts'
import { COPIED_TABLE_COLUMNS } from '../columns/copied-table.ts'
import { Command } from '../command.ts'
import { CommandError, usageError } from '../errors.ts'

interface Options {
  to?: 'new-api'
  secrets: boolean
}

export function exportNoun(cli: Cli): Command {
  return new Command('export', cli)
    .argument('<path>', 'moving.newOrEmptyFolder')
    .choice('--to <product>', 'moving.writeADatabaseOfThisProgram', ['new-api'])
    .option('--no-secrets', 'moving.omitKeysAndOtherSecrets')
    .note('moving.writesOneJsonLinesFilePer')
    .example('tollgate export ./backup', 'tollgate export --to new-api one-api.db')
    .action(async (path: string, { to, secrets }: Options) => {
      if (to !== undefined && !secrets) throw usageError(cli.t('moving.noSecretsNeedsAFolder', { to }))
      const { toolkit, actor } = await cli.openLocal()
      const signal = cli.interruption()
      const targetPath = resolve(cli.folder, path)
      try {
        if (to === undefined) {
          await printFolder(
            cli,
            await toolkit.exports.toFolder(actor, targetPath, { withSecrets: secrets, signal }),
            path,
          )
        } else await printNewApi(cli, await toolkit.exports.toNewApi(actor, targetPath, { signal }), path)
      } catch (error) {
        if (signal.aborted) throw new CommandError('INTERRUPTED', cli.t('redemption.interruptedNothingWasWritten'))
        throw error
      }
    })
}

async function printFolder(cli: Cli, manifest: Manifest, path: string): Promise<void> {
  if (cli.json) return cli.writeJson(manifest)
  await cli.print(manifest.files, { columns: COPIED_TABLE_COLUMNS, empty: '' })
  cli.note(cli.t('moving.wroteTablesTo', { count: manifest.files.length, path }))
  if (manifest.secrets) cli.note(cli.t('moving.itContainsKeysInClearText'))
}

async function printNewApi(cli: Cli, result: PeerExport, path: string): Promise<void> {
  if (cli.json) return cli.writeJson({ ...result, file: path })
  await cli.print(result.tables, { columns: COPIED_TABLE_COLUMNS, empty: '' })
  cli.note(cli.t('moving.wroteADatabaseOfNewApi', { path }))
  if (result.passwordsToSet > 0) {
    cli.note(cli.t('moving.usersMustSetANewPassword', { count: result.passwordsToSet }))
  }
  for (const { table, rows, reason } of result.leftOut)
    cli.note(cli.t('moving.skippedRowsOf', { count: rows, table, reason }))
}

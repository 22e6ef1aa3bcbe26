import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function dbBackup(cli: Cli): Command {
  return new Command('backup')
    .description('Copy all of the database, as it is at one moment, to a new file; the gateway may go on running')
    .argument('<file>', 'file to write; only you will be able to read it')
    .option('--force', 'replace the file if it exists, once the copy is whole')
    .option('--with-key', 'copy the master key too, to <file>.secret')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate db backup tollgate-backup.db\n  tollgate db backup whole.db --with-key',
    )
    .action(async (file: string, { withKey, force }: { withKey?: true; force?: true }) => {
      const { backUp } = await import('./back-up.ts')
      await backUp(cli, file, { withKey: withKey === true, force: force === true })
    })
}

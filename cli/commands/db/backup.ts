import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function dbBackup(cli: Cli): Command {
  return new Command('backup')
    .description('Copy all of the database, as it is at one moment, to a new file; the gateway may go on running')
    .argument('<file>', 'file that does not exist yet; only you will be able to read it')
    .option('--with-key', 'copy the master key too, to <file>.secret')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate db backup tollgate-backup.db\n  tollgate db backup whole.db --with-key',
    )
    .action(async (file: string, { withKey }: { withKey?: true }) => {
      const { backUp } = await import('./back-up.ts')
      await backUp(cli, file, { withKey: withKey === true })
    })
}

import { plainVerb } from '../../run/verbs.ts'

export const dbBackup = plainVerb({
  name: 'backup',
  description: 'Copy all of the database, as it is at one moment, to a new file; the gateway may go on running',
  examples: ['tollgate db backup tollgate-backup.db', 'tollgate db backup whole.db --with-key'],
  syntax: (command) =>
    command
      .argument('<file>', 'file to write; only you will be able to read it')
      .option('--force', 'replace the file if it exists, once the copy is whole')
      .option('--with-key', 'copy the master key too, to <file>.secret'),
  async run(cli, file: string, { withKey, force }: { withKey?: true; force?: true }) {
    const { backUp } = await import('./back-up.ts')
    await backUp(cli, file, { withKey: withKey === true, force: force === true })
  },
})

import { plainVerb } from '../../run/verbs.ts'

interface Options {
  yes?: boolean
  key?: string
}

export const dbRestore = plainVerb({
  name: 'restore',
  description: 'Put a backup in the place of the database, which is moved aside; no gateway may be running',
  help: `The file is checked first: its integrity, its version and whether the master key fits. On PostgreSQL it is read by pg_restore.

Examples:
  tollgate db restore tollgate-backup.db
  tollgate db restore whole.db --key whole.db.secret --yes`,
  syntax: (command) =>
    command
      .argument('<file>', 'file that tollgate db backup has written')
      .option('--key <file>', 'file with the master key of the backup (default: <file>.secret, else the present key)')
      .option('-y, --yes', 'do not ask'),
  async run(cli, file: string, { yes, key }: Options) {
    const { restore } = await import('./restore/run.ts')
    await restore(cli, file, { yes: yes === true, keyFile: key })
  },
})

import { plainVerb } from '../../run/verbs.ts'

export const dbCopy = plainVerb({
  name: 'copy',
  description: 'Copy a database to another one, also between SQLite and PostgreSQL, while the gateway runs',
  help: `Rows are copied while the gateway serves, then what was written meanwhile. When little is left, the command asks you to stop the
gateway, takes the rest, and compares counts, sums and a digest of every table. Start the gateway on the new database then.

Example:
  tollgate db copy sqlite:./data/tollgate.db postgres://tollgate@127.0.0.1/tollgate`,
  syntax: (command) =>
    command
      .argument('<from>', 'sqlite:PATH or postgres://…')
      .argument('<to>', 'the same; a database that is new or empty')
      .option('--while-running', 'copy one moment of a gateway that goes on with the old database, as for a test'),
  async run(cli, from: string, to: string, { whileRunning }: { whileRunning?: true }) {
    const { runCopy } = await import('./copy-run.ts')
    await runCopy(cli, { from, to, whileRunning: whileRunning === true })
  },
})

import { plainVerb } from '../../run/verbs.ts'

export const dbMigrate = plainVerb({
  name: 'migrate',
  description: 'Apply the migrations that are pending, all or none; the next start of the gateway would do the same',
  example: 'tollgate db migrate',
  async run(cli) {
    const [{ localConfig }, { databaseState }, { openToolkit }, { MIGRATIONS }] = await Promise.all([
      import('../../local/require-local.ts'),
      import('../../database-state.ts'),
      import('../../../core/toolkit.ts'),
      import('../../../core/db/migrations/list.ts'),
    ])
    const config = await localConfig(cli)
    const state = await databaseState(config)
    const applied = state.exists ? state.pending : MIGRATIONS.map(({ name }) => name)
    if (applied.length === 0) return cli.report(cli.say`Nothing to do: all migrations are applied.`, { applied })
    // `openToolkit` checks the master key first, so that it does not migrate a foreign database.
    await (await openToolkit(config)).close()
    cli.report(cli.say`Applied ${applied.join(', ')}.`, { applied })
  },
})

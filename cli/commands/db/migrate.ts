import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function dbMigrate(cli: Cli): Command {
  return new Command('migrate')
    .description('Apply the migrations that are pending, all or none; the next start of the gateway would do the same')
    .addHelpText('after', '\nExample:\n  tollgate db migrate')
    .action(async () => {
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
    })
}

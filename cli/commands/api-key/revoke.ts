import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function apiKeyRevoke(cli: Cli): Command {
  return new Command('revoke')
    .description('Make a key for the management API void, at once and for good')
    .argument('<id>', 'number of the key', positiveInt)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate api-key revoke 1 --yes')
    .action(async (id: number, { yes }: { yes?: boolean }) => {
      const { toolkit, actor } = await cli.open()
      await cli.confirm(cli.say`Revoke API key ${id}?`, { yes })
      const revoked = await toolkit.managementKeys.revoke(actor, id)
      cli.report(cli.say`API key ${id}, ${revoked.name}, is revoked.`, revoked)
    })
}

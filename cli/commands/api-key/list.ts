import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

export function apiKeyList(cli: Cli): Command {
  return withListFlags(new Command('list'))
    .description('List your keys for the management API, newest first, revoked ones included')
    .option('--everybody', 'for root: the keys of all users')
    .addHelpText('after', '\nExample:\n  tollgate api-key list')
    .action(async ({ everybody = false, ...flags }: ListFlags & { everybody?: boolean }) => {
      const [{ toolkit, actor }, { API_KEY_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/api-key.ts'),
      ])
      await showList(cli, flags, (paging) => toolkit.managementKeys.list(actor, { ...paging, everybody }), {
        columns: API_KEY_COLUMNS,
        empty: cli.say`No keys. Make one: tollgate api-key create <name> --scope codes:create`,
      })
    })
}

import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function accountWhoami(cli: Cli): Command {
  return new Command('whoami')
    .description('Show whom you act for, and at which gateway')
    .addHelpText('after', '\nExamples:\n  tollgate account whoami')
    .action(async () => {
      const [backing, { toolkit, actor }, { WHO_AM_I_COLUMNS }] = await Promise.all([
        cli.backing(),
        cli.open(),
        import('../../columns/account.ts'),
      ])
      const { id, username, display_name, role, group, quota, used_quota } = await toolkit.profile.get(actor)
      const [server, profile] = backing.kind === 'remote' ? [backing.server.url, backing.profile ?? ''] : ['', '']
      const me = { server, profile, id, username, display_name, role, group, quota, used_quota }
      await cli.show(me, { columns: WHO_AM_I_COLUMNS })
    })
}

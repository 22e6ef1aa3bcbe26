import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function accountInvite(cli: Cli): Command {
  return new Command('invite')
    .description('Show your invite code, its link, and what it has earned')
    .addHelpText('after', '\nExamples:\n  tollgate account invite')
    .action(async () => {
      const [{ toolkit, actor }, { INVITATION_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/account.ts'),
      ])
      const code = await toolkit.profile.inviteCode(actor)
      const [{ aff_count, aff_quota, aff_history_quota }, address] = await Promise.all([
        toolkit.profile.get(actor),
        toolkit.publicAddress(),
      ])
      const link = `${address}/register?aff=${encodeURIComponent(code)}`
      const invitations = { code, link, count: aff_count, quota: aff_quota, history_quota: aff_history_quota }
      await cli.show(invitations, { columns: INVITATION_COLUMNS })
    })
}

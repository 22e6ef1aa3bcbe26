import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

export function accountBindings(cli: Cli): Command {
  return withViewFlags(new Command('bindings').description('Show what you can sign in with besides your password'))
    .addHelpText('after', '\nExamples:\n  tollgate account bindings')
    .action(async (flags: ViewFlags) => {
      const [{ toolkit, actor }, { BINDING_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/account.ts'),
      ])
      const user = await toolkit.profile.get(actor)
      const bindings = [
        { provider: 'mail address', account: user.email },
        { provider: 'GitHub', account: user.github_id },
        { provider: 'LinuxDO', account: user.linux_do_id },
        { provider: 'WeChat', account: user.wechat_id },
        { provider: 'Telegram', account: user.telegram_id },
        { provider: 'OpenID Connect', account: user.oidc_id },
      ]
      await showAll(cli, flags, bindings, { columns: BINDING_COLUMNS, empty: '' })
    })
}

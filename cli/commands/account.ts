import { listVerb, noun, showVerb } from '../run/verbs.ts'
import { accountAccessToken } from './account/access-token.ts'
import { accountDelete } from './account/delete.ts'
import { accountPassword } from './account/password.ts'
import { accountRegister } from './account/register.ts'
import { accountResetPassword } from './account/reset-password.ts'
import { accountUpdate } from './account/update.ts'
import { accountVerifyEmail } from './account/verify-email.ts'

export const account = noun('account', [
  showVerb({
    name: 'whoami',
    description: 'Show whom you act for, and at which gateway',
    examples: ['tollgate account whoami'],
    columns: async () => (await import('../columns/account.ts')).WHO_AM_I_COLUMNS,
    async record({ cli, toolkit, actor }) {
      const target = await cli.backing()
      const { id, username, display_name, role, group, quota, used_quota } = await toolkit.profile.get(actor)
      const [server, profile] = target.kind === 'remote' ? [target.server.url, target.profile ?? ''] : ['', '']
      return { server, profile, id, username, display_name, role, group, quota, used_quota }
    },
  }),
  accountUpdate,
  accountPassword,
  accountAccessToken,
  listVerb({
    name: 'bindings',
    description: 'Show what you can sign in with besides your password',
    examples: ['tollgate account bindings'],
    columns: async () => (await import('../columns/account.ts')).BINDING_COLUMNS,
    async rows({ toolkit, actor }) {
      const user = await toolkit.profile.get(actor)
      return [
        { provider: 'mail address', account: user.email },
        { provider: 'GitHub', account: user.github_id },
        { provider: 'LinuxDO', account: user.linux_do_id },
        { provider: 'WeChat', account: user.wechat_id },
        { provider: 'Telegram', account: user.telegram_id },
        { provider: 'OpenID Connect', account: user.oidc_id },
      ]
    },
    empty: () => '',
  }),
  showVerb({
    name: 'invite',
    description: 'Show your invite code, its link, and what it has earned',
    examples: ['tollgate account invite'],
    columns: async () => (await import('../columns/account.ts')).INVITATION_COLUMNS,
    async record({ toolkit, actor }) {
      const code = await toolkit.profile.inviteCode(actor)
      const [{ aff_count, aff_quota, aff_history_quota }, address] = await Promise.all([
        toolkit.profile.get(actor),
        toolkit.publicAddress(),
      ])
      const link = `${address}/register?aff=${encodeURIComponent(code)}`
      return { code, link, count: aff_count, quota: aff_quota, history_quota: aff_history_quota }
    },
  }),
  accountRegister,
  accountVerifyEmail,
  accountResetPassword,
  accountDelete,
])

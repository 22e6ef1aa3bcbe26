import { GatewayError } from '../../core/errors.ts'
import type { Language } from '../../core/messages/language.ts'
import { defined } from '../../core/records.ts'
import { openAnonymous } from '../anonymous.ts'
import type { Cli } from '../cli.ts'
import { BINDING_COLUMNS, INVITATION_COLUMNS, WHO_AM_I_COLUMNS } from '../columns/account.ts'
import { CommandError, usageError } from '../errors.ts'
import { newPassword, PASSWORD_STDIN, REVOKE_KEYS, revokesKeys } from '../input/passwords.ts'
import { listVerb, noun, plainVerb, showVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { accountAccessToken } from './account/access-token.ts'
import { accountResetPassword } from './account/reset-password.ts'

interface UpdateOptions {
  username?: string
  displayName?: string
  mailLanguage?: Language
}

interface RegisterOptions {
  passwordStdin?: true
  email?: string
  code?: string
  invite?: string
}

const accountDelete = verb({
  name: 'delete',
  description: 'account.deleteYourAccountPermanently',
  examples: ['tollgate account delete --yes'],
  syntax: (command) => command.option(...YES),
  async run({ cli, toolkit, actor }, { yes }: YesFlag) {
    const { id, username } = await toolkit.accounts.get(actor, actor.id)
    if (!yes) await confirmByName(cli, username)
    await toolkit.profile.delete(actor)
    cli.report(cli.t('user.deletedUser', { id, username }), { id, username })
  },
})

/** Asks for the username, because "y" is too easy to type by mistake. */
async function confirmByName(cli: Cli, username: string): Promise<void> {
  if (!cli.interactive) throw usageError(cli.t('general.noTerminalForConfirmation'))
  const prompts = await cli.prompts()
  const typed = await prompts.input({ message: cli.t('account.typeToDeleteYourAccountPermanently', { username }) })
  if (typed.trim() !== username) throw new CommandError('DECLINED', cli.t('general.nothingWasChanged'))
}

export const account = noun('account', [
  showVerb({
    name: 'whoami',
    description: 'account.showTheCurrentUserAndGateway',
    examples: ['tollgate account whoami'],
    columns: WHO_AM_I_COLUMNS,
    async record({ cli, toolkit, actor }) {
      const target = await cli.target()
      const { id, username, display_name, role, group, quota, used_quota } = await toolkit.profile.get(actor)
      const [server, profile] = target.kind === 'remote' ? [target.server.url, target.profile ?? ''] : ['', '']
      return { server, profile, id, username, display_name, role, group, quota, used_quota }
    },
  }),
  plainVerb({
    name: 'update',
    description: 'account.changeYourUsername',
    examples: ['tollgate account update --display-name Operator'],
    syntax: (command) =>
      command
        .option('--username <text>', 'user.newUsername')
        .option('--display-name <text>', 'user.displayName')
        .choice('--mail-language <code>', 'account.languageOfEmails', ['en', 'zh']),
    async run(cli, { username, displayName, mailLanguage }: UpdateOptions) {
      // The API ignores an empty name, so the command would change nothing.
      const hasEmptyName = [username, displayName].some((name) => name?.trim() === '')
      const hasNoFlags = username === undefined && displayName === undefined && mailLanguage === undefined
      if (hasEmptyName || hasNoFlags) throw usageError(cli.t('account.nothingToChange'))
      const { toolkit, actor } = await cli.open()
      const names = defined({ username, display_name: displayName })
      const read = () => toolkit.accounts.get(actor, actor.id)
      const before = await read()
      await toolkit.profile.update(actor, { ...names, ...(mailLanguage && { language: mailLanguage }) })
      const user = (await cli.readBack(read)) ?? { ...before, ...names }
      cli.report(cli.t('account.updatedYourAccount', { username: user.username, displayName: user.display_name }), user)
    },
  }),
  plainVerb({
    name: 'password',
    description: 'account.setYourPassword',
    examples: ["printf 'a new secret' | tollgate account password --password-stdin"],
    syntax: (command) => command.option(...PASSWORD_STDIN).option(...REVOKE_KEYS),
    async run(cli, { revokeKeys, ...flags }: { passwordStdin?: true; revokeKeys?: true }) {
      const target = await cli.target()
      // This check comes before the password prompt: servers reject a password change by access token.
      if (target.kind === 'remote') {
        cli.note(cli.t('account.toChange', { url: target.server.url }))
        throw new GatewayError('ACCESS_TOKEN_PASSWORD')
      }
      const { toolkit, actor } = await cli.open()
      const password = await newPassword(cli, flags)
      // The API ignores an empty password.
      if (password === '') throw usageError(cli.t('user.thePasswordIsEmpty'))
      const revokes = await revokesKeys(cli, { revokeKeys, isGiven: flags.passwordStdin === true })
      await toolkit.profile.update(actor, { password, ...(revokes && { revoke_keys: true }) })
      cli.report(cli.t('account.changedYourPassword'), { id: actor.id })
    },
  }),
  accountAccessToken,
  listVerb({
    name: 'bindings',
    description: 'account.listTheSignInMethodsLinked',
    examples: ['tollgate account bindings'],
    columns: BINDING_COLUMNS,
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
    description: 'account.showYourInviteCode',
    examples: ['tollgate account invite'],
    columns: INVITATION_COLUMNS,
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
  plainVerb({
    name: 'register',
    description: 'account.registerAnAccount',
    examples: ["printf 'a new secret' | tollgate account register eve --password-stdin"],
    syntax: (command) =>
      command
        .argument('<username>', 'user.username1To12Characters')
        .option(...PASSWORD_STDIN)
        .option('--email <address>', 'account.yourEmailAddress')
        .option('--code <text>', 'account.codeSentByAccountVerifyEmail')
        .option('--invite <code>', 'account.inviteCode'),
    async run(cli, username: string, { email, code, invite, ...flags }: RegisterOptions) {
      const { registration, url } = await openAnonymous(cli)
      const applicant = {
        username,
        password: await newPassword(cli, flags),
        ...defined({ email, verification_code: code, aff_code: invite }),
      }
      await registration.register(applicant, { language: cli.language })
      cli.report(cli.t('account.createdAccount', { username }), { username })
      if (url !== undefined && !cli.json) cli.note(cli.t('doctor.signIn', { url }))
    },
  }),
  plainVerb({
    name: 'verify-email',
    description: 'account.sendACodeToAnEmail',
    examples: [
      'tollgate account verify-email ann@example.com',
      'printf %s "$PASSWORD" | tollgate account verify-email ann@example.com --code 1a2b3c --password-stdin',
    ],
    syntax: (command) =>
      command
        .argument('<address>', 'user.mailAddress')
        .option('--code <text>', 'account.codeFromTheEmail')
        .option('--password-stdin', 'account.readYourCurrentPasswordFromStdin'),
    async run(cli, email: string, { code, passwordStdin }: { code?: string; passwordStdin?: true }) {
      if (code !== undefined) {
        const current_password = await currentPassword()
        const { toolkit, actor } = await cli.open()
        await toolkit.profile.bindEmail(actor, { email, code, current_password })
        return cli.report(cli.t('account.changedYourEmailAddressTo', { email }), { email, bound: true })
      }
      await (await openAnonymous(cli)).registration.sendCode(email, cli.language)
      cli.report(cli.t('account.sentACode', { email }), { email, bound: false })

      /**
       * Returns the current password; empty for the local database. Servers require the password, because password
       * reset links go to the email address. An access token alone must not change this address.
       */
      async function currentPassword(): Promise<string> {
        if ((await cli.target()).kind === 'local') return ''
        if (passwordStdin) return cli.readInput()
        return (await cli.prompts('--password-stdin')).password({
          message: cli.t('account.currentPassword'),
          mask: true,
        })
      }
    },
  }),
  accountResetPassword,
  accountDelete,
])

import { Option } from 'commander'
import { GatewayError } from '../../core/errors.ts'
import type { Language } from '../../core/messages/language.ts'
import { BINDING_COLUMNS, INVITATION_COLUMNS, WHO_AM_I_COLUMNS } from '../columns/account.ts'
import { usageError } from '../errors.ts'
import { newPassword, PASSWORD_STDIN, REVOKE_KEYS, revokesKeys } from '../input/passwords.ts'
import { listVerb, noun, plainVerb, showVerb } from '../run/verbs.ts'
import { accountAccessToken } from './account/access-token.ts'
import { accountDelete } from './account/delete.ts'
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

export const account = noun('account', [
  showVerb({
    name: 'whoami',
    description: 'Show the current user and gateway',
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
    description: 'Change your username, display name or mail language',
    examples: ['tollgate account update --display-name Operator'],
    syntax: (command) =>
      command
        .option('--username <text>', 'new username, 1 to 12 characters')
        .option('--display-name <text>', 'display name, up to 20 characters')
        .addOption(
          new Option('--mail-language <code>', 'language of emails to you; your next sign-in overwrites it').choices([
            'en',
            'zh',
          ]),
        ),
    async run(cli, { username, displayName, mailLanguage }: UpdateOptions) {
      // The API takes an empty one for none.
      const blank = [username, displayName].some((name) => name?.trim() === '')
      const isEmpty = username === undefined && displayName === undefined && mailLanguage === undefined
      if (blank || isEmpty)
        throw usageError(cli.say`nothing to change: pass --username, --display-name or --mail-language`)
      const { toolkit, actor } = await cli.open()
      const names = {
        ...(username !== undefined && { username }),
        ...(displayName !== undefined && { display_name: displayName }),
      }
      const read = () => toolkit.accounts.get(actor, actor.id)
      const before = await read()
      await toolkit.profile.update(actor, { ...names, ...(mailLanguage && { language: mailLanguage }) })
      const user = (await cli.readBack(read)) ?? { ...before, ...names }
      cli.report(cli.say`Updated your account: username ${user.username}, display name ${user.display_name}.`, user)
    },
  }),
  plainVerb({
    name: 'password',
    description: 'Set your password, and end your sessions and access token; local database only',
    examples: ["printf 'a new secret' | tollgate account password --password-stdin"],
    syntax: (command) => command.option(...PASSWORD_STDIN).option(...REVOKE_KEYS),
    async run(cli, { revokeKeys, ...flags }: { passwordStdin?: true; revokeKeys?: true }) {
      const target = await cli.target()
      // Checked before the password prompt: servers reject a password change by access token.
      if (target.kind === 'remote') {
        cli.note(
          cli.say`To change it, sign in at ${target.server.url}/setting, or request a link: tollgate account reset-password`,
        )
        throw new GatewayError('ACCESS_TOKEN_PASSWORD')
      }
      const { toolkit, actor } = await cli.open()
      const password = await newPassword(cli, flags)
      // The API ignores an empty password.
      if (password === '') throw usageError(cli.say`the password is empty: enter one`)
      const revokes = await revokesKeys(cli, { revokeKeys, isGiven: flags.passwordStdin === true })
      await toolkit.profile.update(actor, { password, ...(revokes && { revoke_keys: true }) })
      cli.report(cli.say`Changed your password.`, { id: actor.id })
    },
  }),
  accountAccessToken,
  listVerb({
    name: 'bindings',
    description: 'List the sign-in methods linked to your account',
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
    description: 'Show your invite code, link and earnings',
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
    description: 'Register an account, if the gateway allows it; needs no sign-in',
    examples: ["printf 'a new secret' | tollgate account register eve --password-stdin"],
    syntax: (command) =>
      command
        .argument('<username>', 'username, 1 to 12 characters')
        .option(...PASSWORD_STDIN)
        .option('--email <address>', 'your email address, if the gateway requires one')
        .option('--code <text>', 'code sent by account verify-email')
        .option('--invite <code>', 'invite code'),
    async run(cli, username: string, { email, code, invite, ...flags }: RegisterOptions) {
      const { openAnonymous } = await import('../anonymous.ts')
      const { registration, url } = await openAnonymous(cli)
      const applicant = {
        username,
        password: await newPassword(cli, flags),
        ...(email !== undefined && { email }),
        ...(code !== undefined && { verification_code: code }),
        ...(invite !== undefined && { aff_code: invite }),
      }
      await registration.register(applicant, { language: cli.language })
      cli.report(cli.say`Created account ${username}.`, { username })
      if (url !== undefined && !cli.json) cli.note(cli.say`Sign in: tollgate login ${url}`)
    },
  }),
  plainVerb({
    name: 'verify-email',
    description: 'Send a code to an email address; with --code, link the address to your account',
    examples: [
      'tollgate account verify-email ann@example.com',
      'printf %s "$PASSWORD" | tollgate account verify-email ann@example.com --code 1a2b3c --password-stdin',
    ],
    syntax: (command) =>
      command
        .argument('<address>', 'mail address')
        .option('--code <text>', 'code from the email; needs sign-in and, on a server, your password')
        .option('--password-stdin', 'read your current password from stdin (default: prompt)'),
    async run(cli, email: string, { code, passwordStdin }: { code?: string; passwordStdin?: true }) {
      if (code !== undefined) {
        const current_password = await currentPassword()
        const { toolkit, actor } = await cli.open()
        await toolkit.profile.bindEmail(actor, { email, code, current_password })
        return cli.report(cli.say`Changed your email address to ${email}.`, { email, bound: true })
      }
      const { openAnonymous } = await import('../anonymous.ts')
      await (await openAnonymous(cli)).registration.sendCode(email, cli.language)
      cli.report(cli.say`Sent a code to ${email}. It is valid for a few minutes.`, { email, bound: false })

      /** Servers require the password: reset links go to the address, so an access token alone must not change it. */
      async function currentPassword(): Promise<string> {
        if ((await cli.target()).kind === 'local') return ''
        if (passwordStdin) return cli.readInput()
        return (await cli.prompts()).password({ message: cli.text('Current password'), mask: true })
      }
    },
  }),
  accountResetPassword,
  accountDelete,
])

import { GatewayError } from '../../../core/errors.ts'
import { usageError } from '../../errors.ts'
import { newPassword, PASSWORD_STDIN, REVOKE_KEYS, revokesKeys } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

export const accountPassword = plainVerb({
  name: 'password',
  description:
    'Set your password; browsers are signed out, your access token is void. Only on the machine of the database',
  examples: ["printf 'a new secret' | tollgate account password --password-stdin"],
  syntax: (command) => command.option(...PASSWORD_STDIN).option(...REVOKE_KEYS),
  async run(cli, { revokeKeys, ...flags }: { passwordStdin?: true; revokeKeys?: true }) {
    const backing = await cli.backing()
    // Checked before the password prompt: servers reject a password change by access token.
    if (backing.kind === 'remote') {
      cli.note(
        cli.say`To change it, sign in at ${backing.server.url}/setting, or have a link mailed: tollgate account reset-password`,
      )
      throw new GatewayError('ACCESS_TOKEN_PASSWORD')
    }
    const { toolkit, actor } = await cli.open()
    const password = await newPassword(cli, flags)
    // The API ignores an empty password.
    if (password === '') throw usageError(cli.say`the password is empty`)
    const revokes = await revokesKeys(cli, { revokeKeys, isGiven: flags.passwordStdin === true })
    await toolkit.profile.update(actor, { password, ...(revokes && { revoke_keys: true }) })
    cli.report(cli.say`Your password is changed.`, { id: actor.id })
  },
})

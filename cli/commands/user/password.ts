import { usageError } from '../../errors.ts'
import { newPassword, PASSWORD_STDIN, type PasswordFlags, REVOKE_KEYS } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options extends PasswordFlags {
  generate?: true
  revokeKeys?: true
}

export const userPassword = plainVerb({
  name: 'password',
  description: 'Set the password of a user, who is signed out everywhere and needs a new access token',
  examples: ['tollgate user password ann --generate'],
  syntax: (command) =>
    command
      .argument('<name|id>', 'username, or number')
      .option(...PASSWORD_STDIN)
      .option('--generate', 'make one, and print it')
      .option(...REVOKE_KEYS),
  async run(cli, nameOrId: string, { generate, revokeKeys, ...flags }: Options) {
    if (generate && flags.passwordStdin) throw usageError(cli.say`give either --generate or --password-stdin, not both`)
    const [{ generatePassword }, { userOf }] = await Promise.all([
      import('../../root-user.ts'),
      import('../../users.ts'),
    ])
    const { toolkit, actor } = await cli.open()
    const { id, username } = await userOf(toolkit, actor, nameOrId)
    const password = generate ? generatePassword() : await newPassword(cli, flags)
    // The API ignores an empty password.
    if (password === '') throw usageError(cli.say`the password is empty`)
    await toolkit.accounts.update(actor, { id, password, ...(revokeKeys && { revoke_keys: true }) })
    if (!generate) return cli.report(cli.say`User ${id}, ${username}, has a new password.`, { id, username })
    if (cli.json) return cli.writeJson({ id, username, password })
    cli.note(cli.say`User ${id}, ${username}, has a new password, shown only now:`)
    cli.write(password)
  },
})

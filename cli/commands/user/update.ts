import { usageError } from '../../errors.ts'
import { quotaArgument } from '../../input/arguments.ts'
import { PASSWORD_STDIN } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  username?: string
  displayName?: string
  group?: string
  quota?: number
  debtLimit?: number
  passwordStdin?: true
}

export const userUpdate = plainVerb({
  name: 'update',
  description: 'Change a user; what is not given stays',
  examples: ['tollgate user update ann --group vip --display-name "Ann B."'],
  syntax: (command) =>
    command
      .argument('<name|id>', 'username, or number')
      .option('--username <text>', 'new name to sign in with, 1 to 12 characters')
      .option('--display-name <text>', 'name shown to others, up to 20 characters')
      .option('--group <name>', 'group they are charged by')
      .option('--quota <amount>', 'the new balance; see also user set-quota', quotaArgument)
      .option('--debt-limit <amount>', 'quota that the user may owe; 0 = none', quotaArgument)
      .option(...PASSWORD_STDIN),
  async run(cli, nameOrId: string, { username, displayName, group, quota, debtLimit, passwordStdin }: Options) {
    const changes = {
      ...(username !== undefined && { username }),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(group !== undefined && { group }),
      ...(quota !== undefined && { quota }),
      ...(debtLimit !== undefined && { debt_limit: debtLimit }),
      ...(passwordStdin && { password: await cli.readInput() }),
    }
    if (Object.keys(changes).length === 0) throw usageError(cli.say`give something to change, such as --group`)
    if (changes.password === '') throw usageError(cli.say`there is no password on stdin`)
    const [{ toolkit, actor }, { userOf }] = await Promise.all([cli.open(), import('../../users.ts')])
    const before = await userOf(toolkit, actor, nameOrId)
    const { id } = before
    await toolkit.accounts.update(actor, { id, ...changes })
    const user = (await cli.readBack(() => toolkit.accounts.get(actor, id))) ?? {
      ...before,
      ...changes,
      password: '',
    }
    cli.report(cli.say`Changed user ${id}, ${user.username}.`, user)
  },
})

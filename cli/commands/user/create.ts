import { quotaArgument } from '../../input/arguments.ts'
import { givenPassword, PASSWORD_STDIN, type PasswordFlags } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options extends PasswordFlags {
  displayName?: string
  role?: string
  quota?: number
  group?: string
}

export const userCreate = plainVerb({
  name: 'create',
  description: 'Create a user',
  examples: ['tollgate user create bob --quota 5000000', 'tollgate user create carol --role admin --group vip --json'],
  syntax: (command) =>
    command
      .argument('<username>', 'what they sign in with, 1 to 12 characters')
      .option('--password <text>', 'password, 8 to 20 characters (default: one is generated and printed)')
      .option(...PASSWORD_STDIN)
      .option('--display-name <text>', 'name shown to others, up to 20 characters (default: the username)')
      .option('--role <word>', 'common or admin (default: common)')
      .option('--quota <amount>', 'what they start with (default: the option QuotaForNewUser)', quotaArgument)
      .option('--group <name>', 'group they are charged by (default: default)'),
  async run(cli, username: string, options: Options) {
    const [{ numberOf }, { ROLE }, { generatePassword }] = await Promise.all([
      import('../../input/enum-labels.ts'),
      import('../../../core/actor.ts'),
      import('../../root-user.ts'),
    ])
    const { displayName, role, quota, group } = options
    const level = role === undefined ? undefined : numberOf({ common: ROLE.common, admin: ROLE.admin }, '--role', role)
    const given = await givenPassword(cli, options)
    const password = given ?? generatePassword()
    const { toolkit, actor } = await cli.open()
    const created = await toolkit.accounts.create(actor, {
      username,
      password,
      ...(displayName !== undefined && { display_name: displayName }),
      ...(level !== undefined && { role: level }),
      ...(quota !== undefined && { quota }),
      ...(group !== undefined && { group }),
    })
    if (given !== undefined) return cli.report(cli.say`Created user ${created.id}, ${created.username}.`, created)
    if (cli.json) return cli.writeJson({ ...created, password })
    cli.note(cli.say`Created user ${created.id}, ${created.username}. The password, shown only now:`)
    cli.write(password)
  },
})

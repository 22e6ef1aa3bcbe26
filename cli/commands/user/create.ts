import { Command } from 'commander'
import { quotaArgument } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

interface Options {
  password?: string
  passwordStdin?: true
  displayName?: string
  role?: string
  quota?: number
  group?: string
}

export function userCreate(cli: Cli): Command {
  return new Command('create')
    .description('Create a user')
    .argument('<username>', 'what they sign in with')
    .option('--password <text>', 'password, 8 to 20 characters (default: one is generated and printed)')
    .option('--password-stdin', 'read the password from stdin, which keeps it out of the process list')
    .option('--display-name <text>', 'name shown to others (default: the username)')
    .option('--role <word>', 'common or admin (default: common)')
    .option('--quota <n>', 'what they start with (default: the option QuotaForNewUser)', quotaArgument)
    .option('--group <name>', 'group they are charged by (default: default)')
    .addHelpText('after', '\nExample:\n  tollgate user create ann --quota 5000000')
    .action(async (username: string, options: Options) => {
      const given = await givenPassword(cli, options)
      const [{ toolkit, actor }, { generatePassword }, { numberOf }, { ROLE }] = await Promise.all([
        cli.open(),
        import('../../root-user.ts'),
        import('../../words.ts'),
        import('../../../core/actor.ts'),
      ])
      const { displayName, role, quota, group } = options
      const password = given ?? generatePassword()
      const created = await toolkit.accounts.create(actor, {
        username,
        password,
        ...(displayName !== undefined && { display_name: displayName }),
        ...(role !== undefined && { role: numberOf({ common: ROLE.common, admin: ROLE.admin }, '--role', role) }),
        ...(quota !== undefined && { quota }),
        ...(group !== undefined && { group }),
      })
      const generated = given === undefined
      if (cli.json) return cli.writeJson(generated ? { ...created, password } : created)
      cli.note(`Created user ${created.id}, ${created.username}.${generated ? ' The password, shown only now:' : ''}`)
      if (generated) cli.write(password)
    })
}

async function givenPassword(cli: Cli, { password, passwordStdin }: Options): Promise<string | undefined> {
  if (password !== undefined && passwordStdin) throw usageError('give either --password or --password-stdin, not both')
  return passwordStdin ? cli.readInput() : password
}

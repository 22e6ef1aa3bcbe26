import { commaList } from '../../../core/input.ts'
import { SCOPE_NOUNS, SCOPE_VERBS } from '../../../core/management-keys/scopes.ts'
import { appended, futureTime, quotaArgument } from '../../input/arguments.ts'
import { verb } from '../../run/verbs.ts'

interface Options {
  scope: string[]
  quota?: number
  expires?: number
}

export const apiKeyCreate = verb({
  name: 'create',
  description: 'Make a key for the management API; stdout gets only the key, which is shown only now',
  help: `A scope is noun:verb; * means all, but configuration only by its name. With a key, commands on a server work within its scopes: TOLLGATE_TOKEN=tgm_…
Nouns: ${SCOPE_NOUNS.join(', ')}
Verbs: ${SCOPE_VERBS.join(', ')}

Examples:
  tollgate api-key create nightly --scope codes:create --quota '$500' --expires 90d
  tollgate api-key create dashboard --scope channels:read,logs:read`,
  syntax: (command) =>
    command
      .argument('<name>', 'what you recognize it by, up to 64 characters')
      .requiredOption('--scope <list>', 'what it may do, separated by commas; may be repeated', appended)
      .option(
        '--quota <amount>',
        'quota that it may give away in all, in codes and balances (default: any)',
        quotaArgument,
      )
      .option('--expires <when>', 'never (default), a duration such as 30d, or a date such as 2026-12-31', futureTime),
  async run({ cli, toolkit, actor }, name: string, { scope, quota, expires }: Options) {
    const made = await toolkit.managementKeys.create(actor, {
      name,
      scopes: scope.flatMap(commaList),
      ...(quota !== undefined && { quota_max: quota }),
      ...(expires !== undefined && { expires_at: expires }),
    })
    if (cli.json) return cli.writeJson(made)
    cli.note(cli.say`API key ${made.id}, ${made.name}, is for the management API. It is shown only now:`)
    cli.write(made.key)
  },
})

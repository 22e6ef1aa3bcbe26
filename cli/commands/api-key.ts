import { commaList } from '../../core/input.ts'
import { SCOPE_NOUNS, SCOPE_VERBS } from '../../core/management-keys/scopes.ts'
import { API_KEY_COLUMNS } from '../columns/api-key.ts'
import { appended, futureTime, positiveInt, quotaArgument } from '../input/arguments.ts'
import { noun, pagedVerb, verb, YES, type YesFlag } from '../run/verbs.ts'

interface CreateOptions {
  scope: string[]
  quota?: number
  expires?: number
}

const list = pagedVerb({
  name: 'list',
  description: 'List your keys for the management API, newest first, revoked ones included',
  example: 'tollgate api-key list',
  columns: API_KEY_COLUMNS,
  pages:
    ({ toolkit, actor }, { everybody = false }: { everybody?: boolean }) =>
    (paging) =>
      toolkit.managementKeys.list(actor, { ...paging, everybody }),
  empty: ({ say }) => say`No keys. Make one: tollgate api-key create <name> --scope codes:create`,
})

export const apiKey = noun('api-key', [
  verb({
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
        .option(
          '--expires <when>',
          'never (default), a duration such as 30d, or a date such as 2026-12-31',
          futureTime,
        ),
    async run({ cli, toolkit, actor }, name: string, { scope, quota, expires }: CreateOptions) {
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
  }),
  (cli) => list(cli).option('--everybody', 'for root: the keys of all users'),
  verb({
    name: 'revoke',
    description: 'Make a key for the management API void, at once and for good',
    example: 'tollgate api-key revoke 1 --yes',
    syntax: (command) => command.argument('<id>', 'number of the key', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.say`Revoke API key ${id}?`, { yes })
      const revoked = await toolkit.managementKeys.revoke(actor, id)
      cli.report(cli.say`API key ${id}, ${revoked.name}, is revoked.`, revoked)
    },
  }),
])

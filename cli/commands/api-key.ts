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
  description: 'List your management keys, newest first, including revoked ones',
  example: 'tollgate api-key list',
  columns: API_KEY_COLUMNS,
  pages:
    ({ toolkit, actor }, { everybody = false }: { everybody?: boolean }) =>
    (paging) =>
      toolkit.managementKeys.list(actor, { ...paging, everybody }),
  empty: ({ say }) => say`No keys. Create one: tollgate api-key create <name> --scope codes:create`,
})

export const apiKey = noun('api-key', [
  verb({
    name: 'create',
    description: 'Create a management key; prints only the key, which is shown only once',
    help: `A scope is noun:verb; * means all except configuration, which must be named. With a key, commands on a server work within its
scopes: TOLLGATE_TOKEN=tgm_…
Nouns: ${SCOPE_NOUNS.join(', ')}
Verbs: ${SCOPE_VERBS.join(', ')}

Examples:
  tollgate api-key create nightly --scope codes:create --quota '$500' --expires 90d
  tollgate api-key create dashboard --scope channels:read,logs:read`,
    syntax: (command) =>
      command
        .argument('<name>', 'name, up to 64 characters')
        .requiredOption('--scope <list>', 'scopes, separated by commas; can be repeated', appended)
        .option(
          '--quota <amount>',
          'maximum quota to give away in codes and balances (default: unlimited)',
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
      cli.note(cli.say`Created management key ${made.id}, ${made.name}. It is shown only once:`)
      cli.write(made.key)
    },
  }),
  (cli) => list(cli).option('--everybody', 'keys of all users; root only'),
  verb({
    name: 'revoke',
    description: 'Revoke a management key permanently',
    example: 'tollgate api-key revoke 1 --yes',
    syntax: (command) => command.argument('<id>', 'key ID', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.say`Revoke management key ${id}?`, { yes })
      const revoked = await toolkit.managementKeys.revoke(actor, id)
      cli.report(cli.say`Revoked management key ${id}, ${revoked.name}.`, revoked)
    },
  }),
])

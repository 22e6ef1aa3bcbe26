import { positiveInt } from '../input/arguments.ts'
import { noun, pagedVerb, verb, YES, type YesFlag } from '../run/verbs.ts'
import { apiKeyCreate } from './api-key/create.ts'

const list = pagedVerb({
  name: 'list',
  description: 'List your keys for the management API, newest first, revoked ones included',
  example: 'tollgate api-key list',
  columns: async () => (await import('../columns/api-key.ts')).API_KEY_COLUMNS,
  pages:
    ({ toolkit, actor }, { everybody = false }: { everybody?: boolean }) =>
    (paging) =>
      toolkit.managementKeys.list(actor, { ...paging, everybody }),
  empty: ({ say }) => say`No keys. Make one: tollgate api-key create <name> --scope codes:create`,
})

export const apiKey = noun('api-key', [
  apiKeyCreate,
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

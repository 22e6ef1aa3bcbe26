import { commaList } from '../../core/input.ts'
import { SCOPE_NOUNS, SCOPE_VERBS } from '../../core/management-keys/scopes.ts'
import { defined } from '../../core/records.ts'
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
  description: 'server.listYourManagementKeys',
  examples: ['tollgate api-key list'],
  columns: API_KEY_COLUMNS,
  pages:
    ({ toolkit, actor }, { everybody = false }: { everybody?: boolean }) =>
    (paging) =>
      toolkit.managementKeys.list(actor, { ...paging, everybody }),
  empty: ({ t }) => t('server.noKeys'),
})

export const apiKey = noun('api-key', [
  verb({
    name: 'create',
    description: 'server.createAManagementKey',
    examples: [
      "tollgate api-key create nightly --scope codes:create --quota '$500' --expires 90d",
      'tollgate api-key create dashboard --scope channels:read,logs:read',
    ],
    syntax: (command) =>
      command
        .note('server.scopes', { nouns: SCOPE_NOUNS.join(', '), verbs: SCOPE_VERBS.join(', ') })
        .argument('<name>', 'server.nameUpTo64Characters')
        .requiredOption('--scope <list>', 'server.scopesSeparatedByCommas', appended)
        .option('--quota <amount>', 'server.maximumQuotaToGiveAway', quotaArgument)
        .option('--expires <when>', 'server.expiryNever', futureTime),
    async run({ cli, toolkit, actor }, name: string, { scope, quota, expires }: CreateOptions) {
      const createdKey = await toolkit.managementKeys.create(actor, {
        name,
        scopes: scope.flatMap(commaList),
        ...defined({ quota_max: quota, expires_at: expires }),
      })
      if (cli.json) return cli.writeJson(createdKey)
      cli.note(cli.t('server.createdManagementKeyTitle', { id: createdKey.id, name: createdKey.name }))
      cli.write(createdKey.key)
    },
  }),
  (cli) => list(cli).option('--everybody', 'server.keysOfAllUsers'),
  verb({
    name: 'revoke',
    description: 'server.revokeAManagementKeyPermanently',
    examples: ['tollgate api-key revoke 1 --yes'],
    syntax: (command) => command.argument('<id>', 'server.keyId', positiveInt).option(...YES),
    async run({ cli, toolkit, actor }, id: number, { yes }: YesFlag) {
      await cli.confirm(cli.t('server.revokeManagementKey', { id }), { yes })
      const revoked = await toolkit.managementKeys.revoke(actor, id)
      cli.report(cli.t('server.revokedManagementKey', { id, name: revoked.name }), revoked)
    },
  }),
])

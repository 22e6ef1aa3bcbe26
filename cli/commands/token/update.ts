import type { NewToken } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { displayedToken } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import {
  type TokenFields,
  type TokenLimits,
  tokenFields,
  tokenLimits,
  withTokenFields,
  withTokenLimits,
} from './fields.ts'

interface Options extends TokenFields, TokenLimits {
  name?: string
  allModels?: true
  allAddresses?: true
  ownerGroup?: true
}

export const tokenUpdate = plainVerb({
  name: 'update',
  description: 'Change an API key; what is not given stays as it is',
  examples: [
    'tollgate token update 1 --quota 1000000 --expires 1y',
    'tollgate token update 1 --all-models --all-addresses --owner-group',
  ],
  syntax: (command) =>
    withTokenLimits(
      withTokenFields(
        command
          .argument('<id>', 'number of the token', positiveInt)
          .option('--name <text>', 'what you will know it by, up to 30 characters'),
        { otherwise: { quota: 'as it is', rest: 'as it is' } },
      ),
    )
      .option('--all-models', 'let it use every model again')
      .option('--all-addresses', 'let it be used from everywhere again')
      .option('--owner-group', 'charge and route it by the group of its owner again'),
  async run(cli, id: number, options: Options) {
    const changes = { ...tokenFields(cli, options), ...cleared(cli, options) }
    const limits = tokenLimits(cli, options)
    if (Object.keys(changes).length + limits.length === 0) throw usageError(cli.say`give what to change: see --help`)
    const [{ toolkit, actor }, { limitTokens }] = await Promise.all([cli.open(), import('./limit-tokens.ts')])
    const token = await toolkit.tokens.update(actor, id, changes)
    await limitTokens(toolkit, actor, { ids: [id], limits })
    cli.report(cli.say`Token ${token.id}, ${token.name}, is changed.`, displayedToken(token))
  },
})

function cleared(cli: Cli, options: Options): Partial<NewToken> {
  const { name, models, allModels, allowIps, allowIpsFile, allAddresses, group, ownerGroup } = options
  if (allModels && models !== undefined) throw usageError(cli.say`give either --models or --all-models, not both`)
  if (allAddresses && (allowIps ?? allowIpsFile) !== undefined) {
    throw usageError(cli.say`give either a list of addresses or --all-addresses, not both`)
  }
  if (ownerGroup && group !== undefined) throw usageError(cli.say`give either --group or --owner-group, not both`)
  return {
    ...(name !== undefined && { name }),
    ...(allModels && { model_limits: '', model_limits_enabled: false }),
    ...(allAddresses && { allow_ips: '' }),
    ...(ownerGroup && { group: '' }),
  }
}

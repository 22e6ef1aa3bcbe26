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
import { warnOfUnserved } from './unserved.ts'

interface Options extends TokenFields, TokenLimits {
  name?: string
  allModels?: true
  allAddresses?: true
  ownerGroup?: true
}

export const tokenUpdate = plainVerb({
  name: 'update',
  description: 'Update a token; omitted options stay unchanged',
  examples: [
    'tollgate token update 1 --quota 1000000 --expires 1y',
    'tollgate token update 1 --all-models --all-addresses --owner-group',
  ],
  syntax: (command) =>
    withTokenLimits(
      withTokenFields(
        command.argument('<id>', 'token ID', positiveInt).option('--name <text>', 'name, up to 30 characters'),
        { otherwise: { quota: 'unchanged', rest: 'unchanged' } },
      ),
    )
      .option('--all-models', 'allow all models')
      .option('--all-addresses', 'allow all addresses')
      .option('--owner-group', 'charge and route by the group of the owner'),
  async run(cli, id: number, options: Options) {
    const changes = { ...tokenFields(cli, options), ...cleared(cli, options) }
    const limits = tokenLimits(cli, options)
    if (Object.keys(changes).length + limits.length === 0)
      throw usageError(cli.say`nothing to change: see --help for the options`)
    const [{ toolkit, actor }, { limitTokens }] = await Promise.all([cli.open(), import('./limit-tokens.ts')])
    const token = await toolkit.tokens.update(actor, id, changes)
    await limitTokens(toolkit, actor, { ids: [id], limits })
    cli.report(cli.say`Updated token ${token.id}, ${token.name}.`, displayedToken(token))
    await cli.readBack(() => warnOfUnserved(cli, changes.model_limits, () => toolkit.models.usable(actor)))
  },
})

function cleared(cli: Cli, options: Options): Partial<NewToken> {
  const { name, models, allModels, allowIps, allowIpsFile, allAddresses, group, ownerGroup } = options
  if (allModels && models !== undefined) throw usageError(cli.say`pass either --models or --all-models, not both`)
  if (allAddresses && (allowIps ?? allowIpsFile) !== undefined) {
    throw usageError(cli.say`pass either a list of addresses or --all-addresses, not both`)
  }
  if (ownerGroup && group !== undefined) throw usageError(cli.say`pass either --group or --owner-group, not both`)
  return {
    ...(name !== undefined && { name }),
    ...(allModels && { model_limits: '', model_limits_enabled: false }),
    ...(allAddresses && { allow_ips: '' }),
    ...(ownerGroup && { group: '' }),
  }
}

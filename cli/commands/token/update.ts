import type { Actor } from '../../../core/actor.ts'
import type { Limit } from '../../../core/limits/limit.ts'
import type { NewToken, Token } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { displayedToken } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import {
  isTimezoneAlone,
  MONEY_PERIODS,
  type TokenFields,
  type TokenLimit,
  type TokenLimits,
  timezoneAloneError,
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
  description: 'token.updateAToken',
  examples: [
    'tollgate token update 1 --quota 1000000 --expires 1y',
    'tollgate token update 1 --rpm 120 --daily-usd 10',
    'tollgate token update 1 --all-models --all-addresses --owner-group',
  ],
  syntax: (command) =>
    withTokenLimits(
      withTokenFields(
        command.argument('<id>', 'token.tokenId', positiveInt).option('--name <text>', 'token.nameUpTo30Characters'),
        { quota: 'token.budgetUnchanged', expires: 'token.expiryUnchanged' },
      ),
      { timezone: 'limit.timezoneUnchanged' },
    )
      .option('--all-models', 'token.allowAllModels')
      .option('--all-addresses', 'token.allowAllAddresses')
      .option('--owner-group', 'token.chargeAndRouteByTheGroup'),
  async run(cli, id: number, options: Options) {
    const changes = { ...tokenFields(cli, options), ...clearedFields(cli, options) }
    const newLimits = tokenLimits(options)
    const rezones = isTimezoneAlone(options)
    if (Object.keys(changes).length + newLimits.length === 0 && !rezones)
      throw usageError(cli.t('token.nothingToChange'))
    const [{ toolkit, actor }, { checkChanges }, limitation] = await Promise.all([
      cli.open(),
      import('../../../core/tokens/checks.ts'),
      import('./limit-tokens.ts'),
    ])
    let token = await toolkit.tokens.get(actor, id)
    if (newLimits.length > 0 || rezones) {
      const existing = await limitation.limitsOfToken(toolkit, actor, id)
      const rezoned = rezones ? moneyLimits(existing, options.timezone) : []
      if (rezones && rezoned.length === 0) throw timezoneAloneError(cli)
      const limits = limitation.withExisting([...newLimits, ...rezoned], existing)
      // Checks everything before the first change, so that a rejected option changes nothing.
      limitation.checkTokenLimits(limits, existing)
      checkChanges(token, changes, Math.floor(Date.now() / 1000))
      await withGroup({ toolkit, actor, token, group: changes.group }, () =>
        // Sets the limits first, so that a larger budget is never without its limits.
        limitation.limitTokens(toolkit, actor, { ids: [id], limits }),
      )
    }
    if (Object.keys(changes).length > 0) token = await toolkit.tokens.update(actor, id, changes)
    cli.report(cli.t('token.updatedToken', { id: token.id, name: token.name }), displayedToken(token))
    await cli.readBack(() => warnOfUnserved(cli, changes.model_limits, () => toolkit.models.usable(actor)))
  },
})

/**
 * Moves the token to a new group, which only the gateway can check, and then runs `work`. If `work` fails, moves the token back
 * to its old group.
 */
async function withGroup(
  {
    toolkit,
    actor,
    token,
    group,
  }: { toolkit: Pick<CommandToolkit, 'tokens'>; actor: Actor; token: Token; group: string | undefined },
  work: () => Promise<void>,
): Promise<void> {
  if (group === undefined) return work()
  await toolkit.tokens.update(actor, token.id, { group })
  try {
    await work()
  } catch (error) {
    await toolkit.tokens.update(actor, token.id, { group: token.group })
    throw error
  }
}

function clearedFields(cli: Cli, options: Options): Partial<NewToken> {
  const { name, models, allModels, allowIps, allowIpsFile, allAddresses, group, ownerGroup } = options
  if (allModels && models !== undefined) throw usageError(cli.t('token.passEitherModelsOrAllModels'))
  if (allAddresses && (allowIps ?? allowIpsFile) !== undefined) {
    throw usageError(cli.t('token.passEitherAListOfAddresses'))
  }
  if (ownerGroup && group !== undefined) throw usageError(cli.t('token.passEitherGroupOrOwnerGroup'))
  return {
    ...(name !== undefined && { name }),
    ...(allModels && { model_limits: '', model_limits_enabled: false }),
    ...(allAddresses && { allow_ips: '' }),
    ...(ownerGroup && { group: '' }),
  }
}

/** Returns the existing money limits that have a flag, with another time zone. */
function moneyLimits(existing: readonly Limit[], time_zone = ''): TokenLimit[] {
  return existing
    .filter(({ measure, period }) => measure === 'quota' && MONEY_PERIODS.some((each) => each === period))
    .map(({ measure, period, amount }) => ({ measure, period, amount, time_zone }))
}

import type { Limit } from '../../../core/limits/limit.ts'
import type { NewToken } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { displayedToken } from '../../columns/token.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { isOutcomeUnknown } from '../../run/retry.ts'
import { plainVerb } from '../../run/verbs.ts'
import {
  isTimezoneAlone,
  MONEY_PERIODS,
  type TokenFieldFlags,
  type TokenLimit,
  type TokenLimitFlags,
  timezoneAloneError,
  tokenFields,
  tokenLimits,
  withTokenFields,
  withTokenLimits,
} from './fields.ts'
import { warnOfUnserved } from './unserved.ts'

interface Options extends TokenFieldFlags, TokenLimitFlags {
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
    const changesTimezone = isTimezoneAlone(options)
    if (Object.keys(changes).length + newLimits.length === 0 && !changesTimezone)
      throw usageError(cli.t('token.nothingToChange'))
    const [{ toolkit, actor }, { checkChanges }, limitation] = await Promise.all([
      cli.open(),
      import('../../../core/tokens/checks.ts'),
      import('./limit-tokens.ts'),
    ])
    let token = await toolkit.tokens.get(actor, id)
    const apply = async () => {
      if (Object.keys(changes).length > 0) token = await toolkit.tokens.update(actor, id, changes)
    }
    if (newLimits.length > 0 || changesTimezone) {
      const existing = await limitation.limitsOfToken(toolkit, actor, id)
      const moneyLimitsInTimezone = changesTimezone ? moneyLimits(existing, options.timezone) : []
      if (changesTimezone && moneyLimitsInTimezone.length === 0) throw timezoneAloneError(cli)
      const limits = limitation.withExisting([...newLimits, ...moneyLimitsInTimezone], existing)
      // Checks everything before the first change, so that a rejected option changes nothing.
      limitation.checkTokenLimits(limits, existing)
      checkChanges(token, changes, Math.floor(Date.now() / 1000))
      // Sets the limits before the other changes, such as a larger budget.
      await limitation.limitTokens(toolkit, actor, { ids: [id], limits })
      const restore = () => limitation.restoreLimits(toolkit, actor, { id, wanted: limits, earlier: existing })
      await orRestore(cli, { id, restore }, apply)
    } else await apply()
    cli.report(cli.t('token.updatedToken', { id: token.id, name: token.name }), displayedToken(token))
    await cli.readBack(() => warnOfUnserved(cli, changes.model_limits, () => toolkit.models.usable(actor)))
  },
})

/**
 * Changes a token after its limits were set. If the gateway rejects the change, such as for an unknown group, restores
 * the old limits. After a lost reply, the new limits stay, because the gateway may have made the change.
 */
async function orRestore(
  cli: Cli,
  { id, restore }: { id: number; restore: () => Promise<void> },
  change: () => Promise<void>,
): Promise<void> {
  try {
    await change()
  } catch (error) {
    const isRestored =
      !isOutcomeUnknown(error) &&
      (await restore().then(
        () => true,
        () => false,
      ))
    if (!isRestored && !cli.json) cli.note(cli.t('token.tokenMayHaveNewLimits', { id }))
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

/** Returns the existing daily, weekly and monthly money limits, with another time zone. */
function moneyLimits(existing: readonly Limit[], time_zone = ''): TokenLimit[] {
  return existing
    .filter(({ measure, period }) => measure === 'quota' && MONEY_PERIODS.some((each) => each === period))
    .map(({ measure, period, amount }) => ({ measure, period, amount, time_zone }))
}

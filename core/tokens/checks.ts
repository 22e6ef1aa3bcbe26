import { GatewayError } from '../errors.ts'
import { commaList, QUOTA_MAX, requireQuota, requireText, requireWholeNumber } from '../input.ts'
import { defined } from '../records.ts'
import { checkAddresses } from './addresses.ts'
import { NEVER, type NewToken, TOKEN_STATUS, type Token } from './token.ts'

/** Maximum length of a name, in code points. */
export const NAME_LENGTH_MAX = 30
const GROUP_LENGTH_MAX = 64

/** Returns the columns of a new token. Throws TOKEN_NAME_TOO_LONG, FIELD_*. */
export function checkToken(input: NewToken, now: number) {
  const models = commaList(input.model_limits ?? '')
  return {
    name: nameOf(input.name),
    // Clients send 0 for a token without an expiry.
    expired_time: expiryOf(input.expired_time || NEVER, now),
    remain_quota: requireQuota('remain_quota', input.remain_quota ?? 0),
    unlimited_quota: input.unlimited_quota ?? false,
    model_limits_enabled: input.model_limits_enabled ?? models.length > 0,
    model_limits: models.join(','),
    allow_ips: checkAddresses(input.allow_ips ?? ''),
    group: groupOf(input.group ?? ''),
    store_responses: input.store_responses ?? true,
  }
}

/**
 * Returns the columns that an edit changes. Absent fields do not change. Throws like `checkToken`.
 *
 * A value that the edit does not change is always accepted, even if it would be invalid for a new token. Examples are
 * an expiry in the past, a group that the owner may no longer use, and a budget that charges made negative.
 */
export function checkChanges(stored: Token, changes: Partial<NewToken>, now: number) {
  const { name, expired_time, remain_quota = stored.remain_quota, unlimited_quota, model_limits_enabled } = changes
  const { model_limits = stored.model_limits, allow_ips, group, store_responses } = changes
  const differs = (field: keyof NewToken) => changes[field] !== undefined && changes[field] !== stored[field]
  // If both budgets are negative, keep the stored one, because charges may have lowered it since the client read it.
  const bothNegative = remain_quota < 0 && stored.remain_quota < 0
  return {
    ...(differs('name') && { name: nameOf(name) }),
    ...(differs('expired_time') && { expired_time: expiryOf(expired_time, now) }),
    ...(differs('remain_quota') && !bothNegative && { remain_quota: requireQuota('remain_quota', remain_quota) }),
    ...defined({ unlimited_quota, model_limits_enabled, store_responses }),
    ...(differs('model_limits') && { model_limits: commaList(model_limits).join(',') }),
    ...(differs('allow_ips') && { allow_ips: checkAddresses(allow_ips ?? '') }),
    ...(differs('group') && { group: groupOf(group) }),
  }
}

/** Throws TOKEN_ENABLE_EXPIRED if a token is expired, and TOKEN_ENABLE_EXHAUSTED if it has no budget left. */
export function checkUsable(token: Pick<Token, 'expired_time' | 'remain_quota' | 'unlimited_quota'>, now: number) {
  if (token.expired_time !== NEVER && token.expired_time <= now) throw new GatewayError('TOKEN_ENABLE_EXPIRED')
  if (token.remain_quota <= 0 && !token.unlimited_quota) throw new GatewayError('TOKEN_ENABLE_EXHAUSTED')
}

/** Returns whether a relay found the token expired or exhausted. */
export function wasFoundUnusable({ status }: Pick<Token, 'status'>): boolean {
  return status === TOKEN_STATUS.expired || status === TOKEN_STATUS.exhausted
}

function nameOf(value: unknown): string {
  const name = requireText('name', value, { min: 1, max: Number.POSITIVE_INFINITY })
  if ([...name].length > NAME_LENGTH_MAX) throw new GatewayError('TOKEN_NAME_TOO_LONG')
  return name
}

function expiryOf(value: unknown, now: number): number {
  const expiry = requireWholeNumber('expired_time', value, { min: NEVER, max: QUOTA_MAX })
  if (expiry !== NEVER && expiry <= now) {
    throw new GatewayError('FIELD_EXPIRY', { field: 'expired_time', value: expiry })
  }
  return expiry
}

function groupOf(value: unknown): string {
  return requireText('group', value, { min: 0, max: GROUP_LENGTH_MAX })
}

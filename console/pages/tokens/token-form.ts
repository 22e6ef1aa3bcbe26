import { NEVER, type NewToken, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { localTime } from '../../components/times.ts'

export interface TokenFormValues {
  name: string
  /** Number of tokens to create. Only for new tokens. */
  count: number
  /** The expiry time in the format of date fields; empty for never. */
  expires: string
  unlimited_quota: boolean
  remain_quota: number
  models: string[]
  allow_ips: string
  group: string | undefined
  store_responses: boolean
}

type Settings = Required<Omit<NewToken, 'name'>>

export const TOKEN_QUOTA_PRESETS = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000] as const
export const COUNT_PRESETS = [10, 20, 30, 100] as const
const DAY_SECONDS = 86_400
/** Durations in seconds from now; -1 for never. */
export const EXPIRY_SHORTCUTS = { never: NEVER, hour: 3600, day: DAY_SECONDS, month: 30 * DAY_SECONDS } as const

export const NEW_TOKEN_FORM: TokenFormValues = {
  name: '',
  count: 1,
  expires: '',
  unlimited_quota: false,
  remain_quota: 500_000,
  models: [],
  allow_ips: '',
  group: undefined,
  store_responses: true,
}

export function tokenFormOf(token: Token): TokenFormValues {
  return {
    name: token.name,
    count: 1,
    expires: token.expired_time === NEVER ? '' : localTime(token.expired_time),
    unlimited_quota: token.unlimited_quota,
    remain_quota: token.remain_quota,
    models: token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : [],
    allow_ips: token.allow_ips,
    group: token.group || undefined,
    store_responses: token.store_responses,
  }
}

/** Returns the settings in a form, without name and count; undefined if the date is invalid. */
export function tokenSettingsOf(form: TokenFormValues): Settings | undefined {
  const expired_time = parseExpiry(form.expires)
  if (expired_time === undefined) return undefined
  return {
    expired_time,
    remain_quota: form.remain_quota,
    unlimited_quota: form.unlimited_quota,
    // If the list of models is enabled but empty, the gateway would reject every request.
    model_limits_enabled: form.models.length > 0,
    model_limits: form.models.join(','),
    allow_ips: form.allow_ips,
    group: form.group ?? '',
    store_responses: form.store_responses,
  }
}

/**
 * Returns only the changed fields, so that an edit does not restore quota that was spent while the form was open.
 * Undefined if the date is invalid.
 */
export function tokenChangesOf(token: Token, form: TokenFormValues): Partial<NewToken> | undefined {
  const initialForm = tokenFormOf(token)
  const newSettings = tokenSettingsOf(form)
  if (!newSettings) return undefined
  const oldSettings: Partial<NewToken> = {
    ...tokenSettingsOf({ ...initialForm, expires: '' }),
    // The server accepts expiry times that the form cannot show.
    expired_time: parseExpiry(initialForm.expires) ?? token.expired_time,
    name: token.name,
  }
  const changedFields = Object.entries({ ...newSettings, name: form.name }).filter(
    ([field, value]) => oldSettings[field as keyof NewToken] !== value,
  )
  return Object.fromEntries(changedFields)
}

/** Returns whether an expired or exhausted token can be enabled again, because it now has time and quota left. */
export function isRepaired({ status, expired_time, remain_quota, unlimited_quota }: Token, nowMs: number): boolean {
  const isUnusable = status === TOKEN_STATUS.expired || status === TOKEN_STATUS.exhausted
  const isUnexpired = expired_time === NEVER || expired_time * 1000 > nowMs
  return isUnusable && isUnexpired && (unlimited_quota || remain_quota > 0)
}

const TIME_FORMAT = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Parses a time in the user's time zone to unix seconds. Returns -1 (never) for empty text; undefined if invalid. */
export function parseExpiry(text: string): number | undefined {
  if (text.trim() === '') return NEVER
  const [match, ...parts] = TIME_FORMAT.exec(text.trim()) ?? []
  if (match === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // JavaScript converts a date such as February 31 to a day of March.
  const isExactDate = date.getMonth() === month - 1 && date.getDate() === day && minute < 60 && second < 60
  return isExactDate ? Math.floor(date.getTime() / 1000) : undefined
}

/**
 * Returns what is wrong with the text of an expiry time; undefined if nothing is wrong. The server rejects a time in
 * the past, unless it is the `initialText` of the edited token.
 */
export function expiryProblem(
  text: string,
  { initialText = '', nowMs }: { initialText?: string | undefined; nowMs: number },
): 'badExpiry' | 'pastExpiry' | undefined {
  const expiry = parseExpiry(text)
  if (expiry === undefined) return 'badExpiry'
  const isPast = expiry !== NEVER && expiry * 1000 <= nowMs
  return isPast && text.trim() !== initialText ? 'pastExpiry' : undefined
}

export function expiryAfter(seconds: number, nowMs: number): string {
  return seconds === NEVER ? '' : localTime(Math.floor(nowMs / 1000) + seconds)
}

/** Maximum number of tokens to create. Each token needs a call, and more calls would exceed the server's rate limit. */
export const COUNT_MAX = 100

export function tokenCountProblem(count: number | undefined): 'badCount' | 'countMax' | undefined {
  if (count === undefined || !Number.isInteger(count) || count < 1) return 'badCount'
  return count > COUNT_MAX ? 'countMax' : undefined
}

const NAME_LENGTH_MAX = 30
const SUFFIX_LENGTH = 6

/** Returns the maximum length of a name in code points. For several tokens, a dash and a suffix must also fit. */
export const nameLengthMax = (count: number): number => NAME_LENGTH_MAX - (count > 1 ? 1 + SUFFIX_LENGTH : 0)

export const tokenNameFits = (name: string, count: number): boolean => [...name.trim()].length <= nameLengthMax(count)

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/**
 * Returns the names of `count` tokens. The first token has the plain name; other names also have a dash and six random
 * characters. `created` is the number of tokens that already exist.
 */
export function tokenNamesOf(
  { name, count, created = 0 }: { name: string; count: number; created?: number },
  random: () => number = Math.random,
): string[] {
  const suffix = () =>
    Array.from({ length: SUFFIX_LENGTH }, () => CHARACTERS[Math.floor(random() * CHARACTERS.length)]).join('')
  return Array.from({ length: count }, (_, place) => (created + place === 0 ? name : `${name}-${suffix()}`))
}

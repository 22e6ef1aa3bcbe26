import type { Limit, LimitStatus } from '../../core/limits/limit.ts'
import type { LearnedLimit } from '../../core/limits/schema.ts'
import type { Column } from '../output/column.ts'
import type { Format } from '../output/format.ts'

const BAR_CELLS = 10
const PERCENT = 100

/** Maximum number of decimals. One quota is $0.000002 by default. */
const DECIMALS_MAX = 6
const DECIMALS = /\.(\d+)/

const decimalsOf = (text: string): string => DECIMALS.exec(text)?.[1] ?? ''

/** Formats an amount. Money is printed with all its decimals, so that different amounts look different. */
function amountOf({ measure }: Pick<Limit, 'measure'>, amount: number, format: Format): string {
  if (measure !== 'quota') return String(amount)
  const text = format.quota(amount)
  const digits = decimalsOf(format.withCents(DECIMALS_MAX).money(amount)).replace(/0+$/, '').length
  // Without currency, an amount has no decimals. The format may already print enough decimals.
  return decimalsOf(text).length === 0 || decimalsOf(text).length >= digits
    ? text
    : format.withCents(digits).quota(amount)
}

const windowOf = ({ period, time_zone }: Limit, { t, label }: Format): string => {
  if (period === 'none') return t('limit.atTheSameTime')
  return time_zone === '' ? `${t('limit.rolling')} ${label(period)}` : `${label(period)} ${time_zone}`
}

const subjectOf = (subject: string, id: string, name: string, { t, label }: Format): string => {
  if (id === '*') return `${t('limit.each')} ${label(subject)}`
  return name === id || name === '' ? `${label(subject)} ${id}` : `${label(subject)} ${id} (${name})`
}

export const LIMIT_COLUMNS: readonly Column<Limit>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  {
    name: 'subject',
    rank: 2,
    value: ({ subject, subject_id, name }, format) => subjectOf(subject, subject_id, name, format),
    cut: true,
  },
  { name: 'measure', rank: 3, value: ({ measure }, { label }) => label(measure) },
  {
    name: 'amount',
    rank: 4,
    value: (limit, format) => amountOf(limit, limit.amount, format),
    sort: ({ amount }) => amount,
    align: 'right',
  },
  { name: 'window', rank: 5, value: windowOf },
  {
    name: 'action',
    rank: 6,
    value: ({ action, wait_seconds }, { label }) =>
      action === 'queue' ? `${label(action)} ${wait_seconds} s` : label(action),
  },
  { name: 'changed', value: ({ updated_at }, { moment }) => moment(updated_at), detail: true },
]

function bar({ limit, used }: LimitStatus): string {
  const fraction = Math.min(1, used / limit.amount)
  const full = Math.round(fraction * BAR_CELLS)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)} ${Math.floor(fraction * PERCENT)}%`
}

export const LIMIT_STATUS_COLUMNS: readonly Column<LimitStatus>[] = [
  { name: 'limit', rank: 6, value: ({ limit }) => String(limit.id), align: 'right' },
  {
    name: 'subject',
    rank: 1,
    value: ({ limit, subject_id, name }, format) => subjectOf(limit.subject, subject_id, name, format),
    cut: true,
  },
  { name: 'measure', rank: 3, value: ({ limit }, { label }) => label(limit.measure) },
  { name: 'window', rank: 7, value: ({ limit }, format) => windowOf(limit, format) },
  {
    name: 'used',
    rank: 2,
    value: ({ limit, used }, format) => amountOf(limit, used, format),
    sort: ({ used }) => used,
    align: 'right',
  },
  {
    name: 'of',
    title: 'of-limit',
    rank: 4,
    value: ({ limit }, format) => amountOf(limit, limit.amount, format),
    sort: ({ limit }) => limit.amount,
    align: 'right',
  },
  {
    name: 'share',
    rank: 5,
    value: bar,
    sort: ({ limit, used }) => used / limit.amount,
    tone: ({ remaining }) => (remaining === 0 ? 'bad' : undefined),
  },
  {
    name: 'resets',
    rank: 8,
    value: ({ limit, resets_at }, { moment }) => (resets_at === 0 || limit.period === 'none' ? '-' : moment(resets_at)),
    sort: ({ resets_at }) => resets_at,
  },
]

export const LEARNED_LIMIT_COLUMNS: readonly Column<LearnedLimit>[] = [
  { name: 'channel', rank: 1, value: ({ channel_id }) => String(channel_id), align: 'right' },
  { name: 'key', rank: 4, value: ({ key_digest }) => key_digest || '-' },
  { name: 'measure', rank: 2, value: ({ measure }, { label }) => label(measure) },
  {
    name: 'left',
    rank: 3,
    value: ({ remaining }) => String(remaining),
    sort: ({ remaining }) => remaining,
    align: 'right',
  },
  {
    name: 'of',
    title: 'of-limit',
    rank: 5,
    value: ({ amount }) => (amount === 0 ? '-' : String(amount)),
    align: 'right',
  },
  { name: 'resets', rank: 6, value: ({ resets_at }, { moment }) => (resets_at === 0 ? '-' : moment(resets_at)) },
  { name: 'seen', rank: 7, value: ({ seen_at }, { moment }) => moment(seen_at) },
]

import { KEY_PREFIX, NEVER, TOKEN_STATUS, type Token } from '../../core/tokens/token.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column, Tone } from '../output/column.ts'

const SHOWN_CHARACTERS = 4

/** A token for display: its key with `sk-`, whole or masked. */
export function displayedToken<T extends Pick<Token, 'key'>>(token: T, { wholeKey = false } = {}): T {
  const { key } = token
  if (key === '') return token
  const masked = `${key.slice(0, SHOWN_CHARACTERS)}********${key.slice(-SHOWN_CHARACTERS)}`
  return { ...token, key: KEY_PREFIX + (wholeKey ? key : masked) }
}

const tones: Record<number, Tone> = { [TOKEN_STATUS.enabled]: 'good', [TOKEN_STATUS.disabled]: 'faint' }

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { title: 'key', rank: 7, value: ({ key }) => key || '-' },
  {
    title: 'status',
    rank: 3,
    value: ({ status }, { text }) => text(labelOf(TOKEN_STATUS, status)),
    tone: ({ status }) => tones[status] ?? 'bad',
  },
  { title: 'user', value: ({ user_id, username }) => username || String(user_id) },
  {
    title: 'quota left',
    rank: 4,
    value: ({ remain_quota, unlimited_quota }, { quota, text }) =>
      unlimited_quota ? text('unlimited') : quota(remain_quota),
    tone: ({ remain_quota, unlimited_quota }) => (unlimited_quota || remain_quota > 0 ? 'money' : 'bad'),
    sort: ({ remain_quota, unlimited_quota }) => (unlimited_quota ? Number.POSITIVE_INFINITY : remain_quota),
    align: 'right',
  },
  {
    title: 'used',
    rank: 6,
    value: ({ used_quota }, { quota }) => quota(used_quota),
    tone: () => 'money',
    sort: ({ used_quota }) => used_quota,
    align: 'right',
  },
  {
    title: 'expires',
    rank: 5,
    value: ({ expired_time }, { time, text }) => (expired_time === NEVER ? text('never') : time(expired_time)),
    sort: ({ expired_time }) => (expired_time === NEVER ? Number.POSITIVE_INFINITY : expired_time),
  },
  {
    title: 'models',
    rank: 8,
    value: ({ model_limits_enabled, model_limits }, { text }) => (model_limits_enabled ? model_limits : text('all')),
    cut: true,
  },
  {
    title: 'addresses',
    value: ({ allow_ips }, { text }) => allow_ips.split('\n').join(', ') || text('all'),
    detail: true,
  },
  {
    title: 'stores responses',
    value: ({ store_responses }, { text }) => text(store_responses ? 'yes' : 'no'),
    detail: true,
  },
  { title: 'group', value: ({ group }, { text }) => group || text("the owner's"), detail: true },
  { title: 'created', value: ({ created_time }, { moment }) => moment(created_time), detail: true },
  { title: 'last used', value: ({ accessed_time }, { moment }) => moment(accessed_time), detail: true },
]

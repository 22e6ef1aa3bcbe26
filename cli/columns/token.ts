import { KEY_PREFIX, NEVER, TOKEN_STATUS, type Token } from '../../core/tokens/token.ts'
import type { Column } from '../output/column.ts'
import { USED_COLUMN } from './quota.ts'
import { statusColumn } from './status.ts'

/** Number of characters of a masked key to show at the start and at the end. */
const SHOWN_CHARACTERS = 4

/** Returns a token for display: with the prefix `sk-` of its key, and with a masked key unless `wholeKey` is true. */
export function displayedToken<T extends Pick<Token, 'key'>>(token: T, { wholeKey = false } = {}): T {
  const { key } = token
  if (key === '') return token
  const masked = `${key.slice(0, SHOWN_CHARACTERS)}********${key.slice(-SHOWN_CHARACTERS)}`
  return { ...token, key: KEY_PREFIX + (wholeKey ? key : masked) }
}

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'key', rank: 7, value: ({ key }) => key || '-' },
  { ...statusColumn(TOKEN_STATUS, { [TOKEN_STATUS.enabled]: 'good', [TOKEN_STATUS.disabled]: 'faint' }), rank: 3 },
  { name: 'user', value: ({ user_id, username }) => username || String(user_id) },
  {
    name: 'quota-left',
    rank: 4,
    value: ({ remain_quota, unlimited_quota }, { quota, t }) =>
      unlimited_quota ? t('label.unlimited') : quota(remain_quota),
    tone: ({ remain_quota, unlimited_quota }) => (unlimited_quota || remain_quota > 0 ? 'money' : 'bad'),
    sort: ({ remain_quota, unlimited_quota }) => (unlimited_quota ? Number.POSITIVE_INFINITY : remain_quota),
    align: 'right',
  },
  { ...USED_COLUMN, rank: 6 },
  {
    name: 'expires',
    rank: 5,
    value: ({ expired_time }, { time, t }) => (expired_time === NEVER ? t('label.never') : time(expired_time)),
    sort: ({ expired_time }) => (expired_time === NEVER ? Number.POSITIVE_INFINITY : expired_time),
  },
  {
    name: 'models',
    rank: 8,
    value: ({ model_limits_enabled, model_limits }, { t }) => (model_limits_enabled ? model_limits : t('ui.all')),
    cut: true,
  },
  { name: 'addresses', value: ({ allow_ips }, { t }) => allow_ips.split('\n').join(', ') || t('ui.all'), detail: true },
  {
    name: 'stores-responses',
    value: ({ store_responses }, { t }) => t(store_responses ? 'label.yes' : 'label.no'),
    detail: true,
  },
  { name: 'group', value: ({ group }, { t }) => group || t('general.theOwner'), detail: true },
  { name: 'created', value: ({ created_time }, { moment }) => moment(created_time), detail: true },
  { name: 'last-used', value: ({ accessed_time }, { moment }) => moment(accessed_time), detail: true },
]

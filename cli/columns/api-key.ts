import type { ManagementKey } from '../../core/management-keys/management-keys.ts'
import type { Column, Tone } from '../output/column.ts'

const NEVER = -1

type State = 'active' | 'expired' | 'revoked'
const TONES: Record<State, Tone> = { active: 'good', expired: 'bad', revoked: 'faint' }

function stateOf({ revoked_at, expires_at }: ManagementKey): State {
  if (revoked_at > 0) return 'revoked'
  return expires_at !== NEVER && expires_at * 1000 <= Date.now() ? 'expired' : 'active'
}

export const API_KEY_COLUMNS: readonly Column<ManagementKey>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'key', rank: 7, value: ({ key_start }) => `${key_start}…` },
  { name: 'status', rank: 3, value: (key, { label }) => label(stateOf(key)), tone: (key) => TONES[stateOf(key)] },
  { name: 'scopes', rank: 4, value: ({ scopes }) => scopes.join(', '), cut: true },
  {
    name: 'given-away',
    rank: 6,
    value: ({ quota_used }, { quota }) => quota(quota_used),
    sort: ({ quota_used }) => quota_used,
    align: 'right',
  },
  {
    name: 'of-at-most',
    rank: 5,
    value: ({ quota_max }, { quota, t }) => (quota_max === null ? t('label.unlimited') : quota(quota_max)),
    sort: ({ quota_max }) => quota_max ?? Number.POSITIVE_INFINITY,
    align: 'right',
  },
  {
    name: 'expires',
    rank: 8,
    value: ({ expires_at }, { time, t }) => (expires_at === NEVER ? t('label.never') : time(expires_at)),
    sort: ({ expires_at }) => (expires_at === NEVER ? Number.POSITIVE_INFINITY : expires_at),
  },
  { name: 'user', value: ({ user_id }) => String(user_id), detail: true },
  { name: 'created', value: ({ created_at }, { moment }) => moment(created_at), detail: true },
  { name: 'last-used', rank: 9, value: ({ last_used_at }, { moment }) => moment(last_used_at) },
]

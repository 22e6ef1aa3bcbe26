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
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { title: 'key', rank: 7, value: ({ key_start }) => `${key_start}…` },
  { title: 'status', rank: 3, value: (key, { text }) => text(stateOf(key)), tone: (key) => TONES[stateOf(key)] },
  { title: 'scopes', rank: 4, value: ({ scopes }) => scopes.join(', '), cut: true },
  {
    title: 'given away',
    rank: 6,
    value: ({ quota_used }, { quota }) => quota(quota_used),
    sort: ({ quota_used }) => quota_used,
    align: 'right',
  },
  {
    title: 'of at most',
    rank: 5,
    value: ({ quota_max }, { quota, text }) => (quota_max === null ? text('unlimited') : quota(quota_max)),
    sort: ({ quota_max }) => quota_max ?? Number.POSITIVE_INFINITY,
    align: 'right',
  },
  {
    title: 'expires',
    rank: 8,
    value: ({ expires_at }, { time, text }) => (expires_at === NEVER ? text('never') : time(expires_at)),
    sort: ({ expires_at }) => (expires_at === NEVER ? Number.POSITIVE_INFINITY : expires_at),
  },
  { title: 'user', value: ({ user_id }) => String(user_id), detail: true },
  { title: 'created', value: ({ created_at }, { moment }) => moment(created_at), detail: true },
  { title: 'last used', rank: 9, value: ({ last_used_at }, { moment }) => moment(last_used_at) },
]

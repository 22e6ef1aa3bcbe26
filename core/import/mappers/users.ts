import { nameColumns } from '../../accounts/lookalikes.ts'
import { ROLE, USER_STATUS } from '../../actor.ts'
import { COUNT, deletedAt, QUOTA_BOUNDS, TIME } from '../values.ts'
import { type MapContext, type Mapping, mapWith } from './mapper.ts'

const BCRYPT = /^\$2[abxy]?\$\d\d\$.{53}$/
const ONE_API_DELETED = 3
const IDENTITIES = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'] as const

/** Columns of `users` that this mapper reads. */
export const USER_SOURCE_COLUMNS = [
  ...['id', 'username', 'password', 'display_name', 'role', 'status', 'email', 'access_token', 'quota', 'used_quota'],
  ...['request_count', 'group', 'aff_code', 'aff_count', 'aff_quota', 'aff_history', 'inviter_id', 'deleted_at'],
  ...['created_time', 'created_at', 'lark_id', ...IDENTITIES],
  // The source program has this field only in requests, and stores no value.
  'verification_code',
]

/** Maps a user. `inviter_id` is still the source id, until all users have target ids. */
export function mapUser(row: Readonly<Record<string, unknown>>, { product }: MapContext): Mapping {
  return mapWith(row, (values, change) => {
    const { text, integer } = values
    const status = integer('status', { otherwise: USER_STATUS.enabled })
    const isDeleted = product === 'one-api' && status === ONE_API_DELETED
    const password = text('password', { max: 255 })
    if (password !== '' && !BCRYPT.test(password)) change('the password is not a bcrypt hash: a new one must be set')
    if (text('lark_id') !== '') change('sign-in with Lark has no counterpart')
    const username = text('username', { max: 64 })
    if (username === '') change(`the name is empty: user-${values.raw('id')} instead`)
    const quota = integer('quota', QUOTA_BOUNDS)
    if (quota < 0) change(`the balance is ${quota}: it is kept`)
    return {
      fields: {
        ...nameColumns(username || `user-${values.raw('id')}`),
        password: BCRYPT.test(password) ? password : '',
        display_name: text('display_name', { max: 64 }),
        role: roleOf(integer('role', { otherwise: ROLE.common }), change),
        status: status === USER_STATUS.enabled ? USER_STATUS.enabled : USER_STATUS.disabled,
        email: text('email', { max: 255 }).trim(),
        ...Object.fromEntries(IDENTITIES.map((column) => [column, text(column, { max: 255 })])),
        request_count: integer('request_count', COUNT),
        group: text('group', { max: 64 }).trim() || 'default',
        aff_code: text('aff_code', { max: 32 }) || null,
        aff_count: integer('aff_count', COUNT),
        aff_quota: integer('aff_quota', { ...QUOTA_BOUNDS, min: 0 }),
        aff_history: integer('aff_history', { ...QUOTA_BOUNDS, min: 0 }),
        inviter_id: integer('inviter_id', COUNT),
        created_time: Math.max(
          0,
          integer(values.raw('created_time') === undefined ? 'created_at' : 'created_time', TIME),
        ),
        deleted_at: deletedAt(values.raw('deleted_at')) ?? (isDeleted ? new Date(0).toISOString() : null),
      },
      quota,
      used: integer('used_quota', QUOTA_BOUNDS),
      secrets: { access_token: text('access_token', { max: 255 }).trim() },
    }
  })
}

function roleOf(role: number, change: (what: string) => void): number {
  const validRole = role >= ROLE.root ? ROLE.root : role >= ROLE.admin ? ROLE.admin : ROLE.common
  if (validRole !== role) change(`role ${role} does not exist: ${validRole} instead`)
  return validRole
}

import { GatewayError } from '../../errors.ts'
import { commaList } from '../../input.ts'
import { checkAddresses } from '../../tokens/addresses.ts'
import { KEY_PREFIX, NEVER, TOKEN_STATUS } from '../../tokens/token.ts'
import { deletedAt, ID, QUOTA_BOUNDS, TIME } from '../values.ts'
import { type MapContext, type Mapping, mapWith } from './mapper.ts'

const STATUSES: ReadonlySet<number> = new Set(Object.values(TOKEN_STATUS))

export const TOKEN_SOURCE_COLUMNS = [
  ...['id', 'user_id', 'key', 'status', 'name', 'created_time', 'accessed_time', 'expired_time', 'remain_quota'],
  ...['unlimited_quota', 'model_limits_enabled', 'model_limits', 'allow_ips', 'used_quota', 'group', 'deleted_at'],
  ...['models', 'subnet'],
]

/** Maps an API key. Its owner must be imported. */
export function mapToken(row: Readonly<Record<string, unknown>>, { target }: MapContext): Mapping {
  return mapWith(row, ({ text, integer, boolean, raw }, change) => {
    const owner = integer('user_id', ID)
    const user_id = target('users', owner)
    if (user_id === undefined) return `its user ${owner} does not exist`
    // Trim the key, because fixed-width columns are padded with blanks.
    const key = text('key').trim().replace(KEY_PREFIX, '')
    if (key === '') return 'it has no key'
    if (key.includes('-')) change('the key has a hyphen, behind which programs name a channel: it cannot be used')
    const status = integer('status', { otherwise: TOKEN_STATUS.enabled })
    const addresses = addressesOf([text('allow_ips'), text('subnet').replaceAll(',', '\n')].join('\n'), change)
    const models = commaList(text('models') || text('model_limits'))
    if (!STATUSES.has(status)) change(`status ${status} does not exist: disabled instead`)
    return {
      fields: {
        user_id,
        status: !addresses.isUsable || !STATUSES.has(status) ? TOKEN_STATUS.disabled : status,
        name: text('name', { max: 255 }),
        created_time: integer('created_time', TIME),
        accessed_time: integer('accessed_time', TIME),
        expired_time: integer('expired_time', { ...TIME, otherwise: NEVER }),
        unlimited_quota: boolean('unlimited_quota'),
        model_limits_enabled: boolean('model_limits_enabled') || (text('models') !== '' && models.length > 0),
        model_limits: models.join(','),
        allow_ips: addresses.text,
        group: text('group', { max: 64 }).trim(),
        deleted_at: deletedAt(raw('deleted_at')),
      },
      quota: integer('remain_quota', QUOTA_BOUNDS),
      used: integer('used_quota', QUOTA_BOUNDS),
      secrets: { key },
    }
  })
}

/**
 * Returns the valid addresses, one per line. If all listed addresses are invalid, `isUsable` is false, because an empty
 * list would allow all addresses.
 */
function addressesOf(list: string, change: (what: string) => void): { text: string; isUsable: boolean } {
  const lines = list.split('\n').filter((line) => line.trim() !== '')
  const validLines = lines.filter((line) => {
    try {
      return checkAddresses(line) !== ''
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      change(`${JSON.stringify(line.slice(0, 60))} in the list of addresses is not an address: left out`)
      return false
    }
  })
  const isUsable = lines.length === 0 || validLines.length > 0
  if (!isUsable) change('none of its addresses is valid: the key is disabled')
  return { text: checkAddresses(validLines.join('\n')), isUsable }
}

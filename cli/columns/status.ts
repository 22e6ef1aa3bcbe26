import { ROLE } from '../../core/actor.ts'
import type { GatewayStatus } from '../gateway-info.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

export const STATUS_COLUMNS: readonly Column<GatewayStatus>[] = [
  { name: 'gateway', value: ({ name }) => name || '-' },
  { name: 'address', value: ({ address }) => address },
  { name: 'version', value: ({ version }) => version },
  { name: 'running-since', value: ({ start_time }, { moment }) => moment(start_time) },
  {
    name: 'database',
    value: ({ database }, { label }) => label(database),
    tone: ({ database }) =>
      ({ answers: 'good', silent: 'bad', unknown: 'faint' })[database] as 'good' | 'bad' | 'faint',
  },
  {
    name: 'you-are',
    value: ({ user }, { label }) => `${user.username} (${user.id}), ${label(labelOf(ROLE, user.role))}`,
  },
]

import { ROLE } from '../../core/actor.ts'
import type { GatewayStatus } from '../gateway-info.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column } from '../output/column.ts'

export const STATUS_COLUMNS: readonly Column<GatewayStatus>[] = [
  { title: 'gateway', value: ({ name }) => name || '-' },
  { title: 'address', value: ({ address }) => address },
  { title: 'version', value: ({ version }) => version },
  { title: 'running since', value: ({ start_time }, { moment }) => moment(start_time) },
  {
    title: 'database',
    value: ({ database }, { text }) => text(database),
    tone: ({ database }) =>
      ({ answers: 'good', silent: 'bad', unknown: 'faint' })[database] as 'good' | 'bad' | 'faint',
  },
  {
    title: 'you are',
    value: ({ user }, { text }) => `${user.username} (${user.id}), ${text(labelOf(ROLE, user.role))}`,
  },
]

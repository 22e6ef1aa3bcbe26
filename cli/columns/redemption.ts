import type { Redemption } from '../../core/redemption/schema.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/status.ts'
import type { Column, Tone } from '../output/column.ts'
import { statusColumn } from './status.ts'

const TONES: Record<number, Tone> = { [REDEMPTION_STATUS.unused]: 'good', [REDEMPTION_STATUS.used]: 'faint' }

export const REDEMPTION_COLUMNS: readonly Column<Redemption>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'code', rank: 5, value: ({ key }) => key },
  { ...statusColumn(REDEMPTION_STATUS, TONES), rank: 3 },
  {
    name: 'quota',
    rank: 4,
    value: (code, { quota }) => quota(code.quota),
    tone: () => 'money',
    sort: ({ quota }) => quota,
    align: 'right',
  },
  { name: 'created', rank: 6, value: ({ created_time }, { time }) => time(created_time) },
  { name: 'redeemed', rank: 7, value: ({ redeemed_time }, { time }) => time(redeemed_time) },
  { name: 'by-user', value: ({ used_user_id }) => (used_user_id ? String(used_user_id) : '-'), align: 'right' },
]

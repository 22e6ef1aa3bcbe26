import { REDEMPTION_STATUS, type Redemption } from '../../core/redemption/redemption.ts'
import { labelOf } from '../input/enum-labels.ts'
import type { Column, Tone } from '../output/column.ts'

const tones: Record<number, Tone> = { [REDEMPTION_STATUS.unused]: 'good', [REDEMPTION_STATUS.used]: 'faint' }

export const REDEMPTION_COLUMNS: readonly Column<Redemption>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { title: 'code', rank: 5, value: ({ key }) => key },
  {
    title: 'status',
    rank: 3,
    value: ({ status }, { text }) => text(labelOf(REDEMPTION_STATUS, status)),
    tone: ({ status }) => tones[status] ?? 'bad',
  },
  {
    title: 'quota',
    rank: 4,
    value: (code, { quota }) => quota(code.quota),
    tone: () => 'money',
    sort: ({ quota }) => quota,
    align: 'right',
  },
  { title: 'created', rank: 6, value: ({ created_time }, { time }) => time(created_time) },
  { title: 'redeemed', rank: 7, value: ({ redeemed_time }, { time }) => time(redeemed_time) },
  { title: 'by user', value: ({ used_user_id }) => (used_user_id ? String(used_user_id) : '-'), align: 'right' },
]

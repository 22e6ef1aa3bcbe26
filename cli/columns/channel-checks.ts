import type { Column, Tone } from '../output/column.ts'

/** Result of a check of one channel among several. */
export interface CheckedChannel {
  id: number
  name: string
  result: 'ok' | 'failed' | 'unsupported'
  /** Reason of a result other than `ok`. */
  message: string
}
interface TestedChannel extends CheckedChannel {
  model: string
  /** Seconds. */
  time: number
}
interface CheckedBalance extends CheckedChannel {
  /** Balance in the vendor's currency; null if it is unknown. */
  balance: number | null
}

const tones: Record<CheckedChannel['result'], Tone> = { ok: 'good', failed: 'bad', unsupported: 'faint' }
const FIRST_COLUMNS: readonly Column<CheckedChannel>[] = [
  { name: 'id', value: ({ id }) => String(id), align: 'right' },
  { name: 'name', value: ({ name }) => name, cut: true },
  { name: 'result', value: ({ result }, { label }) => label(result), tone: ({ result }) => tones[result] },
]
const REASON: Column<CheckedChannel> = { name: 'reason', value: ({ message }) => message || '-', cut: true }

export const TEST_COLUMNS: readonly Column<TestedChannel>[] = [
  ...FIRST_COLUMNS,
  { name: 'model', value: ({ model }) => model || '-', cut: true },
  {
    name: 'response',
    value: ({ time }) => (time ? `${time.toFixed(2)} s` : '-'),
    sort: ({ time }) => time,
    align: 'right',
  },
  REASON,
]

export const CHANNEL_BALANCE_COLUMNS: readonly Column<CheckedBalance>[] = [
  ...FIRST_COLUMNS,
  { name: 'balance', value: ({ balance }) => (balance === null ? '-' : String(balance)), align: 'right' },
  REASON,
]

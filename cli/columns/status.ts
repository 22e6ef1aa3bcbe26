import { labelOf } from '../input/enum-labels.ts'
import type { Column, Tone } from '../output/column.ts'

/** Returns the column of a status. `tones` has colors by status; the color of other statuses is `bad`. */
export function statusColumn(
  labels: Readonly<Record<string, number>>,
  tones: Readonly<Record<number, Tone>>,
): Column<{ status: number }> {
  return {
    name: 'status',
    value: ({ status }, { label }) => label(labelOf(labels, status)),
    tone: ({ status }) => tones[status] ?? 'bad',
  }
}

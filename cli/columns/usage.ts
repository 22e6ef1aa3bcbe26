import type { StatRow, Total } from '../commands/stat/usage.ts'
import type { Column } from '../output/column.ts'
import type { Format } from '../output/format.ts'

const BAR_WIDTH = 20

/**
 * Returns the columns of usage. On a terminal, a bar shows a row's percentage of the total cost. If nothing was
 * charged, the bar shows the percentage of the requests.
 */
export function usageColumns(
  by: string,
  total: Total,
  { terminal }: Pick<Format, 'terminal'>,
): readonly Column<StatRow>[] {
  const fractionOf = ({ quota, count }: StatRow) =>
    total.quota > 0 ? quota / total.quota : count / Math.max(1, total.count)
  const bar: Column<StatRow> = {
    name: 'share',
    value: (row) => `${'█'.repeat(Math.round(fractionOf(row) * BAR_WIDTH))} ${Math.round(fractionOf(row) * 100)}%`,
    sort: fractionOf,
  }
  return [
    { name: by, value: ({ name }) => name || '-', cut: true },
    { name: 'requests', value: ({ count }) => String(count), align: 'right' },
    { name: 'tokens', value: ({ token_used }) => String(token_used), align: 'right' },
    { name: 'cost', value: ({ quota }, format) => format.quota(quota), align: 'right' },
    ...(terminal ? [bar] : []),
  ]
}

/** Returns the columns of all groupings, for completion. */
export const columnsOfGroupings = (groupings: readonly string[]): readonly Column<StatRow>[] =>
  groupings.flatMap((by) => usageColumns(by, { count: 0, token_used: 0, quota: 0 }, { terminal: true }))

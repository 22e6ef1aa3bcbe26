import { expect, test } from 'vitest'
import type { Column } from '../../../cli/output/column.ts'
import { ENGLISH } from '../../../cli/texts.ts'
import { fitTable } from '../../../cli/ui/fit.ts'
import { screenFormat } from '../../../cli/ui/format.ts'

const COST: Column<number> = { name: 'cost', rank: 1, align: 'right', value: (quota, format) => format.quota(quota) }

const costs = (rows: readonly number[], inCurrency = true) => {
  const display = { quotaPerUnit: 500_000, inCurrency }
  const format = screenFormat({ display, texts: ENGLISH, now: 0 })
  return fitTable(rows, [COST], { width: 40, format }).cells.map(([cell]) => cell?.text)
}

test('amounts of a column on a screen have the same number of decimals, so that their points align', () => {
  expect(costs([4263, 7561, 1920])).toEqual(['$0.008526', '$0.015122', '$0.003840'])
  expect(costs([500_000, 7_500_000])).toEqual(['$1.00', '$15.00'])
  expect(costs([4263, 7561], false)).toEqual(['4263', '7561'])
})

import { expect, test, vi } from 'vitest'
import { PRICE_COLUMNS } from '../../../cli/columns/pricing.ts'
import { JOB_COLUMNS } from '../../../cli/commands/job.ts'
import type { Column } from '../../../cli/output/column.ts'
import { showAll, showList } from '../../../cli/output/listing.ts'
import { cliForReading } from '../reference/command-line.ts'

test.each([
  ['every', JOB_COLUMNS, 'every', [90, 3600, 60, 0], [0, 60, 90, 3600]],
  ['input', PRICE_COLUMNS, 'input_usd', [0.6, 0.15, null, 10], [null, 0.15, 0.6, 10]],
])('--sort %s uses the numeric values, not the displayed texts', async (sort, columns, field, values, ordered) => {
  const print = vi.fn()
  const cli = { ...cliForReading(), print }
  const rows = values.map((value) => ({ [field]: value }))
  await showAll(cli, { sort }, rows, { columns: columns as readonly Column<object>[], empty: '' })
  expect(print.mock.calls[0]?.[0].map((row: Record<string, unknown>) => row[field])).toEqual(ordered)
})

test('--all reports that a list is longer than what it reads, with the total', async () => {
  const [print, note] = [vi.fn(), vi.fn()]
  const cli = { ...cliForReading(), print, note }
  const fetch = async ({ page, pageSize }: { page: number; pageSize: number }) => ({
    items: [{ id: page }],
    total: 2_000_000,
    page,
    page_size: pageSize,
  })
  await showList(cli, { page: 1, limit: 20, all: true }, fetch, { columns: [], empty: '' })
  expect(note).toHaveBeenCalledExactlyOnceWith(
    'Read only the first 1000 of 2000000 rows. Filter the list to see the others.',
  )
  expect(print.mock.calls[0]?.[0]).toMatchObject({ total: 2_000_000, page_size: 1000 })
})

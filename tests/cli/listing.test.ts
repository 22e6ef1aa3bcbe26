import { expect, test } from 'vitest'
import { JOB_COLUMNS } from '../../cli/columns/job.ts'
import { PRICE_COLUMNS } from '../../cli/columns/pricing.ts'
import { showAll } from '../../cli/listing.ts'
import { cliForReading } from './reference/command-line.ts'

test.each([
  ['every', JOB_COLUMNS, 'every', [90, 3600, 60, 0], [0, 60, 90, 3600]],
  ['input', PRICE_COLUMNS, 'input_usd', [0.6, 0.15, null, 10], [null, 0.15, 0.6, 10]],
])('--sort %s goes by the numbers behind what is shown', async (sort, columns, field, values, ordered) => {
  let shown: unknown
  const cli = { ...cliForReading(), print: async (rows: unknown) => void (shown = rows) }
  await showAll(cli, { sort }, values.map((value) => ({ [field]: value })) as never[], { columns, empty: '' })
  expect((shown as Record<string, unknown>[]).map((row) => row[field])).toEqual(ordered)
})

import { expect, test } from 'vitest'
import { everyPage } from '../../../console/components/data-table/every-page.ts'

/** A list of so many rows, of which one page may fail. */
function listOf(total: number, failing = 0) {
  const pages: number[] = []
  const fetchPage = async ({ page, pageSize }: { page: number; pageSize: number }) => {
    pages.push(page)
    if (page === failing) throw new Error('too many')
    const start = (page - 1) * pageSize
    return { items: Array.from({ length: Math.min(pageSize, total - start) }, (_, row) => start + row), total }
  }
  return { asked: pages, fetchPage }
}

test('every row of a list is loaded, with one call per page', async () => {
  const { asked, fetchPage } = listOf(250)
  const { rows, cut } = await everyPage(fetchPage)
  expect(rows).toEqual(Array.from({ length: 250 }, (_, row) => row))
  expect(cut).toBe(false)
  expect(asked).toEqual([1, 2, 3])
})

test('a long list stops at fifty calls, and reports that there is more', async () => {
  const { asked, fetchPage } = listOf(5001)
  const { rows, cut } = await everyPage(fetchPage)
  expect([rows.length, cut, asked.length]).toEqual([5000, true, 50])
})

test('if a page fails, the earlier rows are kept, with the reason', async () => {
  const { rows, cut, failure } = await everyPage(listOf(500, 3).fetchPage)
  expect([rows.length, cut]).toEqual([200, true])
  expect(failure).toEqual(new Error('too many'))
})

test('a list without any loaded row has failed', async () => {
  await expect(everyPage(listOf(500, 1).fetchPage)).rejects.toThrow('too many')
})

import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'

describe.each([
  ['GET /api/notice', '/api/notice', 'Notice'],
  ['GET /api/about', '/api/about', 'About'],
  ['GET /api/home_page_content', '/api/home_page_content', 'HomePageContent'],
])('%s', (_, path, option) => {
  test('returns a public text: empty until it is set, and then unchanged', async () => {
    const fixture = await openTestGateway()
    const client = openApi(fixture).anonymous()
    const before = await client.get(path)
    await fixture.toolkit.options.set(fixture.root, option, '# <b>Hello</b> 你好\n')

    const after = await client.get(path)

    expect(before).toMatchObject({ status: 200, body: { success: true, message: '', data: '' } })
    expect(after.body).toEqual({ success: true, message: '', data: '# <b>Hello</b> 你好\n' })
  })
})

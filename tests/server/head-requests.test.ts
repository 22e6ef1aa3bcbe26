import { expect, test } from 'vitest'
import { reused } from '../support/reused.ts'

const openGateway = reused()

test.each([
  ['/api/status', 200],
  ['/api/user/self', 401],
  ['/v1/models', 401],
  ['/docs/api/static/index.css', 200],
  ['/v1/nothing', 404],
])('HEAD %s has the status %i and the length of GET, and no body', async (path, status) => {
  const { url } = await openGateway()
  const ask = (method: string) => fetch(url + path, { method, headers: { 'accept-encoding': 'identity' } })

  const [get, head] = [await ask('GET'), await ask('HEAD')]

  expect([get.status, head.status]).toEqual([status, status])
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  // The path and the method are in the text of an unknown path.
  const length = (await get.arrayBuffer()).byteLength + (status === 404 ? 'HEAD'.length - 'GET'.length : 0)
  expect(Number(head.headers.get('content-length'))).toBe(length)
  expect(await head.text()).toBe('')
})

test('HEAD of an undecodable path is named in its reply', async () => {
  const { url } = await openGateway()
  const lengthOf = async (method: string) =>
    Number((await fetch(`${url}/%zz`, { method })).headers.get('content-length'))

  expect(await lengthOf('HEAD')).toBe((await lengthOf('GET')) + 1)
})

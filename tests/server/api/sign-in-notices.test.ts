import { expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { PASSWORD } from '../../support/toolkit.ts'

test('a sign-in with a new device and address sends a notice to its user', async () => {
  const fixture = await openTestGateway({ settings: { TRUST_PROXY: '127.0.0.1' } })
  const person = await fixture.user()
  await fixture.toolkit.notices.targets.create(person, {
    kind: 'webhook',
    name: 'hook',
    settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
    events: ['sign-in.new'],
  })
  /** From an address, with a browser that keeps its cookie of the sign-in. */
  const signIn = async (address: string, device = '') => {
    const headers = { 'x-forwarded-for': address, ...(device && { cookie: device }) }
    const credentials = { username: person.username, password: PASSWORD }
    const answer = await openApi(fixture).anonymous().post('/api/user/login', credentials, headers)
    expect(answer.body.success).toBe(true)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    return cookies.find((cookie) => cookie.startsWith('device=')) ?? ''
  }
  const notices = async () =>
    (await fixture.toolkit.db.reader('notices').orderBy('id').select('event', 'user_id', 'data')).map((row) => ({
      ...row,
      data: JSON.parse(row.data),
    }))

  const device = await signIn('203.0.113.1')
  // The same address, then the same browser elsewhere.
  await signIn('203.0.113.1')
  await signIn('203.0.113.2', device)
  expect(await notices()).toEqual([])

  const failed = await openApi(fixture)
    .anonymous()
    .post('/api/user/login', { username: person.username, password: 'wrong' }, { 'x-forwarded-for': '203.0.113.9' })
  expect(failed.body.success).toBe(false)
  expect(await notices()).toEqual([])

  await signIn('203.0.113.9')
  await signIn('203.0.113.9')
  expect(await notices()).toMatchObject([
    { event: 'sign-in.new', user_id: person.id, data: { username: person.username, address: '203.0.113.9' } },
  ])
  const stored = JSON.stringify(await fixture.toolkit.db.reader('sign_in_origins').select())
  expect(stored).not.toContain('203.0.113')
})

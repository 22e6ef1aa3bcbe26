import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { serve } from '../support/gateway.ts'
import { onBoth, PASSWORD } from '../support/toolkit.ts'

const INVITEE = 11
const INVITER = 22

onBoth('a user who invites themselves', (open) => {
  async function openGateway() {
    const fixture = await open()
    const { url } = await serve(fixture, { settings: { TRUST_PROXY: 'on' } })
    const { toolkit, root } = fixture
    await toolkit.options.set(root, 'QuotaForInvitee', String(INVITEE))
    await toolkit.options.set(root, 'QuotaForInviter', String(INVITER))
    const inviter = await fixture.user()
    const aff_code = await toolkit.profile.inviteCode(inviter)
    let made = 0
    /** Answers what the new user has. */
    const register = async ({
      address,
      device,
      code = aff_code,
    }: {
      address: string
      device?: string
      code?: string
    }) => {
      const username = `new${made++}`
      const headers = { 'x-forwarded-for': address, ...(device && { cookie: `tollgate-device=${device}` }) }
      const body = { username, password: PASSWORD, aff_code: code }
      const answer = await openApi({ ...fixture, url })
        .anonymous()
        .post('/api/user/register', body, headers)
      expect(answer.body.success).toBe(true)
      const [, given = ''] = /tollgate-device=([0-9a-f]{32})/.exec(answer.headers.get('set-cookie') ?? '') ?? []
      const { id, quota, inviter_id } = await toolkit.accounts.getByName(root, username)
      return { id, quota, inviter_id, device: given }
    }
    const earned = async () => (await toolkit.accounts.get(root, inviter.id)).aff_quota
    return { ...fixture, inviter, register, earned }
  }

  test('earns one reward per address, for any inviter', async () => {
    const { register, earned, inviter, toolkit } = await openGateway()

    const first = await register({ address: '203.0.113.7' })
    const second = await register({ address: '203.0.113.7' })
    const chained = await register({
      address: '203.0.113.7',
      code: await toolkit.profile.inviteCode({ id: second.id, role: 1 }),
    })

    expect([first.quota, second.quota, chained.quota]).toEqual([INVITEE, 0, 0])
    expect([first.inviter_id, second.inviter_id]).toEqual([inviter.id, inviter.id])
    expect(await earned()).toBe(INVITER)
    expect((await register({ address: '203.0.113.8' })).quota).toBe(INVITEE)
    expect(await earned()).toBe(2 * INVITER)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('earns one reward for concurrent registrations', async () => {
    const { register, earned } = await openGateway()

    const made = await Promise.all(Array.from({ length: 6 }, () => register({ address: '203.0.113.7' })))

    expect(made.filter(({ quota }) => quota > 0)).toHaveLength(1)
    expect(await earned()).toBe(INVITER)
  })

  test('earns one reward per IPv6 network', async () => {
    const { register } = await openGateway()
    expect((await register({ address: '2001:db8:1:2::1' })).quota).toBe(INVITEE)
    expect((await register({ address: '2001:db8:1:2:ffff::9' })).quota).toBe(0)
    expect((await register({ address: '2001:db8:1:3::1' })).quota).toBe(INVITEE)
    expect((await register({ address: '203.0.113.7' })).quota).toBe(INVITEE)
    expect((await register({ address: '::ffff:203.0.113.7' })).quota).toBe(0)
  })

  test('earns one reward per browser, at any address', async () => {
    const { register, toolkit } = await openGateway()

    const { device, quota } = await register({ address: '203.0.113.1' })
    expect(quota).toBe(INVITEE)
    const again = await register({ address: '203.0.113.2', device })
    expect([again.quota, again.device]).toEqual([0, device])
    // The address is used up, too, though the browser was known.
    expect((await register({ address: '203.0.113.2' })).quota).toBe(0)
    // A cookie that we did not make is no device.
    const forged = await register({ address: '203.0.113.3', device: 'everybody' })
    expect([forged.quota, forged.device.length]).toEqual([INVITEE, 32])
    expect(JSON.stringify(await toolkit.db.reader('invite_sources').select('*'))).not.toContain('203.0.113')
  })

  test('earns unlimited rewards while the option is off', async () => {
    const { register, toolkit, root } = await openGateway()
    await toolkit.options.set(root, 'InviteRewardOnce', 'false')
    expect((await register({ address: '203.0.113.7' })).quota).toBe(INVITEE)
    expect((await register({ address: '203.0.113.7' })).quota).toBe(INVITEE)
  })
})

import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const RATIOS = '{"default":1,"vip":0.5,"staff":0.1,"hidden":3}'
const USABLE = '{"vip":"VIP 分组","retired":"gone"}'

async function openGroups() {
  const fixture = await openGateway()
  await fixture.toolkit.options.set(fixture.root, 'GroupRatio', RATIOS)
  await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', USABLE)
  return { fixture, api: openApi(fixture) }
}

describe('GET /api/group/', () => {
  test('lists the names of all groups, for administrators', async () => {
    const { fixture, api } = await openGroups()
    const admin = await api.as(await fixture.user({ role: 10 }))

    const { status, body } = await admin.get('/api/group/')

    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, message: '', data: ['default', 'vip', 'staff', 'hidden'] },
    })
  })

  test('is never null', async () => {
    const { fixture, api } = await openGroups()
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', '{}')

    expect((await (await api.as(fixture.root)).get('/api/group')).body.data).toEqual([])
  })

  test('is not for users', async () => {
    const { fixture, api } = await openGroups()

    expect((await (await api.as(await fixture.user())).get('/api/group/')).body).toEqual({
      success: false,
      message: '无权进行此操作，权限不足',
    })
  })
})

describe('GET /api/user/self/groups', () => {
  test('lists the groups available to all users and the own one, if they exist', async () => {
    const { fixture, api } = await openGroups()
    const client = await api.as(await fixture.user({ group: 'staff' }))

    const { status, body } = await client.get('/api/user/self/groups')

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        message: '',
        data: { vip: { ratio: 0.5, desc: 'VIP 分组' }, staff: { ratio: 0.1, desc: '用户分组' } },
      },
    })
  })

  test('matches the groups that the relay accepts for a token', async () => {
    const { fixture, api } = await openGroups()
    await fixture.toolkit.options.set(fixture.root, 'ModelRatio', '{"m":1}')
    const names = ['default', 'vip', 'staff', 'hidden', 'retired']
    const person = await fixture.user({ group: 'staff', quota: 1000 })
    // A token is made while its group can be chosen; what it may do is asked when it is used.
    const each = (value: unknown) => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', each(1))
    await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', each('a group'))
    const keys = new Map<string, string>()
    for (const group of names) {
      await fixture.channel({ models: 'm', group })
      keys.set(group, (await fixture.token(person, { group })).key)
    }
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', RATIOS)
    await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', USABLE)

    const { body } = await (await api.as(person)).get('/api/user/self/groups')
    for (const [group, key] of keys) {
      const { ok } = await fetch(`${fixture.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
      expect({ group, allowed: ok }).toEqual({ group, allowed: group in body.data })
    }
  })

  test('is empty for an unknown group while none is selectable', async () => {
    const { fixture, api } = await openGroups()
    await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', '{}')
    const client = await api.as(await fixture.user({ group: 'nowhere' }))

    expect((await client.get('/api/user/self/groups')).body.data).toEqual({})
  })
})

describe('GET /api/user/groups', () => {
  test('lists the groups available to a visitor, with or without a session', async () => {
    const { fixture, api } = await openGroups()
    const data = { vip: { ratio: 0.5, desc: 'VIP 分组' }, default: { ratio: 1, desc: '用户分组' } }

    expect((await api.anonymous().get('/api/user/groups')).body).toEqual({ success: true, message: '', data })
    const staff = await api.as(await fixture.user({ group: 'staff' }))
    expect((await staff.get('/api/user/groups')).body.data).toEqual(data)
  })
})

describe('GET /api/group/details', () => {
  test('counts the users of each group for administrators, and lists the usable ones for users', async () => {
    const { fixture, api } = await openGroups()
    const ann = await fixture.user({ group: 'staff' })
    await fixture.channel({ models: 'a,b', group: 'vip' })

    const { body } = await (await api.as(fixture.root)).get('/api/group/details')

    const counts = { users: 0, tokens: 0, channels: 0 }
    expect(body.data.slice(1)).toEqual([
      { name: 'vip', ratio: 0.5, desc: 'VIP 分组', selectable: true, ...counts, channels: 1 },
      { name: 'staff', ratio: 0.1, desc: '', selectable: false, ...counts, users: 1 },
      { name: 'hidden', ratio: 3, desc: '', selectable: false, ...counts },
    ])
    expect((await (await api.as(ann)).get('/api/group/details')).body.data).toEqual([
      { name: 'vip', ratio: 0.5, desc: 'VIP 分组', selectable: true },
      { name: 'staff', ratio: 0.1, desc: '用户分组', selectable: false },
    ])
  })
})

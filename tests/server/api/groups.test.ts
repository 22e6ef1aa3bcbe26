import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const RATIOS = '{"default":1,"vip":0.5,"staff":0.1,"hidden":3}'
const USABLE = '{"vip":"VIP 分组","retired":"gone"}'

async function openGroups() {
  const world = await openGateway()
  await world.toolkit.options.set(world.root, 'GroupRatio', RATIOS)
  await world.toolkit.options.set(world.root, 'UserUsableGroups', USABLE)
  return { world, api: openApi(world) }
}

describe('GET /api/group/', () => {
  test('lists the names of all groups, for administrators', async () => {
    const { world, api } = await openGroups()
    const admin = await api.as(await world.user({ role: 10 }))

    const { status, body } = await admin.get('/api/group/')

    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, message: '', data: ['default', 'vip', 'staff', 'hidden'] },
    })
  })

  test('is never null', async () => {
    const { world, api } = await openGroups()
    await world.toolkit.options.set(world.root, 'GroupRatio', '{}')

    expect((await (await api.as(world.root)).get('/api/group')).body.data).toEqual([])
  })

  test('is not for users', async () => {
    const { world, api } = await openGroups()

    expect((await (await api.as(await world.user())).get('/api/group/')).body).toEqual({
      success: false,
      message: '无权进行此操作，权限不足',
    })
  })
})

describe('GET /api/user/self/groups', () => {
  test('lists the groups available to all users and the own one, if they exist', async () => {
    const { world, api } = await openGroups()
    const client = await api.as(await world.user({ group: 'staff' }))

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
    const { world, api } = await openGroups()
    await world.toolkit.options.set(world.root, 'ModelRatio', '{"m":1}')
    const names = ['default', 'vip', 'staff', 'hidden', 'retired']
    const person = await world.user({ group: 'staff', quota: 1000 })
    // A token is made while its group can be chosen; what it may do is asked when it is used.
    const each = (value: unknown) => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
    await world.toolkit.options.set(world.root, 'GroupRatio', each(1))
    await world.toolkit.options.set(world.root, 'UserUsableGroups', each('a group'))
    const keys = new Map<string, string>()
    for (const group of names) {
      await world.channel({ models: 'm', group })
      keys.set(group, (await world.token(person, { group })).key)
    }
    await world.toolkit.options.set(world.root, 'GroupRatio', RATIOS)
    await world.toolkit.options.set(world.root, 'UserUsableGroups', USABLE)

    const { body } = await (await api.as(person)).get('/api/user/self/groups')
    for (const [group, key] of keys) {
      const { ok } = await fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
      expect({ group, allowed: ok }).toEqual({ group, allowed: group in body.data })
    }
  })

  test('is empty for an unknown group while none is selectable', async () => {
    const { world, api } = await openGroups()
    await world.toolkit.options.set(world.root, 'UserUsableGroups', '{}')
    const client = await api.as(await world.user({ group: 'nowhere' }))

    expect((await client.get('/api/user/self/groups')).body.data).toEqual({})
  })
})

describe('GET /api/user/groups', () => {
  test('lists the groups available to a visitor, with or without a session', async () => {
    const { world, api } = await openGroups()
    const data = { vip: { ratio: 0.5, desc: 'VIP 分组' }, default: { ratio: 1, desc: '用户分组' } }

    expect((await api.anonymous().get('/api/user/groups')).body).toEqual({ success: true, message: '', data })
    const staff = await api.as(await world.user({ group: 'staff' }))
    expect((await staff.get('/api/user/groups')).body.data).toEqual(data)
  })
})

describe('GET /api/group/details', () => {
  test('counts the users of each group for administrators, and lists the usable ones for users', async () => {
    const { world, api } = await openGroups()
    const ann = await world.user({ group: 'staff' })
    await world.channel({ models: 'a,b', group: 'vip' })

    const { body } = await (await api.as(world.root)).get('/api/group/details')

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

import { expect, test } from 'vitest'
import { onBoth, openTestToolkit, type TestToolkit } from '../support/toolkit.ts'

const abilitiesOf = async ({ toolkit }: TestToolkit) =>
  (await toolkit.db.reader('abilities').orderBy(['group', 'model'])).map(
    ({ group, model, channel_id, enabled, priority, weight, tag }) =>
      `${group} ${model} ${channel_id} ${enabled ? 'on' : 'off'} ${priority} ${weight} ${tag}`,
  )

onBoth('channels', (open) => {
  test('have one ability per group and model, with the lifetime and status of the channel', async () => {
    const fixture = await open()
    const { toolkit, root, channel } = fixture
    const { id } = await channel({ models: 'b, a,,a', group: 'vip,default', priority: 5, weight: 3, tag: 't' })
    const rows = (state: string) =>
      ['default a', 'default b', 'vip a', 'vip b'].map((pair) => `${pair} ${id} ${state} 5 3 t`)

    expect(await abilitiesOf(fixture)).toEqual(rows('on'))
    await toolkit.channels.setStatus(root, id, 2)
    expect(await abilitiesOf(fixture)).toEqual(rows('off'))
    await toolkit.channels.setStatus(root, id, 1)
    expect(await abilitiesOf(fixture)).toEqual(rows('on'))
    await toolkit.channels.delete(root, id)
    expect(await abilitiesOf(fixture)).toEqual([])
  })

  test('never show their key: not in replies or lists, and not in the database', async () => {
    const { toolkit, root, channel } = await open()
    const made = await channel({ key: ' sk-very-secret ' })

    const responses = [made, await toolkit.channels.get(root, made.id), await toolkit.channels.list(root)]
    expect(JSON.stringify(responses)).not.toContain('sk-very-secret')
    expect(made.key).toBe('')
    const [row] = await toolkit.db.reader('channels').where({ id: made.id })
    expect(JSON.stringify(row)).not.toContain('very-secret')
    expect(row.key).toMatch(/^v1:/)
    expect((await toolkit.channelDirectory()).find(made.id)?.key).toBe('sk-very-secret')
  })

  test('of one name are created once by concurrent calls', async () => {
    const { channel } = await open()

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => channel({ name: 'same' })))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'CHANNEL_NAME_TAKEN' })
  })

  test('belong to administrators, and unknown ones are not found', async () => {
    const { toolkit, user, channel } = await open()
    const [person, admin, { id }] = [await user(), await user({ role: 10 }), await channel()]
    const { channels } = toolkit

    for (const act of [
      () => channels.get(person, id),
      () => channels.list(person),
      () => channels.create(person, { name: 'x', type: 1, key: 'k', models: 'm' }),
      () => channels.setStatus(person, id, 2),
      () => channels.recordTest(person, id, { milliseconds: 1, failure: '' }),
      () => channels.delete(person, id),
      () => channels.browse(person, {}),
      () => channels.search(person, {}),
      () => channels.update(person, id, { name: 'x' }),
      () => channels.createMany(person, { type: 1, key: 'k' }),
      () => channels.deleteMany(person, [id]),
      () => channels.deleteDisabled(person),
      () => channels.setTagStatus(person, 't', 2),
      () => channels.updateTag(person, 't', { weight: 1 }),
      () => channels.tagChannels(person, [id], 't'),
      () => channels.repair(person),
      () => channels.recordBalance(person, id, 1),
      () => channels.disableAutomatically(person, id, 'x'),
      () => channels.enableAutomatically(person, id),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    }
    for (const act of [
      () => channels.get(admin, 9999),
      () => channels.setStatus(admin, 9999, 2),
      () => channels.delete(admin, 9999),
      () => channels.update(admin, 9999, { name: 'x' }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    }
    expect(await channels.get(admin, id)).toMatchObject({ id, status: 1 })
  })

  test('are listed by priority and found by name, id, group, model, status and tag', async () => {
    const { toolkit, root, channel } = await open()
    const low = await channel({ name: 'low', models: 'gpt-4o', group: 'default' })
    const high = await channel({ name: 'high', models: 'gpt-4o-mini,o3', group: 'vip', priority: 9, tag: 'blue' })
    await toolkit.channels.setStatus(root, low.id, 2)
    const namesOf = async (query: object) => (await toolkit.channels.list(root, query)).items.map(({ name }) => name)

    expect(await namesOf({})).toEqual(['high', 'low'])
    expect(await namesOf({ keyword: 'ig' })).toEqual(['high'])
    expect(await namesOf({ keyword: String(low.id) })).toEqual(['low'])
    expect(await namesOf({ group: 'vip' })).toEqual(['high'])
    expect(await namesOf({ model: 'gpt-4o' })).toEqual(['high', 'low'])
    expect(await namesOf({ model: 'o3' })).toEqual(['high'])
    expect(await namesOf({ status: 2 })).toEqual(['low'])
    expect(await namesOf({ tag: 'blue' })).toEqual(['high'])
    expect(await namesOf({ pageSize: 1, page: 2 })).toEqual(['low'])
    expect(await toolkit.channels.get(root, high.id)).toMatchObject({ id: high.id, priority: 9 })
  })

  test('serve enabled ones to the relay, highest priority first, and follow every edit', async () => {
    const { toolkit, root, channel } = await open()
    const directory = await toolkit.channelDirectory()
    const candidates = (group: string, model: string) =>
      directory.pool(group, model).tiers.flatMap(({ candidates: tier }) => tier.map(({ id }) => id))

    const low = await channel({ models: 'a,b' })
    const high = await channel({ models: 'a', group: 'default,vip', priority: 1, model_mapping: '{"a":"a-2024"}' })
    expect(candidates('default', 'a')).toEqual([high.id, low.id])
    expect(candidates('vip', 'a')).toEqual([high.id])
    expect(candidates('vip', 'b')).toEqual([])
    expect(directory.models('default')).toEqual(['a', 'b'])
    expect(directory.find(high.id)).toMatchObject({ modelMapping: { a: 'a-2024' } })

    await toolkit.channels.setStatus(root, high.id, 2)
    expect(candidates('default', 'a')).toEqual([low.id])
    expect(directory.find(high.id)).toMatchObject({ status: 2 })
    await toolkit.channels.delete(root, low.id)
    expect(candidates('default', 'a')).toEqual([])
    expect(directory.find(low.id)).toBeUndefined()
  })
})

test('many channels changed at once are served like single changes', async () => {
  const { toolkit, root } = await openTestToolkit()
  const directory = await toolkit.channelDirectory()
  const key = Array.from({ length: 120 }, (_, index) => `sk-${index}`).join('\n')
  const sizes = () => ['a', 'b'].map((model) => directory.pool('default', model, 'chat').size)

  await toolkit.channels.createMany(root, { name: 'x', type: 1, key, models: 'a', tag: 'blue' })
  expect(sizes()).toEqual([120, 0])
  await toolkit.channels.setStatus(root, 7, 2)
  expect(sizes()).toEqual([119, 0])
  await toolkit.channels.updateTag(root, 'blue', { models: 'b' })
  expect(sizes()).toEqual([0, 119])
  expect([directory.serves('a'), directory.serves('b')]).toEqual([false, true])
  await toolkit.channels.setTagStatus(root, 'blue', 2)
  expect([...directory.groupsByModel()]).toEqual([])
})

test('a channel test stores time and duration, in whole milliseconds', async () => {
  const { toolkit, root, channel } = await openTestToolkit({ now: () => 1_700_000_000 })
  const { id } = await channel()

  await toolkit.channels.recordTest(root, id, { milliseconds: 0.2, failure: '' })

  expect(await toolkit.channels.get(root, id)).toMatchObject({ response_time: 1, test_time: 1_700_000_000 })
})

test.each([
  ['name', { name: ' ' }, 'FIELD_REQUIRED'],
  ['name', { name: 'x'.repeat(256) }, 'FIELD_LENGTH'],
  ['type', { type: 4711 }, 'CHANNEL_TYPE_UNKNOWN'],
  ['key', { key: ' ' }, 'CHANNEL_KEY_MISSING'],
  ['base_url', { type: 3 }, 'CHANNEL_BASE_URL_MISSING'],
  ['base_url', { base_url: 'ftp://example.org' }, 'FIELD_URL'],
  ['base_url', { base_url: 'example' }, 'FIELD_URL'],
  ['models', { models: ' , ' }, 'FIELD_REQUIRED'],
  ['models', { models: 'x'.repeat(256) }, 'MODEL_NAME_TOO_LONG'],
  ['group', { group: ',' }, 'FIELD_REQUIRED'],
  ['group', { group: 'x'.repeat(65) }, 'FIELD_LENGTH'],
  ['model_mapping', { model_mapping: '{' }, 'FIELD_JSON'],
  ['model_mapping', { model_mapping: '["a"]' }, 'FIELD_JSON_TEXTS'],
  ['model_mapping', { model_mapping: '{"a":1}' }, 'FIELD_JSON_TEXTS'],
  ['status_code_mapping', { status_code_mapping: '{"200":"600"}' }, 'FIELD_STATUS_PAIR'],
  ['status_code_mapping', { status_code_mapping: '{"ok":"500"}' }, 'FIELD_STATUS_PAIR'],
  ['priority', { priority: -1000 }, 'FIELD_RANGE'],
  ['priority', { priority: 1.5 }, 'FIELD_WHOLE_NUMBER'],
  ['weight', { weight: -1 }, 'FIELD_RANGE'],
  ['weight', { weight: 2 ** 31 }, 'FIELD_RANGE'],
  ['auto_ban', { auto_ban: 2 }, 'FIELD_CHOICE'],
])('a channel with a bad %s %o is rejected: %s', async (_, wrong, code) => {
  const { toolkit, root, channel } = await openTestToolkit()
  await expect(channel(wrong)).rejects.toMatchObject({ code })
  expect(await toolkit.channels.list(root)).toMatchObject({ total: 0 })
})

test('a channel is normalized: no trailing slash in its address, no empty mappings', async () => {
  const { channel } = await openTestToolkit()
  const tidy = { base_url: ' https://example.org/api// ', model_mapping: '{}', status_code_mapping: 'null' }
  expect(await channel({ ...tidy, models: ' a ,b,' })).toMatchObject({
    base_url: 'https://example.org/api',
    model_mapping: '',
    status_code_mapping: '',
    models: 'a,b',
  })
})

onBoth('a channel that was disabled automatically', (open) => {
  test('stores reason and time, beside existing fields, until it is enabled', async () => {
    const { toolkit, root, channel } = await open({ now: () => 1_700_000_000 })
    const { channels, db } = toolkit
    const { id } = await channel()
    await db.transaction((trx) => trx('channels').where({ id }).update({ other_info: '{"note":"mine"}' }))
    const info = async () => JSON.parse((await channels.get(root, id)).other_info)

    expect(await channels.enableAutomatically(root, id)).toBe(false)
    expect(await channels.disableAutomatically(root, id, 'slow')).toBe(true)
    expect(await info()).toEqual({ note: 'mine', status_reason: 'slow', status_time: 1_700_000_000 })
    expect(await channels.disableAutomatically(root, id, 'again')).toBe(false)
    expect(await info()).toMatchObject({ status_reason: 'slow' })
    expect(await channels.enableAutomatically(root, id)).toBe(true)
    expect(await info()).toMatchObject({ note: 'mine', status_reason: '' })
    expect(await channels.disableAutomatically(root, 9999, 'gone')).toBe(false)
  })

  test('requires an enabled channel that may be disabled', async () => {
    const { toolkit, root, channel } = await open()
    const [off, kept] = [await channel(), await channel({ auto_ban: 0 })]
    await toolkit.channels.setStatus(root, off.id, 2)

    for (const { id } of [off, kept]) {
      expect(await toolkit.channels.disableAutomatically(root, id, 'x')).toBe(false)
      expect(await toolkit.channels.enableAutomatically(root, id)).toBe(false)
    }
    expect(await toolkit.channels.get(root, off.id)).toMatchObject({ status: 2, other_info: '' })
    expect(await toolkit.channels.get(root, kept.id)).toMatchObject({ status: 1, other_info: '' })
  })
})

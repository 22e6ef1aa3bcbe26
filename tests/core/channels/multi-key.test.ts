import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { onBoth, openTestToolkit, type TestToolkit } from '../../support/toolkit.ts'

const setting = JSON.stringify({ multi_key_mode: 'polling' })
const KEYS = ['sk-one', 'sk-two', 'sk-three']
const NOW = 1_700_000_000

/** A channel of three keys, with what the relay has of it. */
async function keyed({ toolkit, root, channel }: TestToolkit, fields: object = {}) {
  const { id } = await channel({ key: KEYS.join('\n'), setting, ...fields })
  const directory = await toolkit.channelDirectory()
  const all = () => directory.find(id)?.ring?.all ?? []
  return {
    id,
    digestOf: (key: string) => all().find((each) => each.key === key)?.keyName.digest ?? 'unknown',
    keys: () => all().map(({ key }) => key),
    usable: () => directory.find(id)?.ring?.usable.map(({ key }) => key),
    /** By key, why it is set aside. */
    async asideOf() {
      const { multi_key } = await toolkit.channels.get(root, id)
      return Object.fromEntries(multi_key?.set_aside.map(({ index, reason }) => [KEYS[index - 1], reason]) ?? [])
    },
    fail: (key: string, reason = 'invalid key') => {
      const digest = all().find((each) => each.key === key)?.keyName.digest ?? ''
      return toolkit.channels.disableKeyAutomatically(root, id, digest, reason)
    },
  }
}

onBoth('several keys of a channel', (open) => {
  test('fail one by one: each is disabled alone, the last one disables the channel', async () => {
    const fixture = await open({ now: () => NOW })
    const { toolkit, root } = fixture
    const keys = await keyed(fixture)
    const [one, two, three] = KEYS.map(keys.digestOf)

    expect(await keys.fail('sk-two', 'no money')).toBe('key')
    expect(await keys.fail('sk-two', 'again')).toBeUndefined()
    expect(keys.usable()).toEqual(['sk-one', 'sk-three'])
    expect(JSON.parse((await toolkit.channels.get(root, keys.id)).other_info)).toEqual({
      keys: { [two as string]: { status: 3, reason: 'no money', time: NOW } },
    })
    expect(await keys.fail('sk-one')).toBe('key')
    expect(await toolkit.channels.get(root, keys.id)).toMatchObject({ status: 1 })

    expect(await keys.fail('sk-three', 'revoked')).toBe('channel')
    const lost = await toolkit.channels.get(root, keys.id)
    expect(lost.status).toBe(3)
    expect(JSON.parse(lost.other_info)).toMatchObject({
      status_reason: 'All keys are disabled; the last one: revoked',
      status_time: NOW,
      keys: { [one as string]: {}, [two as string]: {}, [three as string]: {} },
    })
    const abilities = await toolkit.db.reader('abilities').where({ channel_id: keys.id }).pluck('enabled')
    expect(abilities.map(Boolean)).toEqual([false])
  })

  test('recover one by one, and the channel with the first of them', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = await keyed(fixture)
    for (const key of KEYS) await keys.fail(key)
    const revive = (key: string) => toolkit.channels.enableKeyAutomatically(root, keys.id, keys.digestOf(key))

    expect(await revive('sk-two')).toBe('channel')
    expect(await revive('sk-two')).toBeUndefined()
    const back = await toolkit.channels.get(root, keys.id)
    expect(back.status).toBe(1)
    expect(JSON.parse(back.other_info).status_reason).toBe('')
    expect(keys.usable()).toEqual(['sk-two'])
    expect(await revive('sk-one')).toBe('key')
    expect(keys.usable()).toEqual(['sk-one', 'sk-two'])
  })

  test('that fail concurrently in several processes are each disabled once, and the channel once', async () => {
    const fixture = await open()
    const { toolkit, root, another } = fixture
    const keys = await keyed(fixture)
    const other = await another()
    const digests = KEYS.map(keys.digestOf)

    const turns = await Promise.all(
      [toolkit, other, toolkit].flatMap(({ channels }) =>
        digests.map((digest) => channels.disableKeyAutomatically(root, keys.id, digest, 'x')),
      ),
    )

    expect(turns.filter((turn) => turn === 'key')).toHaveLength(2)
    expect(turns.filter((turn) => turn === 'channel')).toHaveLength(1)
  })

  test('are all retried after the channel or its tag is enabled', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = await keyed(fixture, { tag: 'blue' })

    await keys.fail('sk-one')
    await toolkit.channels.setStatus(root, keys.id, 1)
    expect(await keys.asideOf()).toEqual({})

    for (const key of KEYS) await keys.fail(key)
    await toolkit.channels.setTagStatus(root, 'blue', 1)
    expect(await toolkit.channels.get(root, keys.id)).toMatchObject({ status: 1, multi_key: { set_aside: [] } })
    expect(keys.usable()).toEqual(KEYS)

    for (const key of KEYS) await keys.fail(key)
    await toolkit.channels.enableAutomatically(root, keys.id)
    expect(keys.usable()).toEqual(KEYS)
    expect(await keys.asideOf()).toEqual({})
  })

  test('are retried without losing concurrent writes to the channel', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = await keyed(fixture, { tag: 'blue' })
    await keys.fail('sk-one')
    const note = (info: string) => JSON.stringify({ ...JSON.parse(info), note: 'mine' })
    let turned: Promise<void> | undefined
    await toolkit.db.transaction(async (trx) => {
      const row = await trx('channels').where({ id: keys.id }).forUpdate().first('other_info')
      turned = toolkit.channels.setTagStatus(root, 'blue', 1)
      // It has come as far as it can.
      await sleep(100)
      await trx('channels')
        .where({ id: keys.id })
        .update({ other_info: note(row.other_info) })
    })
    await turned
    expect(JSON.parse((await toolkit.channels.get(root, keys.id)).other_info)).toEqual({ note: 'mine' })
  })

  test('stay disabled if a record is saved unchanged, and are reset with a new key text', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = await keyed(fixture)
    await keys.fail('sk-one', 'first')
    await keys.fail('sk-two', 'second')

    const { weight: _, ...record } = await toolkit.channels.get(root, keys.id)
    await toolkit.channels.update(root, keys.id, { ...record, weight: 5 })
    expect(await keys.asideOf()).toEqual({ 'sk-one': 'first', 'sk-two': 'second' })

    await toolkit.channels.update(root, keys.id, { key: 'sk-two\nsk-three\n\n sk-two' })
    expect(keys.keys()).toEqual(['sk-two', 'sk-three'])
    const { multi_key } = await toolkit.channels.get(root, keys.id)
    expect(multi_key).toMatchObject({ keys: 2, set_aside: [{ index: 1, reason: 'second' }] })
  })
})

describe('a channel of several keys', () => {
  test('never has keys disabled if it may not be disabled, is disabled by hand, or has no such key', async () => {
    const fixture = await openTestToolkit()
    const { toolkit, root, channel } = fixture
    const kept = await keyed(fixture, { auto_ban: 0 })
    expect(await kept.fail('sk-one')).toBeUndefined()

    const off = await keyed(fixture)
    await off.fail('sk-one')
    await toolkit.channels.setStatus(root, off.id, 2)
    expect(await off.fail('sk-two')).toBeUndefined()
    const { enableKeyAutomatically, disableKeyAutomatically } = toolkit.channels
    expect(await enableKeyAutomatically(root, off.id, off.digestOf('sk-one'))).toBeUndefined()
    expect(await disableKeyAutomatically(root, off.id, 'unknown', 'x')).toBeUndefined()
    expect(await disableKeyAutomatically(root, 9999, 'unknown', 'x')).toBeUndefined()

    const single = await channel()
    expect(await disableKeyAutomatically(root, single.id, kept.digestOf('sk-one'), 'x')).toBeUndefined()
    expect(await toolkit.channels.get(root, single.id)).toMatchObject({ status: 1, other_info: '' })
  })

  test('created in a batch is one channel, and without a mode there is one for each key', async () => {
    const { toolkit, root } = await openTestToolkit()
    const fields = { name: 'x', type: 1, models: 'a', key: KEYS.join('\n') }
    await toolkit.channels.createMany(root, { ...fields, setting })
    await toolkit.channels.createMany(root, fields)

    const { items } = await toolkit.channels.list(root)
    expect(items.map(({ multi_key }) => multi_key?.keys)).toEqual([undefined, undefined, undefined, 3])
  })

  test('shows the number of keys and never the keys; any key finds it', async () => {
    const fixture = await openTestToolkit()
    const { toolkit, root } = fixture
    const keys = await keyed(fixture)
    await keys.fail('sk-two')

    const responses = [
      ...(await toolkit.channels.list(root)).items,
      ...(await toolkit.channels.browse(root, {})),
      ...(await toolkit.channels.search(root, { keyword: 'sk-two' })),
      await toolkit.channels.get(root, keys.id),
    ]
    expect(responses).toHaveLength(4)
    for (const record of responses) {
      expect(record).toMatchObject({ key: '', multi_key: { mode: 'polling', keys: 3, set_aside: [{ index: 2 }] } })
      expect(JSON.stringify(record)).not.toMatch(/sk-/)
    }
    expect(await toolkit.channels.search(root, { keyword: 'sk-tw' })).toEqual([])
  })

  test('can become a channel with a single key and back, if the keys are sent with it', async () => {
    const fixture = await openTestToolkit()
    const { toolkit, root, channel } = fixture
    const { id } = await channel({ key: 'sk-one' })
    const directory = await toolkit.channelDirectory()
    await toolkit.channels.update(root, id, { setting, key: KEYS.join('\n') })
    expect(directory.find(id)?.ring?.all).toHaveLength(3)

    const single = JSON.stringify({ force_format: true })
    await expect(toolkit.channels.update(root, id, { setting: single })).rejects.toMatchObject({
      code: 'CHANNEL_KEY_UNUSUAL',
    })
    await toolkit.channels.update(root, id, { setting: single, key: 'sk-two' })
    expect(directory.find(id)).toMatchObject({ key: 'sk-two' })
    expect(directory.find(id)?.ring).toBeUndefined()
  })

  test('is rejected with an invalid mode, without a key, and with invalid keys', async () => {
    const { channel } = await openTestToolkit()
    const refused: [object, string][] = [
      [{ setting: JSON.stringify({ multi_key_mode: 'fastest' }) }, 'FIELD_CHOICE'],
      [{ setting: JSON.stringify({ multi_key_mode: '' }) }, 'FIELD_CHOICE'],
      [{ setting, key: ' \n\n' }, 'CHANNEL_KEY_MISSING'],
      [{ setting, key: 'sk-one\nsk-密钥' }, 'CHANNEL_KEY_UNUSUAL'],
      [{ setting, key: Array.from({ length: 1001 }, (_, index) => `sk-${index}`).join('\n') }, 'FIELD_TOO_MANY'],
      [{ key: 'sk-one\nsk-two' }, 'CHANNEL_KEY_UNUSUAL'],
    ]
    for (const [fields, code] of refused) await expect(channel(fields)).rejects.toMatchObject({ code })
  })

  test('uses the keys of an imported channel despite an unreadable other_info', async () => {
    const fixture = await openTestToolkit()
    const { toolkit, root, another } = fixture
    const keys = await keyed(fixture)
    const digest = keys.digestOf('sk-two')
    const odd = ['null', '[]', '{', '{"keys":[]}', '{"keys":{"x":null}}', `{"keys":{"${digest}":{"status":2}}}`]
    for (const other_info of odd) {
      await toolkit.db.transaction((trx) => trx('channels').where({ id: keys.id }).update({ other_info }))
      const directory = await (await another()).channelDirectory()
      expect(directory.find(keys.id)?.ring?.usable).toHaveLength(3)
      expect(await toolkit.channels.get(root, keys.id)).toMatchObject({ multi_key: { keys: 3, set_aside: [] } })
    }
  })
})

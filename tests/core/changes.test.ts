import pg from 'pg'
import { expect, test } from 'vitest'
import { CHANGES_CHANNEL, recordChange } from '../../core/changes/changes.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { whenDone } from '../support/lifetime.ts'
import { onBoth, openTestToolkit, skipWithoutPostgres } from '../support/toolkit.ts'

const WITHIN_A_SECOND = { timeout: 1000, interval: 20 }

onBoth('the change feed', (open) => {
  test('brings edits of channels, tokens and users into another process within a second', async () => {
    const { toolkit, root, user, token, channel, another } = await open()
    const other = await another()
    await other.events.follow()
    const directory = await other.channelDirectory()
    const person = await user()
    const { id: tokenId, key } = await token(person)
    const { id: channelId } = await channel()
    await expect.poll(() => directory.pool('default', 'gpt-4o').size, WITHIN_A_SECOND).toBe(1)
    expect(await other.callers.findToken(key)).toMatchObject({ status: 1 })
    expect(await other.callers.findUser(person.id)).toMatchObject({ status: 1 })

    await toolkit.channels.setStatus(root, channelId, 2)
    await toolkit.tokens.setStatus(person, tokenId, 2)
    await toolkit.accounts.manage(root, person.id, 'disable')

    await expect.poll(() => directory.pool('default', 'gpt-4o').size, WITHIN_A_SECOND).toBe(0)
    await expect.poll(() => other.callers.findToken(key), WITHIN_A_SECOND).toMatchObject({ status: 2 })
    await expect.poll(() => other.callers.findUser(person.id), WITHIN_A_SECOND).toMatchObject({ status: 2 })
  })

  test('applies a ban in the process that makes it, before the reply', async () => {
    const { toolkit, root, user } = await open()
    await toolkit.events.follow()
    const person = await user()
    expect(await toolkit.callers.findUser(person.id)).toMatchObject({ status: 1 })

    await toolkit.accounts.manage(root, person.id, 'disable')

    expect(await toolkit.callers.findUser(person.id)).toMatchObject({ status: 2 })
  })

  test('reports each change once, and a rolled-back change never', async () => {
    const { toolkit, another } = await open()
    const other = await another()
    await other.events.follow()
    await other.events.catchUp()
    const notifications: (string[] | undefined)[] = []
    other.events.on('token', (ids) => void notifications.push(ids))

    await toolkit.db.transaction((trx) => recordChange(trx, 'token', [7, 8]))
    await toolkit.db
      .transaction(async (trx) => {
        await recordChange(trx, 'token', [9])
        throw new Error('rolled back')
      })
      .catch(() => {})
    await toolkit.db.transaction((trx) => recordChange(trx, 'token', [10]))
    await expect.poll(() => notifications.flat().includes('10'), WITHIN_A_SECOND).toBe(true)
    await other.events.catchUp()

    expect(notifications.flat()).toEqual(['7', '8', '10'])
  })

  test('notifies a listener again after it failed', async () => {
    const { toolkit, another } = await open()
    const other = await another()
    const notifications: string[] = []
    let broken = true
    other.events.on('token', (ids) => {
      if (broken) throw new Error('the database is away')
      notifications.push(...(ids ?? []))
    })
    await toolkit.db.transaction((trx) => recordChange(trx, 'token', [7]))

    await other.events.catchUp().catch(() => {})
    broken = false
    await other.events.catchUp()

    expect(notifications).toContain('7')
  })
})

test('a transaction that starts earlier and commits later is not missed on PostgreSQL', async (context) => {
  await skipWithoutPostgres(context)
  const { toolkit, root, another } = await openTestToolkit({ database: 'postgres' })
  const other = await another()
  await other.events.follow()
  let commit: () => void = () => {}
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve
  })
  const late = toolkit.db.transaction(async (trx) => {
    await recordChange(trx, 'option', ['RetryTimes'])
    await trx('options').insert({ key: 'RetryTimes', value: '4' })
    await mayCommit
  })

  await toolkit.options.set(root, 'SystemName', 'Elsewhere')
  await expect.poll(() => other.options.get(OPTIONS.SystemName), WITHIN_A_SECOND).toBe('Elsewhere')
  expect(other.options.get(OPTIONS.RetryTimes)).toBe(0)
  commit()
  await late

  await expect.poll(() => other.options.get(OPTIONS.RetryTimes), WITHIN_A_SECOND).toBe(4)
})

test('on PostgreSQL, a change wakes the waiting processes', async (context) => {
  await skipWithoutPostgres(context)
  const { toolkit, config } = await openTestToolkit({ database: 'postgres' })
  const listener = new pg.Client({ connectionString: config.databaseUrl })
  await listener.connect()
  whenDone(() => listener.end())
  const woken: string[] = []
  listener.on('notification', ({ channel }) => woken.push(channel))
  await listener.query(`LISTEN ${CHANGES_CHANNEL}`)

  await toolkit.db.transaction((trx) => recordChange(trx, 'token', [7]))

  await expect.poll(() => woken).toEqual([CHANGES_CHANNEL])
})

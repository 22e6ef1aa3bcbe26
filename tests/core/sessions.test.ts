import { expect, test } from 'vitest'
import { endSessions, SESSION_SECONDS } from '../../core/sessions.ts'
import { banWithSessions, onBoth } from '../support/toolkit.ts'

onBoth('a session', (open) => {
  test('returns its user in the current state, for thirty days', async () => {
    let now = 1_700_000_000
    const { toolkit, user } = await open({ now: () => now })
    const person = await user()
    const id = await toolkit.sessions.create(person.id)

    expect(await toolkit.sessions.find(id)).toEqual({ ...person, status: 1, group: 'default' })
    await banWithSessions({ toolkit }, person.id)
    expect(await toolkit.sessions.find(id)).toMatchObject({ status: 2 })
    now += SESSION_SECONDS - 1
    expect(await toolkit.sessions.find(id)).toBeDefined()
    now += 1
    expect(await toolkit.sessions.find(id)).toBeUndefined()
  })

  test('that was never created, or whose user is deleted, has no user', async () => {
    const { toolkit, user } = await open()
    const person = await user()
    const id = await toolkit.sessions.create(person.id)
    await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ deleted_at: 'now' }))

    expect(await toolkit.sessions.find(id)).toBeUndefined()
    expect(await toolkit.sessions.find('made up')).toBeUndefined()
    expect(await toolkit.sessions.find('')).toBeUndefined()
  })

  test('ends alone or with all of its user, and those of others stay', async () => {
    const { toolkit, user } = await open()
    const [one, two] = [await user(), await user()]
    const ids = await Promise.all([one, one, one, two].map(({ id }) => toolkit.sessions.create(id)))
    const alive = async () => (await Promise.all(ids.map((id) => toolkit.sessions.find(id)))).map(Boolean)

    await toolkit.sessions.delete(String(ids[0]))
    expect(await alive()).toEqual([false, true, true, true])
    await toolkit.db.transaction((trx) => endSessions(trx, one.id))
    expect(await alive()).toEqual([false, false, false, true])
  })

  test('cannot be stolen from the database, and is deleted after it expires', async () => {
    let now = 1_700_000_000
    const { toolkit, root } = await open({ now: () => now })
    const id = await toolkit.sessions.create(root.id)

    expect(id).toMatch(/^[0-9a-zA-Z]{43}$/)
    expect(JSON.stringify(await toolkit.db.reader('sessions'))).not.toContain(id)
    now += SESSION_SECONDS + 1
    await toolkit.sessions.create(root.id)
    expect(await toolkit.db.reader('sessions')).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import { userOrDeleted } from '../../cli/users.ts'
import { shared } from '../support/lifetime.ts'
import { createWorld } from './support.ts'

const world = shared(() => createWorld())

test('a deleted user is found by id although the digits are in the names of more users than a page has', async () => {
  await world().inside(async (toolkit, root) => {
    const { id } = await toolkit.accounts.create(root, { username: 'first', password: 'a-password' })
    await toolkit.accounts.manage(root, id, 'delete')
    const { id: _, ...row } = await toolkit.db.reader('users').where({ id }).first()
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...row,
      username: `many${at}-${id}`,
      aff_code: `code-${at}`,
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('users', rows, 20))

    expect(await userOrDeleted(toolkit, root, String(id))).toMatchObject({ id, username: 'first' })
    await expect(userOrDeleted(toolkit, root, `${id}9999`)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})

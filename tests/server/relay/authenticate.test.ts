import { expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { authenticate } from '../../../server/relay/admission/authenticate.ts'

const token = (name: string) => ({
  id: 1,
  userId: 1,
  memberId: 0,
  name,
  status: 1,
  expiredTime: -1,
  unlimited: true,
  models: undefined,
  addresses: [],
  group: '',
  storesResponses: true,
})
const user = { id: 1, username: 'root', status: 1, role: ROLE.root, group: 'default' }
/** A directory that has two keys in memory, or reads them. */
const directory = (isRead: boolean) => {
  const tokens: Record<string, ReturnType<typeof token>> = { plain: token('ours'), 'a-b-7': token('imported') }
  const find = (key: string) => tokens[key]
  return {
    findToken: (key: string) => (isRead ? Promise.resolve(find(key)) : find(key)),
    findUser: () => (isRead ? Promise.resolve(user) : user),
  }
}

test.each([false, true])(
  'an imported key may contain hyphens, and others name a channel (read: %s)',
  async (isRead) => {
    const callers = directory(isRead)
    const named = async (key: string) => {
      const { token: found, pinnedChannelId } = await authenticate(callers, { key, now: 0 })
      return [found.name, pinnedChannelId]
    }

    expect(await named('sk-a-b-7')).toEqual(['imported', 0])
    expect(await named('sk-plain')).toEqual(['ours', 0])
    expect(await named('sk-plain-7')).toEqual(['ours', 7])
    for (const key of ['sk-plain-0', 'sk-plain-00']) {
      await expect(async () => named(key)).rejects.toMatchObject({ code: 'CHANNEL_ID_INVALID' })
    }
    await expect(async () => named('sk-plain-x')).rejects.toMatchObject({ code: 'CHANNEL_ID_INVALID' })
    await expect(async () => named('sk-other-7')).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
  },
)

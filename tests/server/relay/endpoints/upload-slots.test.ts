import { expect, test } from 'vitest'
import { UploadSlots } from '../../../../server/relay/endpoints/upload-slots.ts'

const refusal = expect.objectContaining({ code: 'RATE_LIMITED' })

test('uploads on disk are limited per user, and separate for each user', () => {
  const spools = new UploadSlots({ ofUser: 2, inAll: 10 })
  const leave = spools.acquire(1)
  spools.acquire(1)
  expect(() => spools.acquire(1)).toThrow(refusal)
  spools.acquire(2)
  leave()
  leave()
  spools.acquire(1)
  expect(() => spools.acquire(1)).toThrow(refusal)
})

test('uploads of all users together are limited', () => {
  const spools = new UploadSlots({ ofUser: 2, inAll: 2 })
  const leave = spools.acquire(1)
  spools.acquire(2)
  expect(() => spools.acquire(3)).toThrow(refusal)
  leave()
  expect(() => spools.acquire(3)).not.toThrow()
})

import { expect, test } from 'vitest'
import { UploadSlots } from '../../../../server/relay/endpoints/upload-slots.ts'

const refusal = expect.objectContaining({ code: 'RATE_LIMITED' })

test('a user has so many uploads on disk at once, and another one has as many', () => {
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

test('all users together have so many', () => {
  const spools = new UploadSlots({ ofUser: 2, inAll: 2 })
  const leave = spools.acquire(1)
  spools.acquire(2)
  expect(() => spools.acquire(3)).toThrow(refusal)
  leave()
  expect(() => spools.acquire(3)).not.toThrow()
})

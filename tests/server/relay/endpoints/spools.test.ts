import { expect, test } from 'vitest'
import { Spools } from '../../../../server/relay/endpoints/spools.ts'

const refusal = expect.objectContaining({ code: 'RATE_LIMITED' })

test('a user has so many uploads on disk at once, and another one has as many', () => {
  const spools = new Spools({ ofUser: 2, inAll: 10 })
  const leave = spools.enter(1)
  spools.enter(1)
  expect(() => spools.enter(1)).toThrow(refusal)
  spools.enter(2)
  leave()
  leave()
  spools.enter(1)
  expect(() => spools.enter(1)).toThrow(refusal)
})

test('all users together have so many', () => {
  const spools = new Spools({ ofUser: 2, inAll: 2 })
  const leave = spools.enter(1)
  spools.enter(2)
  expect(() => spools.enter(3)).toThrow(refusal)
  leave()
  expect(() => spools.enter(3)).not.toThrow()
})

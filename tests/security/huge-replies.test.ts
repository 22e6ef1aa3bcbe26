import { expect, test } from 'vitest'
import { ReplyBudget } from '../../server/relay/transport/reply-budget.ts'
import { UpstreamBody } from '../../server/relay/transport/upstream-reply.ts'

/*
 * An upstream whose replies never end: 40 at a time took the process from 165 MB to more than 5 GB.
 */

const MB = 1024 * 1024
const ONE = Buffer.alloc(MB)
const HUGE = 1000 * MB

/** A reply of which so many megabytes have arrived, and which goes on. */
function arriving(megabytes: number): UpstreamBody {
  const body = new UpstreamBody()
  for (let number = 0; number < megabytes; number++) body.push(ONE)
  return body
}

test('buffered replies share one budget, which is released when they end', async () => {
  const budget = new ReplyBudget(10 * MB)
  const [first, second, third] = [arriving(6), arriving(6), arriving(6)]

  const collected = first.whole(HUGE, budget)
  await expect(second.whole(HUGE, budget)).rejects.toThrow('too large')
  first.end(undefined)
  expect(await collected).toHaveLength(6 * MB)
  const again = third.whole(HUGE, budget)
  third.end(undefined)

  expect(await again).toHaveLength(6 * MB)
})

test('the budget of a reply is released if it breaks off, or is too large by itself', async () => {
  const budget = new ReplyBudget(10 * MB)
  const [broken, endless] = [arriving(8), arriving(8)]

  const cut = broken.whole(HUGE, budget)
  broken.end(new Error('reset'))
  await expect(cut).rejects.toThrow('reset')
  const stopped = endless.whole(8 * MB, budget)
  endless.push(ONE)
  await expect(stopped).rejects.toThrow('too large')

  const last = arriving(10)
  const whole = last.whole(HUGE, budget)
  last.end(undefined)
  expect(await whole).toHaveLength(10 * MB)
})

test('ordinary replies are served while the budget is exhausted', async () => {
  const budget = new ReplyBudget(4 * MB)
  const large = arriving(4).whole(HUGE, budget)
  const ordinary = arriving(1)

  const whole = ordinary.whole(HUGE, budget)
  ordinary.end(undefined)

  expect(await whole).toHaveLength(MB)
  expect(await Promise.race([large, 'still arriving'])).toBe('still arriving')
})

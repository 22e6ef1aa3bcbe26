import { expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import type { Ledger } from '../../../core/ledger/ledger.ts'
import { BY_USAGE, NEUTRAL, type Price } from '../../../core/pricing/price.ts'
import { holdExtender } from '../../../server/relay/charging/extend.ts'
import { Meter } from '../../../server/relay/charging/meter.ts'
import type { Interruption } from '../../../server/relay/delivery/interruption.ts'

/** One quota for each token. */
const PRICE: Price = {
  ...NEUTRAL,
  modelPrice: BY_USAGE,
  modelRatio: 1,
  groupRatio: 1,
  quotaPerUnit: 500_000,
  source: 'option',
}

/** Says one word at a time until it is cut. Answers how many words were said, and how often the balance was asked. */
async function sayAll({ balance, words }: { balance: number; words: number }) {
  const meter = new Meter()
  const ledger = {
    async extend(_: unknown, quota: number) {
      extensions += 1
      if (quota > left) throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: left })
      left -= quota
    },
  } as unknown as Ledger
  let extensions = 0
  let left = balance
  const interruption = {
    cause: '',
    abort(cause: string) {
      interruption.cause = cause
    },
  }
  const progress = holdExtender({
    ledger,
    hold: { userId: 1, budgetTokenId: 0, quota: 0, open: true, lost: false, place: -1, number: 1 },
    price: PRICE,
    meter,
    coveredTokens: 0,
    interruption: interruption as unknown as Interruption,
  })
  let sentTokens = 0
  while (sentTokens < words && !interruption.cause) {
    meter.read([{ kind: 'text', text: 'word ' }])
    sentTokens += 1
    await progress.onProgress()
  }
  return { sentTokens, extensions, left, cause: interruption.cause }
}

test('a stream continues until the balance is exhausted, also if a whole step exceeds it', async () => {
  const { sentTokens: total, left, cause } = await sayAll({ balance: 900, words: 5000 })
  expect(cause).toBe('quota')
  expect(left).toBeLessThan(5)
  expect(total).toBeGreaterThan(500)
})

test('an ample balance is held in steps, and a short one not for each token', async () => {
  const ample = await sayAll({ balance: 1e6, words: 2000 })
  expect(ample).toMatchObject({ sentTokens: 2000, cause: '' })
  expect(ample.extensions).toBeLessThan(5)
  expect((await sayAll({ balance: 1500, words: 5000 })).extensions).toBeLessThan(60)
})

import { expect, test } from 'vitest'
import type { FailedRelay } from '../../../core/logs/failures.ts'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import { translateRemarks } from '../../../core/logs/remarks.ts'
import { bill, onBoth, type TestToolkit } from '../../support/toolkit.ts'

const NOW = 1_700_000_000

const failure = (requestId: string, more: Partial<FailedRelay> = {}): FailedRelay => ({
  requestId,
  userId: 1,
  username: 'ann',
  tokenId: 0,
  tokenName: '',
  modelName: 'm',
  channelId: 0,
  group: 'default',
  useTimeSeconds: 1,
  isStream: false,
  at: NOW,
  content: 'no channel',
  status: 503,
  code: null,
  tries: [],
  ...more,
})

const requests = ({ toolkit }: TestToolkit) => toolkit.db.reader('failed_relays').orderBy('log_id').pluck('request_id')
const failedRows = ({ toolkit }: TestToolkit) => toolkit.db.reader('logs').where({ type: LOG_TYPE.error }).pluck('id')

onBoth('rows of failed relays', (open) => {
  test('written again after a lost COMMIT reply exist once', async () => {
    const fixture = await open()
    const suppressed = failure('', { suppressed: 7, lastRequestId: 'b', tries: [] })
    const first = [failure('a'), failure('b'), suppressed]
    await fixture.toolkit.logs.writeFailures(first)

    await fixture.toolkit.logs.writeFailures([...first, failure('c'), { ...suppressed, lastRequestId: 'c' }])

    expect(await requests(fixture)).toEqual(['a', 'b', 'until b', 'c', 'until c'])
    expect(await failedRows(fixture)).toHaveLength(5)
  })

  test('that count several say so in the reader’s language', async () => {
    const { toolkit, root } = await open()
    await toolkit.logs.writeFailures([failure('', { suppressed: 7, lastRequestId: 'b', username: root.username })])
    for (const reader of [root, { ...root, role: 1 }]) {
      const [row] = (await toolkit.logs.list(reader, { type: LOG_TYPE.error })).items
      const texts = (['zh', 'en'] as const).map(
        (language) => row && translateRemarks(row, language, { inCurrency: true, quotaPerUnit: 1 }).content,
      )
      expect(texts).toEqual([
        '同一秒内的另外 7 次失败只计数，未逐条记录',
        '7 more failures in this second were counted, not recorded one by one',
      ])
    }
  })

  test('of a request repeated with an idempotency key both exist', async () => {
    const fixture = await open()
    await fixture.toolkit.logs.writeFailures([failure('a')])
    await fixture.toolkit.logs.writeFailures([failure('a', { at: NOW + 5 })])
    expect(await requests(fixture)).toEqual(['a', 'a'])
  })

  test('leave no rows after the log is cleared', async () => {
    const fixture = await open({ now: () => NOW + 100 })
    await fixture.toolkit.logs.writeFailures([failure('a'), failure('b', { at: NOW + 50 })])
    await fixture.toolkit.logs.clear(fixture.root, NOW + 10)
    expect(await requests(fixture)).toEqual(['b'])
    expect(await failedRows(fixture)).toHaveLength(1)
  })

  test('do not remove a charge that reused one of their ids', async () => {
    const fixture = await open({ now: () => NOW + 100 })
    const { toolkit } = fixture
    const person = await fixture.user({ quota: 1000 })
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 5 })
    await toolkit.ledger.settle(hold, bill(person, { quota: 5 }))
    const { id } = await toolkit.db.reader('logs').where({ type: LOG_TYPE.consumption }).first('id')
    // As a failover to a replica that lagged leaves it.
    await toolkit.db.transaction((trx) =>
      trx('failed_relays').insert({ log_id: id, request_id: 'gone', created_at: NOW }),
    )

    await toolkit.logs.removeFailures(NOW + 1000)

    expect(await requests(fixture)).toEqual([])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

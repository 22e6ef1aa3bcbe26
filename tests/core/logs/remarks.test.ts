import { expect, test } from 'vitest'
import { storedEvent, TEST_NAME, translateRemarks } from '../../../core/logs/remarks.ts'
import { type Event, eventText } from '../../../core/logs/texts.ts'
import { en } from '../../../core/messages/en.ts'
import type { Language } from '../../../core/messages/language.ts'
import { type CoreTextId, textIn } from '../../../core/messages/texts.ts'
import { zh } from '../../../core/messages/zh.ts'
import { ratioText } from '../../../server/relay/charging/price-text.ts'

const display = { inCurrency: true, quotaPerUnit: 500_000 }
const row = (content: string, other = '') => ({ content, other, token_name: '' })
const EVENTS = [...new Set(Object.keys(en.event).map((key) => key.replace(/_(one|other)$/, '')))].map(
  (text) =>
    ({
      text,
      quota: 500_000,
      before: 250_000,
      redemptionId: 7,
      money: 1.5,
      count: 2,
      taskId: 'task-1',
      promptTokens: 5,
      completionTokens: 3,
      cost: 250_000,
      team: 'Ops',
      user: 'ann',
    }) as Event,
)

test.each(EVENTS)('the stored form of $text is shown in each language', (event) => {
  const stored = row(eventText(event, display), storedEvent(event))

  expect(translateRemarks(stored, 'zh', display).content).toBe(stored.content)
  const english = translateRemarks(stored, 'en', display).content
  expect(english).toBe(eventText(event, display, 'en'))
  expect(english).not.toMatch(/\p{Script=Han}|undefined|NaN/u)
})

test('amounts use the current currency settings', () => {
  const stored = row('新用户注册赠送 ＄1.000000 额度', storedEvent({ text: 'new-user-grant', quota: 500_000 }))
  expect(translateRemarks(stored, 'en', { inCurrency: false, quotaPerUnit: 500_000 }).content).toBe(
    'Granted 500000 quota to a new user',
  )
})

test.each([
  [
    '批处理 batch_1，3 个请求的预估费用，批处理折扣 0.50',
    'batch batch_1, estimate for 3 requests, batch discount 0.50',
  ],
  ['批处理 batch_1，超出预估的费用', 'batch batch_1, price above its estimate'],
  ['模型倍率 0.075，补全倍率 4.00，分组倍率 1.00', 'model ratio 0.075, completion ratio 4.00, group ratio 1.00'],
  [
    '模型价格 0.04，分组倍率 2.00（可能是上游超时）',
    'model price 0.04, group ratio 2.00 (the upstream may have timed out)',
  ],
  [
    '模型倍率 1.00，分组倍率 1.00，web_search 2 次 × $0.01，image_generation 1 次 × $0.04',
    'model ratio 1.00, group ratio 1.00, web_search 2 calls × $0.01, image_generation 1 call × $0.04',
  ],
  [
    '模型价格 0.08，分组倍率 1.00, 大小 1024x1024, 品质 hd',
    'model price 0.08, group ratio 1.00, size 1024x1024, quality hd',
  ],
  [
    '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 7',
    'fixed model price 0.10, group ratio 1.00, action IMAGINE, ID 7',
  ],
  [
    '批处理 （上游尚未确认），1 个请求的预估费用，批处理折扣 0.50',
    'batch (not yet confirmed by the upstream), estimate for 1 request, batch discount 0.50',
  ],
])('the price of a relay is shown in English: %s', (chinese, english) => {
  expect(translateRemarks(row(chinese), 'en', display).content).toBe(english)
  expect(translateRemarks(row(chinese), 'zh', display).content).toBe(chinese)
})

test('every Chinese word that new rows can contain is shown in English', () => {
  const ids = Object.keys(zh.remark).map((key) => key.replace(/_other$/, ''))
  for (const key of ids.filter((key) => key !== 'channelTest')) {
    const id = `remark.${key}` as CoreTextId
    const contentIn = (language: Language) => `, ${textIn(language, id, { count: 3 })} × 1`
    const { content } = translateRemarks(row(`批处理 ${contentIn('zh')}`), 'en', display)
    expect(content).toBe(`batch ${contentIn('en')}`)
  }
  expect(TEST_NAME).toBe(textIn('zh', 'remark.channelTest'))
})

test('a channel test is labeled in English', () => {
  const tested = { content: TEST_NAME, token_name: TEST_NAME, other: '' }
  expect(translateRemarks(tested, 'en', display)).toMatchObject({ content: 'channel test', token_name: 'channel test' })
})

test.each(['', '{"event":7}', '{"event":{"text":"toString"}}', '{"event":', '{"frt":1}'])(
  'a row without a known event keeps its text: %s',
  (other) => expect(translateRemarks(row('旧的备注', other), 'en', display).content).toBe('旧的备注'),
)

test.each([
  [1, '1.00'],
  [2.5, '2.50'],
  [1.25, '1.25'],
  [0.075, '0.075'],
  [0.1 + 0.2, '0.30'],
  [1 / 3, '0.333333333333'],
])('the ratio %d is shown as %s, not rounded', (ratio, text) => expect(ratioText(ratio)).toBe(text))

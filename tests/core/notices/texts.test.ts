import { expect, test } from 'vitest'
import { noticeText } from '../../../core/notices/texts.ts'

const display = { inCurrency: true, quotaPerUnit: 500_000 }

test.each([
  ['en', '80% of the budget of ann per day is used'],
  ['zh', 'ann 的每天预算已使用 80%'],
] as const)('a window budget is described in %s', (language, title) => {
  const data = { name: 'ann', percent: 80, quota: 500_000, period: 'day' }
  const notice = { event: 'budget.reached', subject: 'limit:1/user:2', data }
  expect(noticeText(notice, { language, display }).title).toBe(title)
})

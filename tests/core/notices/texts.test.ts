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

test.each([
  ['en', '80% of the budget of app (@lab) is used'],
  ['zh', 'app（@lab）的预算已使用 80%'],
] as const)('the budget of a team key is described with its team in %s', (language, title) => {
  const data = { name: 'app', username: '@lab', percent: 80, quota: 500_000 }
  expect(noticeText({ event: 'budget.reached', subject: 'token:2', data }, { language, display }).title).toBe(title)
})

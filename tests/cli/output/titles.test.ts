import { expect, test } from 'vitest'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../../../cli/columns/channel-health.ts'
import { LIMIT_STATUS_COLUMNS } from '../../../cli/columns/limit.ts'
import { GROUP_COLUMNS } from '../../../cli/commands/group.ts'
import { titleOf } from '../../../cli/output/column.ts'
import { plainFormat } from '../../../cli/output/format.ts'
import { ENGLISH, loadTexts } from '../../../cli/texts.ts'

test('a column whose English title has two meanings has a Chinese title of its own', async () => {
  const zh = await loadTexts('zh')
  const titlesOf = (columns: readonly { name: string; title?: string }[], names: string[]) =>
    columns.filter(({ name }) => names.includes(name)).map((column) => [titleOf(column, ENGLISH), titleOf(column, zh)])
  expect(titlesOf(GROUP_COLUMNS, ['tokens'])).toEqual([['tokens', '令牌']])
  expect(titlesOf(LIMIT_STATUS_COLUMNS, ['of'])).toEqual([['of', '上限']])
  expect(titlesOf(TROUBLE_COLUMNS, ['of'])).toEqual([['of', '对象']])
})

test('the health of a channel is Chinese', async () => {
  const format = { ...plainFormat(), ...(await loadTexts('zh')) }
  const circuit = {
    channel_id: 1,
    channel_name: 'a',
    node_id: '',
    scope: 'model',
    subject: 'gpt-4o',
    state: 'open',
    class: 'server',
    reason: '',
    since: 1,
    retry_at: 2,
  } as const
  const [trouble] = troublesOf({ circuits: [circuit], disabled: [] })
  const event = { ...circuit, id: 1, created_at: 1, event: 'opened', scope: 'key' } as const
  expect(TROUBLE_COLUMNS.slice(1, 3).map(({ value }) => trouble && value(trouble, format))).toEqual([
    '熔断中 (server)',
    '模型 gpt-4o',
  ])
  expect(EVENT_COLUMNS.slice(1, 3).map(({ value }) => value(event, format))).toEqual(['已熔断', '密钥 gpt-4o'])
})

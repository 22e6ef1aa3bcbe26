import { expect, test } from 'vitest'
import type { SensitiveHit } from '../../../core/sensitive/sensitive.ts'
import { onBoth, openTestToolkit, type Person } from '../../support/toolkit.ts'

const hitOf = ({ id, username }: Person, more: Partial<SensitiveHit> = {}): SensitiveHit => ({
  requestId: 'request-1',
  userId: id,
  username,
  tokenId: 3,
  tokenName: 'key',
  model: 'gpt-4o',
  group: 'default',
  words: ['secret word'],
  ...more,
})

test('words are searched if both switches are on and the list has one', async () => {
  const { toolkit, root } = await openTestToolkit()
  const { sensitiveWords, options } = toolkit
  expect(sensitiveWords.find(['a Test_Sensitive prompt'])).toEqual(['test_sensitive'])

  for (const name of ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled']) {
    await options.set(root, name, 'false')
    expect([name, sensitiveWords.isActive(), sensitiveWords.find(['test_sensitive'])]).toEqual([name, false, []])
    expect(await sensitiveWords.findInTurns(['test_sensitive'])).toEqual([])
    await options.set(root, name, 'true')
    expect(sensitiveWords.isActive()).toBe(true)
  }

  await options.set(root, 'SensitiveWords', 'one\r\n\r\n two ')
  expect(sensitiveWords.find(['test_sensitive', 'TWO', 'and one'])).toEqual(['two', 'one'])
  await options.set(root, 'SensitiveWords', '\r\n \n')
  expect([sensitiveWords.isActive(), sensitiveWords.find(['one two'])]).toEqual([false, []])
})

test('a change by another process applies to the next prompt', async () => {
  const fixture = await openTestToolkit()
  const other = await fixture.another()
  expect(other.sensitiveWords.find(['one'])).toEqual([])
  await fixture.toolkit.options.set(fixture.root, 'SensitiveWords', 'one')
  await other.events.catchUp()
  expect(other.sensitiveWords.find(['one'])).toEqual(['one'])
})

test('long texts are searched in parts between other work, with the same result', async () => {
  const { toolkit, root } = await openTestToolkit()
  await toolkit.options.set(root, 'SensitiveWords', 'needle\n针')
  const hay = 'hay '.repeat(50_000)
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const matches = await toolkit.sensitiveWords.findInTurns([hay, `${hay.slice(0, 16 * 1024 - 3)}needle${hay}`, 'a 针'])
  clearInterval(counting)
  expect(matches).toEqual(['needle', '针'])
  expect(turns).toBeGreaterThan(0)
  expect(await toolkit.sensitiveWords.findInTurns(['need', 'le'])).toEqual(['needle'])
})

/** Long enough to be remembered. */
const long = (text: string) => `${text} ${'hay '.repeat(30)}`

test.each(['find', 'findInTurns'] as const)(
  '%s finds words beside and across texts that were searched before',
  async (find) => {
    const { toolkit, root } = await openTestToolkit()
    await toolkit.options.set(root, 'SensitiveWords', 'one word\nneedle')
    const search = toolkit.sensitiveWords[find]
    const [clean, end, start] = [long('clean'), `${'hay '.repeat(30)}need`, `le ${'hay '.repeat(30)}`]

    for (const texts of [[clean], [end], [start]]) expect(await search(texts)).toEqual([])
    expect(await search([clean, end, start])).toEqual(['needle'])
    expect(await search([end, start])).toEqual(['needle'])
    // A text whose word was already found in another one is not clean.
    expect(await search([long('a needle'), long('another needle')])).toEqual(['needle'])
    expect(await search([long('another needle')])).toEqual(['needle'])
    expect(await search([clean])).toEqual([])
  },
)

test('texts that were clean are searched again for a new list', async () => {
  const { toolkit, root } = await openTestToolkit()
  const text = long('a needle')
  expect(toolkit.sensitiveWords.find([text])).toEqual([])

  await toolkit.options.set(root, 'SensitiveWords', 'needle')

  expect(toolkit.sensitiveWords.find([text])).toEqual(['needle'])
})

test('at most ten words are reported', async () => {
  const { toolkit, root } = await openTestToolkit()
  const words = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at))
  await toolkit.options.set(root, 'SensitiveWords', words.join('\n'))
  expect(toolkit.sensitiveWords.find([words.join(' '), 'z'])).toEqual(words.slice(0, 10))
  expect(await toolkit.sensitiveWords.findInTurns([words.join(' '), 'z'])).toEqual(words.slice(0, 10))
})

onBoth('a refusal', (open) => {
  test('has one log row per user and minute, with the words for administrators only', async () => {
    let now = 1_800_000_000
    const { toolkit, root, user, balance } = await open({ now: () => now })
    const [ann, bob] = [await user({ quota: 5 }), await user()]
    const record = toolkit.sensitiveWords.record
    await record(hitOf(ann, { model: `m\0${'x'.repeat(400)}` }))
    await record(hitOf(ann, { requestId: 'request-2' }))
    await record(hitOf(bob))
    now += 60
    await record(hitOf(ann, { requestId: 'request-3' }))

    const rows = (await toolkit.logs.list(root, { type: 4 })).items.filter(({ token_name }) => token_name === 'key')
    expect(rows.map(({ username, other }) => [username, JSON.parse(other).request_id])).toEqual([
      [ann.username, 'request-3'],
      [bob.username, 'request-1'],
      [ann.username, 'request-1'],
    ])
    expect(rows[0]).toMatchObject({ quota: 0, token_id: 3, model_name: 'gpt-4o', group: 'default', request_id: '' })
    expect(JSON.parse(rows[0]?.other ?? '')).toEqual({
      request_id: 'request-3',
      admin_info: { sensitive_words: ['secret word'] },
    })
    expect(rows[2]?.model_name).toHaveLength(255)
    const seen = (await toolkit.logs.list(ann, { type: 4 })).items
    expect(seen.map(({ content }) => content)).toContain('请求包含敏感词，已被拒绝')
    expect(JSON.stringify(seen)).not.toContain('secret')
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await balance(ann)).toBe(5)
  })
})

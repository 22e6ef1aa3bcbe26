import { describe, expect, test } from 'vitest'
import { enriched } from '../../../cli/output/json-view.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { CHANNEL } from '../support.ts'

test('epochs have ISO times beside them: seconds, milliseconds, never and unset', () => {
  expect(
    enriched({
      items: [{ created_time: 1_700_000_000, expired_time: -1, submit_time: 1_700_000_000_123, use_time: 3 }],
    }),
  ).toEqual({
    items: [
      {
        created_time: 1_700_000_000,
        created_time_iso: '2023-11-14T22:13:20Z',
        expired_time: -1,
        expired_time_iso: null,
        submit_time: 1_700_000_000_123,
        submit_time_iso: '2023-11-14T22:13:20.123Z',
        use_time: 3,
      },
    ],
  })
})

describe.each(BACKINGS)('JSON, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(async ({ tokens, channels }, root) => {
      for (const name of ['first', 'second']) await tokens.create(root, { name, unlimited_quota: true })
      await channels.create(root, CHANNEL)
    })
    return opened
  })
  const printed = async (...words: string[]) => {
    const { stdout, stderr, exitCode } = await world().run(words)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    return stdout
  }

  test('has names beside numbers, and renames no field', async () => {
    const { items } = JSON.parse(await printed('token', 'list', '--json'))
    expect(items[0]).toMatchObject({ status: 1, status_name: 'enabled', expired_time: -1, expired_time_iso: null })
    expect(items[0].created_time_iso).toBe(new Date(items[0].created_time * 1000).toISOString().replace('.000Z', 'Z'))
    const [user] = JSON.parse(await printed('user', 'list', '--json')).items
    expect(user).toMatchObject({ role: 100, role_name: 'root', status_name: 'enabled' })
    const channel = JSON.parse(await printed('channel', 'get', '1', '--json'))
    expect(channel).toMatchObject({ status_name: 'enabled' })
  })

  test('--fields keeps the given fields in their order, in the same envelope', async () => {
    const page = JSON.parse(await printed('token', 'list', '--fields', 'name,id,status_name'))
    expect(page).toMatchObject({ total: 2, page: 1 })
    expect(page.items.map(Object.keys)).toEqual(Array(2).fill(['name', 'id', 'status_name']))
  })

  test('--jq filters like jq, with raw texts', async () => {
    expect(await printed('token', 'list', '--jq', '.items | map(.name) | sort | .[]')).toBe('first\nsecond')
    expect(await printed('token', 'list', '--jq', '.items[] | select(.name == "first") | {name, status}')).toBe(
      '{"name":"first","status":1}',
    )
    expect(await printed('token', 'list', '--jq', 'empty')).toBe('')
  })

  test('--template prints one line per record', async () => {
    expect(await printed('token', 'list', '--template', '{{name}}\\t{{ status_name }}')).toBe(
      'second\tenabled\nfirst\tenabled',
    )
  })

  test('--envelope wraps lists without pages like lists with pages', async () => {
    const plain = JSON.parse(await printed('group', 'list', '--json'))
    expect(Array.isArray(plain)).toBe(true)
    expect(JSON.parse(await printed('group', 'list', '--envelope'))).toEqual({
      items: plain,
      total: plain.length,
      page: 1,
      page_size: plain.length,
    })
  })

  test.each([
    [['token', 'list', '--fields', 'nmae'], /nmae.*Did you mean name/],
    [['token', 'list', '--fields', ','], /at least one field/],
    [['token', 'list', '--template', '{{nope_nope}}'], /nope_nope/],
    [['token', 'list', '--jq', '.items ['], /--jq: .*error/],
    [['token', 'list', '--jq', '.items', '--template', 'x'], /not both/],
    [['log', 'export', '--jq', '.'], /does not accept --jq/],
    [['token', 'list', '--jq', '.', '--output', 'x.json'], /not both/],
  ])('%j is a usage error', async (words, says) => {
    const refused = await world().run(words)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toMatch(says)
  })
})

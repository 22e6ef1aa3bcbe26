import { describe, expect, test } from 'vitest'
import { batchRow, fileRow } from '../../support/batch-rows.ts'
import { startBatchUpstream } from '../../support/batch-upstream.ts'
import { CHANNEL_KEY } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const AT = Date.UTC(2026, 0, 31) / 1000

async function worldWithBatches(kind: (typeof BACKINGS)[number]) {
  const world = await openBacking(kind)
  const upstream = await startBatchUpstream(CHANNEL_KEY)
  const file = { id: 'file-one', purpose: 'batch', filename: 'input.jsonl', content: '' }
  upstream.files.set('file-one', file)
  for (const id of ['one', 'two']) upstream.batches.set(id, { id, status: 'in_progress' })
  const ids = await world.inside(async (toolkit, root) => {
    const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', quota: 10_000 })
    const channel = { name: 'up', type: 1, key: CHANNEL_KEY, models: 'gpt-4o', base_url: upstream.url }
    const { id: channelId } = await toolkit.channels.create(root, channel)
    const one = await batchRow(toolkit, { userId: ann.id, channelId, batchId: 'one' })
    const two = await batchRow(toolkit, { userId: root.id, channelId, batchId: 'two', createdAt: AT + 60 })
    await fileRow(toolkit, { userId: ann.id, channelId, fileId: 'file-one' })
    const output = { fileId: 'file-two', purpose: 'batch_output', batchRow: one }
    await fileRow(toolkit, { userId: root.id, channelId, ...output })
    await toolkit.events.catchUp()
    return { one, two }
  })
  return { ...world, ...ids, upstream }
}

describe.each(BACKINGS)('batch and file, on a %s', (kind) => {
  const world = shared(() => worldWithBatches(kind))
  const ids = async (noun: string, ...flags: string[]) => {
    const { items } = await world().json(noun, 'list', ...flags)
    return items.map(({ batch_id, file_id }: Record<string, string>) => file_id ?? batch_id)
  }

  test('batch list shows all users, newest first, and narrows', async () => {
    expect(await ids('batch', '--all')).toEqual(['two', 'one'])
    expect(await ids('batch', '--user', 'ann')).toEqual(['one'])
    expect(await ids('batch', '--id', 'two', '--api', 'openai', '--channel', '1')).toEqual(['two'])
    expect(await ids('batch', '--status', 'in_progress', '--limit', '1', '--page', '2')).toEqual(['one'])
    for (const flags of [
      ['--status', 'ended'],
      ['--api', 'anthropic'],
      ['--channel', '9'],
      ['--until', '2026-01-01'],
      ['--since', '1d'],
    ]) {
      expect(await ids('batch', ...flags)).toEqual([])
    }
    const { stdout } = await world().run(['batch', 'list', '--user', 'ann'])
    expect(stdout).toMatch(/2026-01-31T00:00:00Z +ann +gpt-4o +in_progress +3 +50000 \(\$0\.10\) +- +up +one/)
    expect(await world().run(['batch', 'list', '--user', 'bob'])).toMatchObject({ exitCode: 3 })
  })

  test('batch get shows one whole, with names and times, and says when there is none', async () => {
    expect(await world().json('batch', 'get', String(world().one))).toMatchObject({
      batch_id: 'one',
      username: 'ann',
      channel_name: 'up',
      created_at_iso: '2026-01-31T00:00:00Z',
      settled_at_iso: null,
    })
    expect((await world().run(['batch', 'get', String(world().one)])).stdout).toMatch(/^input file +file-in$/m)
    expect(await world().run(['batch', 'get', '999'])).toMatchObject({ exitCode: 3 })
  })

  test('batch cancel asks, cancels at the upstream, and says what it does not find', async () => {
    const { two, run, json, upstream } = world()
    expect(await run(['batch', 'cancel', String(two)])).toMatchObject({ exitCode: 2 })
    expect(await run(['batch', 'cancel', '999', '--yes'])).toMatchObject({ exitCode: 3 })
    expect(upstream.batches.get('two')?.status).toBe('in_progress')

    expect(await json('batch', 'cancel', String(two), '--yes')).toMatchObject({ batch_id: 'two', status: 'cancelling' })

    expect(upstream.batches.get('two')?.status).toBe('cancelling')
  })

  test('file list and get show all users, with the batch that wrote a file', async () => {
    expect(await ids('file', '--all')).toEqual(expect.arrayContaining(['file-two']))
    expect(await ids('file', '--purpose', 'batch_output')).toEqual(['file-two'])
    expect(await ids('file', '--user', 'root', '--id', 'file-two', '--channel', '1')).toEqual(['file-two'])
    expect(await ids('file', '--id', 'file-three')).toEqual([])
    const [file] = (await world().json('file', 'list', '--purpose', 'batch_output')).items
    expect(await world().json('file', 'get', String(file.id))).toMatchObject({ batch_id: 'one', bytes: 120 })
    expect((await world().run(['file', 'get', String(file.id)])).stdout).toMatch(/^written by +one$/m)
    expect(await world().run(['file', 'get', '999'])).toMatchObject({ exitCode: 3 })
  })

  test('file delete asks, and deletes at the upstream and here', async () => {
    const { run, json, upstream } = world()
    const [file] = (await json('file', 'list', '--user', 'ann')).items
    expect(await run(['file', 'delete', String(file.id)])).toMatchObject({ exitCode: 2 })
    expect(upstream.files.has('file-one')).toBe(true)

    expect(await json('file', 'delete', String(file.id), '--yes')).toEqual({ deleted: [file.id] })

    expect(upstream.files.has('file-one')).toBe(false)
    expect(await ids('file', '--all')).toEqual(['file-two'])
  })
})

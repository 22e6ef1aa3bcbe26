import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { commandsIn } from '../support.ts'

const SERVED = 'gpt-4o,gpt-4.1,dall-e-3,unknown-model'

describe.each(BACKINGS)('pricing, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(async (toolkit, root) => {
      await toolkit.channels.create(root, { name: 'one', type: 1, key: 'k', models: SERVED })
      await toolkit.channels.create(root, { name: 'two', type: 1, key: 'k', models: 'gpt-4o', group: 'vip' })
      await toolkit.options.set(root, 'GroupRatio', '{"default":1,"vip":0.5}')
    })
    return opened
  })

  test('list shows every served model in dollars, also unpriced ones', async () => {
    const rows = await world().json('pricing', 'list')
    expect(rows).toMatchObject([
      { model_name: 'dall-e-3', call_usd: 0.04, input_usd: null, source: 'option' },
      { model_name: 'gpt-4.1', input_usd: 2, output_usd: 8, source: 'library' },
      { model_name: 'gpt-4o', input_usd: 2.5, output_usd: 10, call_usd: null, enable_groups: ['default', 'vip'] },
      { model_name: 'unknown-model', source: 'none', input_usd: null },
    ])
    const { stdout } = await world().run(['pricing', 'list', '--sort', '-input', '--columns', 'model,input,from'])
    expect(
      stdout
        .split('\n')
        .slice(0, 2)
        .map((line) => line.split(/ +/)),
    ).toEqual([
      ['MODEL', 'INPUT', 'FROM'],
      ['gpt-4o', '$2.5', 'option'],
    ])
    expect((await world().run(['pricing', 'list', '--unpriced', '--columns', 'model'])).stdout).toBe(
      'MODEL\nunknown-model',
    )
  })

  test('a group has its own models and prices, and an unknown group is rejected', async () => {
    expect(await world().json('pricing', 'list', '--group', 'vip')).toMatchObject([
      { model_name: 'gpt-4o', input_usd: 1.25, output_usd: 5 },
    ])
    expect(await world().json('pricing', 'get', 'gpt-4o', '--group', 'vip')).toMatchObject({ input_usd: 1.25 })
    expect(await world().run(['pricing', 'list', '--group', 'nope'])).toEqual({
      stdout: '',
      stderr: 'error: there is no group nope',
      exitCode: 3,
    })
  })

  test('get shows the source of a price, and rejects an unpriced model', async () => {
    expect((await world().run(['pricing', 'get', 'gpt-4o'])).stdout).toMatch(/^from +option$/m)
    const { stderr, exitCode } = await world().run(['pricing', 'get', 'unknown-model'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('unknown-model has no price')
  })

  test('set accepts dollars, stores ratios, and removes a per-call price', async () => {
    const { json } = world()
    await json('pricing', 'set', 'mine', '--price', '0.1')
    const row = await json('pricing', 'set', 'mine', '--input-usd', '0.5', '--output-usd', '2', '--cache-ratio', '0.1')
    expect(row).toMatchObject({
      model_ratio: 0.25,
      completion_ratio: 4,
      cache_ratio: 0.1,
      quota_type: 0,
      source: 'option',
    })
    expect(await json('pricing', 'set', 'mine', '--output-usd', '1')).toMatchObject({ input_usd: 0.5, output_usd: 1 })
    expect((await world().run(['pricing', 'set', 'mine', '--output-usd', '1'])).stderr).toBe(
      'Nothing changed: mine already has this price.',
    )
    expect((await world().run(['pricing', 'set', 'mine', '--ratio', '0'])).stderr).toBe('mine is now free.')
  })

  test('concurrent edits of several models lose none', async () => {
    const names = ['a', 'b', 'c'].map((name) => `at-once-${name}`)
    const outcomes = await Promise.all(names.map((name) => world().run(['pricing', 'set', name, '--ratio', '3'])))
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    for (const name of names) expect(await world().json('pricing', 'get', name)).toMatchObject({ model_ratio: 3 })
  })

  test.each([
    [[]],
    [['--ratio', '1', '--price', '1']],
    [['--ratio', '1', '--input-usd', '1']],
    [['--price', '1', '--completion-ratio', '2']],
    [['--ratio', '1', '--output-usd', '1']],
    [['--input-usd', '0', '--output-usd', '1']],
    [['--ratio', '-1']],
    [['--ratio', '1e30']],
    [['--price', '']],
  ])('set rejects %j', async (flags) => {
    const { exitCode } = await world().run(['pricing', 'set', 'refused', ...flags])
    expect(exitCode).toBe(2)
    expect((await world().run(['pricing', 'get', 'refused'])).exitCode).toBe(3)
  })

  test('names such as __proto__ work like any other, or are rejected', async () => {
    expect(await world().json('pricing', 'set', '__proto__', '--ratio', '2')).toMatchObject({ model_ratio: 2 })
    expect((await world().run(['pricing', 'set', 'a\u001bb', '--ratio', '1'])).exitCode).toBe(2)
    expect((await world().run(['pricing', 'set', 'x'.repeat(201), '--ratio', '1'])).exitCode).toBe(2)
  })

  test('unset removes a custom price after confirmation, and rejects a model without one', async () => {
    await world().json('pricing', 'set', 'gone', '--ratio', '2')
    expect((await world().run(['pricing', 'unset', 'gone'])).exitCode).toBe(2)
    expect((await world().run(['pricing', 'unset', 'gone', 'never-was', '--yes'])).exitCode).toBe(3)
    expect(await world().json('pricing', 'get', 'gone')).toMatchObject({ model_ratio: 2 })
    expect(await world().run(['pricing', 'unset', 'gone', '--yes'])).toEqual({
      stdout: '',
      stderr: 'gone now has no price: its requests are rejected.',
      exitCode: 0,
    })
  })

  test('import shows its changes, applies them, and has nothing to do the second time', async () => {
    const { run, json } = world()
    const planned = await run(['pricing', 'import', '--missing', '--dry-run', '--json'])
    expect(JSON.parse(planned.stdout)).toEqual(
      expect.arrayContaining([
        { model: 'gpt-4.1', table: 'ModelRatio', after: 1 },
        { model: 'gpt-4.1', table: 'CompletionRatio', after: 4 },
      ]),
    )
    expect(planned.stderr).toBe('Not in the price list: unknown-model')
    expect(await json('pricing', 'get', 'gpt-4.1')).toMatchObject({ source: 'library' })
    expect((await run(['pricing', 'import', '--missing'])).exitCode).toBe(2)
    expect((await run(['pricing', 'import', 'gpt-4.1', '--yes'])).stderr).toBe('Saved the prices of 1 model.')
    expect(await json('pricing', 'get', 'gpt-4.1')).toMatchObject({
      source: 'option',
      input_usd: 2,
      output_usd: 8,
      conditions: [{ condition: 'tier=priority', ratio: 1.75 }],
    })
    expect((await run(['pricing', 'import', 'gpt-4.1', '--yes'])).stderr).toBe('Nothing to change.')
    expect((await run(['pricing', 'import', 'unknown-model', '--yes'])).exitCode).toBe(3)
  })
})

test('a user sees prices but no unpriced models, and changes none', async () => {
  const world = await openBacking('server')
  const token = await world.inside(async (toolkit, root) => {
    await toolkit.channels.create(root, { name: 'one', type: 1, key: 'k', models: SERVED })
    const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse' })
    return toolkit.accessTokens.create(ann)
  })
  const { run, json } = commandsIn({ env: { ...world.env, TOLLGATE_TOKEN: token }, folder: world.folder })
  expect((await json('pricing', 'list')).map(({ model_name }: { model_name: string }) => model_name)).toEqual([
    'dall-e-3',
    'gpt-4.1',
    'gpt-4o',
  ])
  for (const words of [
    ['set', 'gpt-4o', '--ratio', '0'],
    ['unset', 'gpt-4o', '--yes'],
    ['import', '--yes'],
  ]) {
    expect((await run(['pricing', ...words])).exitCode).toBe(4)
  }
  expect(await json('pricing', 'get', 'gpt-4o')).toMatchObject({ model_ratio: 1.25 })
})

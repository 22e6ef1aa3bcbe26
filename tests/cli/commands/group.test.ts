import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { commandsIn } from '../support.ts'

describe.each(BACKINGS)('group, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  const find = async (name: string) =>
    (await world().json('group', 'list')).find((group: { name: string }) => group.name === name)

  test('list shows the ratio, who can choose a group, and the number of users', async () => {
    await world().inside(async (toolkit, root) => {
      await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', group: 'vip' })
      await toolkit.tokens.create(root, { name: 'app', group: 'vip' })
      await toolkit.channels.create(root, { name: 'one', type: 1, key: 'k', models: 'a,b', group: 'default,vip' })
    })
    expect(await find('vip')).toEqual({
      name: 'vip',
      ratio: 1,
      desc: 'vip分组',
      selectable: true,
      users: 1,
      tokens: 1,
      channels: 1,
    })
    const { stdout } = await world().run(['group', 'list', '--columns', 'name,ratio,usable'])
    expect(stdout).toMatch(/^svip +1 +members$/m)
  })

  test('set creates a group, changes the given fields, and confirms it', async () => {
    const { run, json } = world()
    expect((await run(['group', 'set', 'partner', '--ratio', '0.8'])).stderr).toBe('Created group partner.')
    expect(await json('group', 'set', 'partner', '--description', 'Partners')).toMatchObject({
      ratio: 0.8,
      desc: 'Partners',
      selectable: true,
    })
    const again = await run(['group', 'set', 'partner', '--ratio', '0.8'])
    expect(again.stderr).toBe('Nothing changed: group partner already has these values.')
    await json('group', 'set', 'partner', '--no-usable')
    expect(await find('partner')).toMatchObject({ ratio: 0.8, desc: '', selectable: false })
  })

  test.each([
    [['nothing-given']],
    [['a,b', '--ratio', '1']],
    [['', '--ratio', '1']],
    [['x'.repeat(65), '--ratio', '1']],
    [['negative', '--ratio', '-1']],
    [['both', '--no-usable', '--description', 'x']],
  ])('set rejects %j', async (words) => {
    expect((await world().run(['group', 'set', ...words])).exitCode).toBe(2)
    expect(await find(words[0] ?? '')).toBeUndefined()
  })

  test('delete lists the users of a group, asks for confirmation, and never deletes default', async () => {
    const { run, json } = world()
    await json('group', 'set', 'old', '--usable')
    await world().inside((toolkit, root) =>
      toolkit.accounts.create(root, { username: 'bob', password: 'correct horse', group: 'old' }),
    )
    expect((await run(['group', 'delete', 'old'])).exitCode).toBe(2)
    expect((await run(['group', 'delete', 'old', 'default', '--yes'])).exitCode).toBe(5)
    expect((await run(['group', 'delete', 'old', 'never-was', '--yes'])).exitCode).toBe(3)
    expect(await find('old')).toMatchObject({ users: 1 })
    expect((await run(['group', 'delete', 'old', '--yes'])).stderr).toBe(
      'old is used by users (1), tokens (0) and channels (0).\nDeleted old.',
    )
    expect(await find('old')).toBeUndefined()
    expect(JSON.parse((await json('option', 'get', 'UserUsableGroups')).value)).not.toHaveProperty('old')
  })

  test('model list shows the models the caller may use, and all known names with --all', async () => {
    await world().inside(async (toolkit, root) => {
      await toolkit.channels.create(root, { name: 'two', type: 1, key: 'k', models: 'zeta,alpha' })
      await toolkit.channels.create(root, { name: 'hidden', type: 1, key: 'k', models: 'hidden', group: 'svip' })
    })
    const models = (await world().json('model', 'list')).map(({ model }: { model: string }) => model)
    expect(models).toEqual(expect.arrayContaining(['alpha', 'zeta']))
    expect(models).not.toContain('hidden')
    expect((await world().run(['model', 'list', '--search', 'ZET'])).stdout).toBe('MODEL\nzeta')
    const presets = await world().json('model', 'list', '--all-presets', '--search', 'claude-3')
    expect(presets).toContainEqual({ type: 14, model: 'claude-3-opus-20240229' })
    expect((await world().run(['model', 'list', '--search', 'no-such'])).exitCode).toBe(0)
  })
})

test('a user sees the usable groups without counts, and changes none', async () => {
  const world = await openBacking('server')
  const token = await world.inside(async (toolkit, root) =>
    toolkit.accessTokens.create(await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse' })),
  )
  const { run, json } = commandsIn({ env: { ...world.env, TOLLGATE_TOKEN: token }, folder: world.folder })
  expect(await json('group', 'list')).toEqual([
    { name: 'default', ratio: 1, desc: '默认分组', selectable: true },
    { name: 'vip', ratio: 1, desc: 'vip分组', selectable: true },
  ])
  expect((await run(['group', 'set', 'default', '--ratio', '0'])).exitCode).toBe(4)
  expect((await run(['group', 'delete', 'vip', '--yes'])).exitCode).toBe(4)
})

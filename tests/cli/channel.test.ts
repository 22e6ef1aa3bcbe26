import { expect, onTestFinished, test } from 'vitest'
import { CHANNEL_TYPES } from '../../core/channels/types.ts'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { CHANNEL, createWorld } from './support.ts'

const ADD = ['channel', 'add', '--name', 'one', '--type', 'openai', '--key', 'sk-secret-key']

test('channel add takes every field, and no answer ever shows the key', async () => {
  const world = await createWorld()
  const fields = {
    '--base-url': 'https://example.com/',
    '--models': 'gpt-4o, gpt-4o-mini',
    '--group': 'default,vip',
    '--priority': '-5',
    '--weight': '3',
    '--model-mapping': '{"gpt-4o":"deployment"}',
    '--status-code-mapping': '{"400":"500"}',
    '--other': 'x',
    '--tag': 'eu',
    '--test-model': 'gpt-4o-mini',
    '--organization': 'org-1',
  }
  const created = await world.json(...ADD, ...Object.entries(fields).flat())
  expect(created).toMatchObject({
    id: 1,
    name: 'one',
    type: 1,
    key: '',
    base_url: 'https://example.com',
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default,vip',
    priority: -5,
    weight: 3,
    model_mapping: '{"gpt-4o":"deployment"}',
    status_code_mapping: '{"400":"500"}',
    other: 'x',
    tag: 'eu',
    test_model: 'gpt-4o-mini',
    openai_organization: 'org-1',
    status: 1,
  })
  const shown = await world.run(['channel', 'get', '1'])
  expect(shown.stdout).toMatch(/^base url +https:\/\/example.com$/m)
  expect(shown.stdout + JSON.stringify(created)).not.toContain('sk-secret-key')
  const key = await world.inside(async (toolkit) => (await toolkit.channelDirectory()).find(1)?.key)
  expect(key).toBe('sk-secret-key')
})

test('channel add names every type that a new channel may have, and takes the document of a service account for a key', async () => {
  const world = await createWorld()
  const { stdout: help } = await world.run(['channel', 'add', '--help'])
  for (const { slug, type, hidden } of CHANNEL_TYPES) {
    expect([slug, help.includes(`${slug} (${type})`)]).toEqual([slug, !hidden])
  }

  const account = JSON.stringify({ type: 'service_account', project_id: 'p' }, null, 2)
  const words = ['channel', 'add', '--name', 'v', '--type', 'vertex', '--other', 'us-central1', '--key-stdin', '--json']
  const { stdout } = await world.run(words, { input: `${account}\n` })
  expect(JSON.parse(stdout)).toMatchObject({ type: 41, other: 'us-central1' })
  const key = await world.inside(async (toolkit) => (await toolkit.channelDirectory()).find(1)?.key)
  expect(key).toBe(account)
})

test('channel add reads the key from stdin, and serves the usual models of its type', async () => {
  const world = await createWorld()
  const words = ['channel', 'add', '--name', 'one', '--type', '1', '--key-stdin', '--json']
  const { stdout } = await world.run(words, { input: 'sk-from-stdin\n' })
  expect(JSON.parse(stdout).models.split(',')).toContain('gpt-4o-mini')
  const key = await world.inside(async (toolkit) => (await toolkit.channelDirectory()).find(1)?.key)
  expect(key).toBe('sk-from-stdin')
})

test('channel add takes several keys for one channel, and channel get tells how many there are', async () => {
  const world = await createWorld()
  const words = ['channel', 'add', '--name', 'one', '--type', 'openai', '--key-stdin', '--multi-key', 'polling']
  await world.run(words, { input: 'sk-first-key\nsk-second-key\n' })
  const digest = await world.inside(async (toolkit) => {
    const digest = (await toolkit.channelDirectory()).find(1)?.ring?.all[1]?.keyName.digest ?? ''
    const root = await toolkit.accounts.findRoot()
    if (root) await toolkit.channels.disableKeyAutomatically(root, 1, digest, 'refused')
    return digest
  })

  const { stdout } = await world.run(['channel', 'get', '1'])
  expect(stdout).toMatch(new RegExp(`^keys +2, polling; set aside: #2 ${digest}$`, 'm'))
  expect(stdout).not.toContain('sk-')
})

test.each([
  [['--type', 'nonsense', '--key', 'k'], /channel type nonsense/],
  [['--type', 'openai'], /--key-stdin/],
  [['--type', 'openai', '--key', ''], /key/],
  [['--type', 'azure', '--key', 'k'], /base_url/],
  [['--type', 'openai', '--key', 'k', '--base-url', 'ftp://x'], /base_url/],
  [['--type', 'openai', '--key', 'k', '--priority', '1e9'], /--priority/],
  [['--type', 'openai', '--key', 'k', '--multi-key', 'fastest'], /--multi-key/],
  [['--type', 'openai', '--key', 'k', '--model-mapping', '{'], /model_mapping/],
])('channel add refuses %j with the field named and adds nothing', async (flags, named) => {
  const world = await createWorld()
  const { stderr, stdout, exitCode } = await world.run(['channel', 'add', '--name', 'one', ...flags])
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  expect(stderr).toMatch(named)
  expect(await world.inside(async ({ channels }, root) => (await channels.list(root)).total)).toBe(0)
})

test('channel add refuses a second channel of the same name as a conflict', async () => {
  const world = await createWorld()
  await world.run(ADD)
  expect(await world.run(ADD)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('named one') })
})

test('channel list narrows by status, model and tag, and knows its types by word', async () => {
  const world = await createWorld()
  await world.inside(async ({ channels }, root) => {
    await channels.create(root, { ...CHANNEL, name: 'a', tag: 'eu' })
    await channels.create(root, { ...CHANNEL, name: 'b', models: 'o3-mini' })
  })
  expect((await world.run(['channel', 'disable', '2'])).stderr).toBe('Channel 2, b, is disabled.')
  const names = async (...flags: string[]) =>
    (await world.json('channel', 'list', ...flags)).items.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['b', 'a'])
  expect(await names('--status', 'disabled')).toEqual(['b'])
  expect(await names('--model', 'gpt-4o')).toEqual(['a'])
  expect(await names('--tag', 'eu')).toEqual(['a'])
  expect((await world.run(['channel', 'list'])).stdout).toMatch(/^ 2 {2}b +openai +disabled/m)
  expect((await world.json('channel', 'enable', '2')).status).toBe(1)
  expect(await world.run(['channel', 'list', '--status', 'broken'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('enabled, disabled, auto-disabled'),
  })
})

test('channel test sends a request through and says how it went', async () => {
  const world = await createWorld()
  const upstream = await startSimulatedUpstream()
  onTestFinished(() => upstream.close())
  await world.inside(({ channels }, root) =>
    channels.create(root, { ...CHANNEL, base_url: upstream.url, models: 'gpt-4o,sim-fail' }),
  )
  const good = await world.run(['channel', 'test', '1'])
  expect(good).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ok {6}gpt-4o answered in \d\.\d\d s$/) })
  const bad = await world.run(['channel', 'test', '1', '--model', 'sim-fail', '--json'])
  expect(bad.exitCode).toBe(1)
  expect(JSON.parse(bad.stdout)).toMatchObject({
    success: false,
    model: 'sim-fail',
    message: expect.stringMatching(/./),
  })
  expect((await world.run(['channel', 'test', '7'])).exitCode).toBe(3)
})

test('channel delete asks first, and deletes all or none', async () => {
  const world = await createWorld()
  await world.inside(({ channels }, root) => channels.create(root, CHANNEL))
  expect((await world.run(['channel', 'delete', '1'])).exitCode).toBe(2)
  expect((await world.run(['channel', 'delete', '1', '2', '--yes'])).exitCode).toBe(3)
  expect(await world.run(['channel', 'delete', '1', '--yes'])).toMatchObject({
    exitCode: 0,
    stderr: 'Deleted upstream.',
  })
  expect((await world.run(['channel', 'get', '1'])).exitCode).toBe(3)
})

test('channel health tells what is wrong, and of one channel what has happened to it', async () => {
  const world = await createWorld()
  await world.inside(async ({ db, channels, ledger }, root) => {
    await channels.create(root, { ...CHANNEL, name: 'well' })
    const { id } = await channels.create(root, { ...CHANNEL, name: 'lost' })
    await channels.disableAutomatically(root, id, 'status code 401: Incorrect API key')
    await ledger.start()
    const what = { channel_id: 1, scope: 'model', subject: 'gpt-4o (openai-chat)', class: 'server' }
    const circuit = { ...what, state: 'open', reason: 'status code 500', since: 1_700_000_000, retry_at: 4_000_000_000 }
    // A process that goes on, for all that the command can see.
    await db.transaction(async (trx) => {
      await trx('nodes').insert({ id: 'another', started_at: 0, seen_at: 9_000_000_000 })
      await trx('channel_circuits').insert({ node_id: 'another', ...circuit })
    })
  })

  const all = await world.run(['channel', 'health'])
  expect(all.stdout).toMatch(/^2 lost +auto-disabled +- +\S+Z +- +status code 401: Incorrect API key$/m)
  expect(all.stdout).toMatch(
    /^1 well +open \(server\) +model gpt-4o \(openai-chat\) +2023-11-14T22:13:20\S*Z +2096\S+Z +status code 500$/m,
  )
  expect(await world.json('channel', 'health')).toMatchObject({
    circuits: [{ channel_id: 1, state: 'open', class: 'server' }],
    disabled: [{ channel_id: 2, status: 3 }],
  })

  const one = await world.run(['channel', 'health', '2'])
  expect(one.stdout).toMatch(/disabled +channel +automatic +status code 401: Incorrect API key$/m)
  expect(await world.json('channel', 'health', '2')).toMatchObject({ healthy: false, events: [{ event: 'disabled' }] })
  expect((await world.run(['channel', 'health', '77'])).exitCode).toBe(3)
})

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BACKINGS, openBacking } from '../backings.ts'

const FILE = `version: 1
options:
  SystemName: House of Models
  RetryTimes: 3
  GitHubClientSecret: env:GITHUB_SECRET
  Chats: [{ Web: "https://chat.example/?key={key}" }]
groups:
  default: { ratio: 1, description: Everybody }
  partner: { ratio: 0.5, topup_ratio: 0.9, debt: 5000 }
prices:
  house-model: { ratio: 3, completion: 2, output_tokens_max: 4096 }
  picture-model: { per_call: 0.04 }
channels:
  openai:
    type: openai
    key: file:key.txt
    models: [gpt-4o, gpt-4o-mini]
    groups: [default, partner]
    priority: 10
  azure:
    type: azure
    key: command:printf azure-key
    models: [gpt-4o]
    base_url: https://x.openai.azure.com
    model_mapping: { gpt-4o: gpt-4o-2024 }
    enabled: false
`

describe.each(BACKINGS)('configuration as a file, on a %s', (kind) => {
  async function openWorld(text = FILE) {
    const world = await openBacking(kind)
    await writeFile(join(world.folder, 'gateway.yaml'), text)
    await writeFile(join(world.folder, 'key.txt'), 'sk-from-file\n')
    const env = { ...world.env, GITHUB_SECRET: 'secret-of-github' }
    const run = (words: readonly string[]) => world.run(words, { env })
    const edit = async (from: string, to: string) =>
      writeFile(
        join(world.folder, 'gateway.yaml'),
        (await readFile(join(world.folder, 'gateway.yaml'), 'utf8')).replace(from, to),
      )
    // The commands on a database are other processes' work for the toolkit of the test.
    const inside: typeof world.inside = (work) =>
      world.inside(async (toolkit, root) => {
        await toolkit.events.catchUp()
        return work(toolkit, root)
      })
    return { ...world, run, edit, inside }
  }

  test('plan, apply and plan again: from an empty gateway to no changes', async () => {
    const { run, inside } = await openWorld()

    const plan = await run(['config', 'plan', 'gateway.yaml'])
    expect(plan.exitCode).toBe(2)
    expect(plan.stdout).toContain('+ channels.openai')
    expect(plan.stdout).toContain('key: "(secret)"')
    expect(plan.stdout).toMatch(/Plan: \d+ to add, \d+ to change, 0 to delete\./)
    expect(await inside((toolkit, root) => toolkit.channels.list(root))).toMatchObject({ total: 0 })

    const applied = await run(['config', 'apply', 'gateway.yaml', '--yes'])
    expect(applied).toMatchObject({ exitCode: 0 })
    expect(applied.stdout + applied.stderr).not.toMatch(/sk-from-file|secret-of-github|azure-key/)

    expect(await run(['config', 'plan', 'gateway.yaml'])).toMatchObject({ exitCode: 0, stdout: 'No changes.' })
    expect(await run(['config', 'apply', 'gateway.yaml'])).toMatchObject({ exitCode: 0 })
    await inside(async (toolkit, root) => {
      const { items } = await toolkit.channels.list(root)
      expect(items.map(({ name, status, group }) => ({ name, status, group }))).toEqual(
        expect.arrayContaining([
          { name: 'openai', status: 1, group: 'default,partner' },
          { name: 'azure', status: 2, group: 'default' },
        ]),
      )
      const directory = await toolkit.channelDirectory()
      const id = items.find(({ name }) => name === 'openai')?.id ?? 0
      expect(directory.find(id)?.key).toBe('sk-from-file')
      expect(await toolkit.db.reader('abilities').where({ channel_id: id }).count({ n: '*' }).first()).toEqual({ n: 4 })
      expect(JSON.parse(toolkit.options.read(root, 'ModelRatio'))).toMatchObject({ 'house-model': 3, 'gpt-4o': 1.25 })
      expect(JSON.parse(toolkit.options.read(root, 'GroupDebtLimit'))).toEqual({ partner: 5000 })
      expect(toolkit.options.filledSecrets(root)).toContain('GitHubClientSecret')
    })
  })

  test('a manual change is shown as drift, and reverted by apply', async () => {
    const { run, inside } = await openWorld()
    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    await inside(async (toolkit, root) => {
      const { items } = await toolkit.channels.list(root)
      await toolkit.channels.update(root, items.find(({ name }) => name === 'openai')?.id ?? 0, {
        priority: 1,
        key: 'sk-by-hand',
      })
      await toolkit.options.set(root, 'RetryTimes', '7')
      await toolkit.channels.create(root, { name: 'by hand', type: 1, key: 'k', models: 'gpt-4o' })
    })

    const diff = await run(['config', 'diff', 'gateway.yaml'])
    expect(diff.exitCode).toBe(2)
    expect(diff.stdout).toContain('-   priority: 10\n+   priority: 1')
    expect(diff.stdout).toContain('-   key: "(secret)"\n+   key: "(secret)"')
    expect(diff.stdout).toContain('-   value: "3"\n+   value: "7"')
    expect(diff.stdout).toContain('+ channels.by hand')

    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    expect(await run(['config', 'plan', 'gateway.yaml'])).toMatchObject({ exitCode: 0 })
    await inside(async (toolkit, root) => {
      expect((await toolkit.channels.list(root)).total).toBe(3)
      expect(toolkit.options.read(root, 'RetryTimes')).toBe('3')
    })
  })

  test('--prune deletes entries that the file does not list, in the sections of the file', async () => {
    const { run, inside, edit } = await openWorld()
    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    await inside((toolkit, root) =>
      toolkit.channels.create(root, { name: 'by hand', type: 1, key: 'k', models: 'gpt-4o' }),
    )
    await edit(/options:[\s\S]*?(?=groups:)/.exec(FILE)?.[0] ?? '', '')
    await edit('  picture-model: { per_call: 0.04 }\n', '')

    const { stdout, exitCode } = await run(['config', 'plan', 'gateway.yaml', '--prune'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('- channels.by hand')
    expect(stdout).toContain('- prices.picture-model')
    expect(stdout).not.toContain('options.')
    await run(['config', 'apply', 'gateway.yaml', '--prune', '--yes'])
    expect(await run(['config', 'plan', 'gateway.yaml', '--prune'])).toMatchObject({
      exitCode: 0,
      stdout: 'No changes.',
    })
    await inside(async (toolkit, root) => {
      expect((await toolkit.channels.list(root)).items.map(({ name }) => name).sort()).toEqual(['azure', 'openai'])
      expect(JSON.parse(toolkit.options.read(root, 'ModelPrice'))).not.toHaveProperty('picture-model')
      expect(JSON.parse(toolkit.options.read(root, 'ModelRatio'))).toHaveProperty('gpt-4o')
      expect(toolkit.options.read(root, 'SystemName')).toBe('House of Models')
    })
  })

  test('of two plans for one change, the second is rejected and changes nothing', async () => {
    const { run, edit, inside } = await openWorld()
    await run(['config', 'plan', 'gateway.yaml', '--out', 'first.json'])
    await run(['config', 'plan', 'gateway.yaml', '--out', 'second.json'])
    expect(await run(['config', 'apply', 'gateway.yaml', '--plan', 'first.json', '--yes'])).toMatchObject({
      exitCode: 0,
    })
    const second = await run(['config', 'apply', 'gateway.yaml', '--plan', 'second.json', '--yes'])
    expect(second).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('plan again') })

    await edit('RetryTimes: 3', 'RetryTimes: 4')
    await run(['config', 'plan', 'gateway.yaml', '--out', 'third.json'])
    await edit('House of Models', 'Another House')
    expect(await run(['config', 'apply', 'gateway.yaml', '--plan', 'third.json', '--yes'])).toMatchObject({
      exitCode: 5,
    })
    await inside(async (toolkit, root) => {
      expect(toolkit.options.read(root, 'RetryTimes')).toBe('3')
      expect(toolkit.options.read(root, 'SystemName')).toBe('House of Models')
    })
  })

  test('export to - writes to stdout, and an existing plan file is not overwritten', async () => {
    const { run, folder } = await openWorld()
    const { stdout } = await run(['config', 'export', '-'])
    expect(stdout).toContain('version: 1')
    await run(['config', 'plan', 'gateway.yaml', '--out', 'plan.json'])
    expect((await run(['config', 'plan', 'gateway.yaml', '--out', 'plan.json'])).stderr).toContain(
      'plan.json already exists: pass another --out',
    )
    expect((await run(['config', 'plan', 'gateway.yaml', '--out', '-'])).stderr).not.toContain('--output')
    expect(await readdir(folder)).not.toContain('-')
  })

  test('a plan without changes is not valid for another file', async () => {
    const { run, edit } = await openWorld()
    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    await run(['config', 'plan', 'gateway.yaml', '--out', 'empty.json'])
    const apply = () => run(['config', 'apply', 'gateway.yaml', '--plan', 'empty.json'])
    expect(await apply()).toMatchObject({ exitCode: 0, stdout: 'No changes.' })
    await edit('RetryTimes: 3', 'RetryTimes: 4')
    expect(await apply()).toMatchObject({ exitCode: 5, stdout: '', stderr: expect.stringContaining('plan again') })
  })

  test('one rejected change rolls back all others', async () => {
    const { run, edit, inside } = await openWorld()
    await edit('base_url: https://x.openai.azure.com', 'base_url: nonsense')
    const { exitCode, stderr } = await run(['config', 'apply', 'gateway.yaml', '--yes'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('base_url')
    await inside(async (toolkit, root) => {
      expect((await toolkit.channels.list(root)).total).toBe(0)
      expect(toolkit.options.read(root, 'SystemName')).toBe('Tollgate')
    })
  })

  test('an exported file describes the gateway: no changes, no secrets', async () => {
    const { run, folder } = await openWorld()
    await run(['config', 'apply', 'gateway.yaml', '--yes'])
    const { stderr, exitCode } = await run(['config', 'export', 'copy.yaml'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('TOLLGATE_CHANNEL_OPENAI')
    const text = await readFile(join(folder, 'copy.yaml'), 'utf8')
    expect(text).not.toMatch(/sk-from-file|secret-of-github|azure-key/)
    expect(text).toContain('key: env:TOLLGATE_CHANNEL_AZURE')
    const missing = await run(['config', 'plan', 'copy.yaml'])
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('env:TOLLGATE_') })
  })

  test('an exported file has no changes after its variables are set', async () => {
    const world = await openBacking(kind)
    await writeFile(join(world.folder, 'gateway.yaml'), FILE)
    await writeFile(join(world.folder, 'key.txt'), 'sk-from-file\n')
    const env = {
      ...world.env,
      GITHUB_SECRET: 'secret-of-github',
      TOLLGATE_OPTION_GIT_HUB_CLIENT_SECRET: 'secret-of-github',
      TOLLGATE_CHANNEL_OPENAI: 'sk-from-file',
      TOLLGATE_CHANNEL_AZURE: 'azure-key',
    }
    await world.run(['config', 'apply', 'gateway.yaml', '--yes'], { env })
    await world.run(['config', 'export', 'copy.yaml'], { env })
    const { stdout, stderr } = await world.run(['config', 'plan', 'copy.yaml', '--prune'], { env })
    expect({ stdout, stderr }).toEqual({ stdout: 'No changes.', stderr: '' })
  })

  test('a folder is one document, and an entry in two files is rejected', async () => {
    const { run, folder } = await openWorld()
    await mkdir(join(folder, 'gateway'))
    await writeFile(join(folder, 'gateway', 'a.yaml'), 'version: 1\noptions: { RetryTimes: 4 }\n')
    await writeFile(join(folder, 'gateway', 'b.yml'), 'version: 1\noptions: { SystemName: Two Files }\n')
    await run(['config', 'apply', 'gateway', '--yes'])
    expect(await run(['config', 'plan', 'gateway'])).toMatchObject({ exitCode: 0 })
    await writeFile(join(folder, 'gateway', 'c.yaml'), 'version: 1\noptions: { RetryTimes: 5 }\n')
    expect(await run(['config', 'plan', 'gateway'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('options.RetryTimes is in two files'),
    })
  })
})

test.each([
  ['version: 1\nchanels: {}', 'chanels (gateway.yaml:2) is not known: did you mean channels?'],
  ['version: 1\noptions: { RetryTime: 1 }', 'did you mean RetryTimes?'],
  ['version: 1\nchannels: { a: { type: openai, modles: [x] } }', 'did you mean models?'],
  ['version: 1\nchannels: { a: { type: opnai, key: k, models: [x] } }', 'channels.a (gateway.yaml:2): '],
  ['version: 1\nchannels: { a: { type: openai, key: k, models: [x], groups: [nope] } }', 'there is no group nope'],
  ['version: 1\nchannels: { a: { type: openai, key: k, base_url: x } }', 'channels.a (gateway.yaml:2): '],
  ['version: 1\n__proto__: { groups: {} }', '__proto__ (gateway.yaml:2) is not known'],
  [
    `version: 1\na: &a [x, x]\n${'bcdefgh'.replace(/./g, (name) => `${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    'gateway.yaml is not valid YAML: ',
  ],
  ['version: 1\n---\nversion: 1', 'gateway.yaml must contain one YAML document, not several'],
  ['version: 2', 'version (gateway.yaml:1) must be 1'],
  [
    'version: 1\nlimits: [{ subject: usr, name: a, measure: requests, amount: 1 }]',
    'must be one of token, user, group',
  ],
  ['version: 1\noptions: { GroupRatio: "{}" }', 'set this option in the section groups'],
  ['version: 1\nprices: { a: { ratio: 1, per_call: 2 } }', 'either ratio or per_call'],
  ['version: 1\nchannels: { a: { type: openai, models: [x] } }', 'needs its key'],
  ['version: 1\nchannels: { a: { type: openai, models: [x], key: "file:none.txt" } }', 'cannot read file:none.txt'],
  ['version: 1\nchannels: { a: { type: openai, models: [x], key: "command:exit 3" } }', 'the command failed'],
  ['version: 1\noptions: { RetryTimes: 99 }', 'options.RetryTimes (gateway.yaml:2): '],
  ['version: 1\noptions: [', 'YAML'],
  ['[]', 'version: 1'],
  ['', 'version'],
])('%j is rejected with the reason', async (text, expected) => {
  const { run, folder } = await openBacking('database')
  await writeFile(join(folder, 'gateway.yaml'), text)
  const { exitCode, stderr } = await run(['config', 'apply', 'gateway.yaml', '--yes'])
  expect(stderr).toContain(expected)
  expect(exitCode).toBe(2)
})

test.each(['plan', 'diff'])('%s exits with 2 for changes only: with 1 for what cannot be planned', async (verb) => {
  const { run, folder } = await openBacking('database')
  const exitOf = async (text: string, ...flags: string[]) => {
    await writeFile(join(folder, 'gateway.yaml'), text)
    return (await run(['config', verb, 'gateway.yaml', ...flags])).exitCode
  }
  expect(await exitOf('version: 1\ngroups: { partner: { ratio: 2 } }')).toBe(2)
  expect(await exitOf('version: 1\ngruops: {}')).toBe(1)
  expect(await exitOf('version: 1\noptions: { SMTPToken: "env:NOT_SET" }')).toBe(1)
  expect(await exitOf('version: 1\noptions: { RetryTimes: 99 }')).toBe(1)
  expect(await exitOf('version: 1', '--prnue')).toBe(1)
})

test('an empty key is rejected, since no channel can be without', async () => {
  const { run, folder } = await openBacking('database')
  const apply = async (key: string) => {
    const text = `version: 1\nchannels: { a: { type: openai, models: [x], key: ${key} } }`
    await writeFile(join(folder, 'gateway.yaml'), text)
    return run(['config', 'apply', 'gateway.yaml', '--yes'])
  }
  expect(await apply('""')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('channels.a.key is empty') })
  expect(await apply('sk-a')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Applied 1 change.') })
  expect(await apply('""')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('leave it out to keep') })
})

test('a secret in plain text works, with a warning that names its line', async () => {
  const { run, folder } = await openBacking('database')
  await writeFile(
    join(folder, 'gateway.yaml'),
    'version: 1\nchannels: { a: { type: openai, key: sk-clear, models: [gpt-4o] } }',
  )
  const { exitCode, stderr } = await run(['config', 'apply', 'gateway.yaml', '--yes'])
  expect(exitCode).toBe(0)
  expect(stderr).toContain('channels.a.key is in clear text')
  expect(stderr).not.toContain('sk-clear')
})

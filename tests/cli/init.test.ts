import { existsSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { type Cli, createCli } from '../../cli/cli.ts'
import { runInit } from '../../cli/commands/init/run.ts'
import { failureOf } from '../../cli/errors.ts'
import type { Prompts } from '../../cli/input/prompts.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { readCommandLine } from './reference/command-line.ts'
import { createWorld, type World } from './support.ts'

const CHANNEL_FLAGS = ['--channel-type', 'openai', '--channel-key', 'sk-upstream', '--channel-models', 'gpt-4o']
const ALL = ['init', '--root-password', 'long-enough', ...CHANNEL_FLAGS, '--token-name', 'app']

test('init with all flags creates root, a channel and a key that is printed once', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const { stdout, exitCode } = await world.run(ALL)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^curl .*\/v1\/chat\/completions/m)
  expect(stdout).toContain('"model":"gpt-4o"')
  expect(stdout).not.toMatch(/long-enough|sk-upstream/)
  const [key = ''] = /(?<=sk-)\w{48}/.exec(stdout) ?? []
  await world.inside(async (toolkit, root) => {
    expect(await toolkit.accounts.login({ username: 'root', password: 'long-enough' })).toMatchObject({
      user: { id: root.id },
    })
    expect(await toolkit.callers.findToken(key)).toMatchObject({ name: 'app', unlimited: true })
    expect((await toolkit.channels.list(root)).items).toMatchObject([
      { name: 'openai', models: 'gpt-4o', base_url: '' },
    ])
  })
})

test('init without a channel prints no request that would be rejected, and how to add a channel', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const words = ['init', '--root-password', 'long-enough', '--skip-channel', '--token-name', 'app']
  const { stdout, stderr } = await world.run(words)
  expect(stdout).not.toContain('curl')
  expect(stderr).toContain('tollgate channel add')
})

test('init reads the credential of the channel from stdin, so that the process list does not show it', async () => {
  const world = await createWorld()
  const words = ['init', '--channel-type', 'openai', '--channel-key-stdin', '--skip-token']
  expect((await world.run([...words, '--channel-key', 'sk-upstream'], { input: 'sk-upstream' })).exitCode).toBe(2)
  expect((await world.run(words, { input: 'sk-from-stdin\n' })).exitCode).toBe(0)
  await world.inside(async (toolkit, root) => {
    expect(await toolkit.channels.search(root, { keyword: 'sk-from-stdin' })).toMatchObject([{ id: 1 }])
  })
})

test('the examples of init work', async () => {
  const { below } = await readCommandLine()
  const page = below.find(({ page }) => page.words === 'tollgate init')?.page
  const examples = page?.blocks.find(({ title }) => title === 'Examples:')?.lines ?? []
  // What the first asks is below.
  expect(examples[0]).toBe('tollgate init')
  for (const line of examples.slice(1)) {
    const words = line.replace(/^tollgate | < key.txt$/g, '').split(' ')
    const { stdout, stderr } = await (await createWorld({}, { isEmpty: true })).run(words, { input: 'sk-abc\n' })
    expect({ line, stdout, stderr }).toMatchObject({ stdout: expect.stringMatching(/API key +sk-/), stderr: '' })
  }
})

test('init accepts the former name of the address option', async () => {
  const world = await createWorld()
  const words = [...ALL.filter((word) => !/root-password|long-enough/.test(word)), '--json']
  const { stdout } = await world.run([...words, '--channel-url', 'http://127.0.0.1:1'])
  expect(JSON.parse(stdout)).toMatchObject({ channel: { base_url: 'http://127.0.0.1:1' } })
})

test('init of a configured gateway is a conflict', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  await world.run(ALL)
  for (const words of [ALL, ['init'], ['init', '--token-name', 'another']]) {
    expect(await world.run(words)).toMatchObject({ exitCode: 5, stdout: '' })
  }
})

test('init adds the missing parts', async () => {
  const world = await createWorld()
  await world.run(['user', 'list'])
  expect(await world.json('init', '--token-name', 'app')).toMatchObject({ username: 'root', token: { name: 'app' } })
  expect(await world.json('init', ...CHANNEL_FLAGS)).toMatchObject({ channel: { name: 'openai' } })
})

test.each([
  [['init'], /--root-password.*--channel-type.*--skip-channel.*--token-name.*--skip-token/],
  [['init', '--root-password', 'long-enough', '--skip-token'], /--channel-type/],
  [['init', '--root-password', 'short', '--skip-channel', '--skip-token'], /--root-password/],
  [[...ALL, '--channel-type', 'nonsense'], /nonsense/],
  [[...ALL, '--channel-base-url', 'example.com'], /--channel-base-url/],
  [[...ALL, '--token-name', 'x'.repeat(31)], /--token-name/],
])('%j without a terminal is a usage error, and writes nothing', async (words, named) => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const { exitCode, stderr } = await world.run(words)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(named)
  expect(existsSync(world.databaseFile)).toBe(false)
})

test('on a terminal init prompts for missing values', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const { cli, printed } = asking(world, [
    '',
    true,
    'type 43',
    'sk-upstream',
    'https://api.deepseek.com',
    'deepseek-chat',
    'mine',
    true,
    'app',
  ])
  await runInit(cli, {})
  const [, password = ''] = /password (\w+) \(shown only once\)/.exec(printed()) ?? []
  await world.inside(async (toolkit, root) => {
    await toolkit.accounts.login({ username: 'root', password })
    expect((await toolkit.channels.list(root)).items).toMatchObject([
      { name: 'mine', type: 43, models: 'deepseek-chat' },
    ])
    expect((await toolkit.tokens.list(root)).items).toMatchObject([{ name: 'app' }])
  })
})

test('Ctrl-C at any prompt is exit code 130, with nothing written', async () => {
  const answers = ['', true, 'type 1', 'sk-upstream', 'https://api.openai.com', '', 'openai', true]
  for (let given = 0; given <= answers.length; given++) {
    const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
    const { cli } = asking(world, answers.slice(0, given))
    const error = await runInit(cli, {}).catch((thrown) => thrown)
    expect(failureOf(error, ENGLISH)).toMatchObject({ exit: 130, message: 'interrupted: nothing was changed' })
    expect(existsSync(world.databaseFile)).toBe(false)
  }
})

/** A command line whose user gives these answers and then presses Ctrl-C. */
function asking(world: World, answers: (string | boolean)[]): { cli: Cli; printed: () => string } {
  let output = ''
  const stream = () =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          output += chunk
          done()
        },
      }),
      { isTTY: true },
    )
  const rest = [...answers]
  const next = async () => {
    const answer = rest.shift()
    if (answer === undefined)
      throw Object.assign(new Error('User force closed the prompt'), { name: 'ExitPromptError' })
    return answer
  }
  const prompts = {
    input: next,
    password: next,
    confirm: next,
    select: async ({ choices }: { choices: { value: { type: number } }[] }) => {
      const wanted = Number(String(await next()).replace('type ', ''))
      return choices.find(({ value }) => value.type === wanted)?.value
    },
  } as unknown as Prompts
  const streams = { stdin: Object.assign(Readable.from([]), { isTTY: true }), stdout: stream(), stderr: stream() }
  const io = { ...streams, env: world.env, folder: world.folder }
  const cli = createCli({ io, texts: ENGLISH, flags: () => ({}) })
  return { cli: { ...cli, json: false, prompts: async () => prompts }, printed: () => output }
}

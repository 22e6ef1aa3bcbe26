import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../cli/errors.ts'
import { terminalPrompts } from '../../cli/input/prompts.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { BIN, createWorld } from './support.ts'

const NOUNS = [
  'serve',
  'init',
  'demo',
  'channel',
  'token',
  'user',
  'redemption',
  'option',
  'log',
  'ledger',
  'config',
  'doctor',
]

describe('the program', () => {
  test('without arguments prints help with every noun, and exits 0', async () => {
    const { stdout, exitCode } = await (await createWorld()).run([])
    expect(exitCode).toBe(0)
    for (const noun of NOUNS) expect(stdout).toMatch(new RegExp(`^  ${noun} `, 'm'))
  })

  test.skipIf(!existsSync('/dev/full'))('reports a full disk behind stdout with one line, and exits 1', async () => {
    const world = await createWorld()
    const options = { cwd: world.folder, env: world.env, extendEnv: false, reject: false } as const
    const message = 'cannot write stdout: ENOSPC: no space left on device, write'
    for (const words of [['token', 'list', '--json'], ['channel', 'types'], ['--help']]) {
      const script = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, BIN, ...words]
      const { stderr, exitCode } = await execa('sh', script, options)
      const isJson = words.includes('--json')
      expect(stderr).toBe(
        isJson ? JSON.stringify({ error: { code: 'FILE_UNWRITABLE', message } }) : `error: ${message}`,
      )
      expect(exitCode).toBe(1)
    }
  })

  test('--version and -V print the version of package.json', async () => {
    const world = await createWorld()
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const flag of ['--version', '-V']) expect((await world.run([flag])).stdout).toBe(version)
  })

  test('a noun without a verb prints the verbs and exits 0', async () => {
    const { stdout, exitCode } = await (await createWorld()).run(['token'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('create <name>')
  })

  test('help of a command is the same by flag and by subcommand', async () => {
    const world = await createWorld()
    const byFlag = await world.run(['token', 'create', '--help'])
    expect(byFlag.exitCode).toBe(0)
    expect((await world.run(['token', 'help', 'create'])).stdout).toBe(byFlag.stdout)
    expect((await world.run(['help', 'token'])).stdout).toBe((await world.run(['token', '--help'])).stdout)
  })

  test.each([
    [['tokne'], 'Did you mean: tollgate token'],
    [['token', 'lst'], 'Did you mean: tollgate token list'],
    [['token', 'all'], 'Did you mean: tollgate token list'],
    [['token', 'add', 'app'], 'Did you mean: tollgate token create'],
    [['token', 'remove', '2'], 'Did you mean: tollgate token delete'],
    [['channels'], 'Did you mean: tollgate channel'],
    [['tokens', 'list'], 'Did you mean: tollgate token list'],
    [['add', 'channel'], 'Did you mean: tollgate channel add'],
    [['list', 'users'], 'Did you mean: tollgate user list'],
    [['key:list'], 'Did you mean: tollgate token list'],
    [['xyzzy'], "unknown command 'xyzzy'. See: tollgate --help"],
    [['help', 'tokne'], 'Did you mean: tollgate token'],
    [['token', 'list', '--serach', 'x'], 'Did you mean --search?'],
    [['token', 'get'], "missing required argument 'id'"],
    [['token', 'get', 'abc'], "invalid value 'abc' of argument 'id'"],
    [['task', 'list', '--kind', 'musik'], 'Did you mean music?'],
    [['channel', 'list', '--status', 'enabld'], 'Did you mean enabled?'],
    [['channel', 'add', '--type', 'openai'], '--name'],
    [['channel', 'add', '--url', 'http://127.0.0.1'], 'Did you mean --base-url?'],
    [['init', '--url', 'http://127.0.0.1'], 'Did you mean --channel-base-url?'],
    [['chat', '-m', 'gpt-4o', 'Hello'], 'Did you mean --model?'],
    [['redemption', 'create', '-x'], "unknown option '-x'"],
    [['init', '--channel-key', '--channel-models', 'x'], '--channel-key needs a value, not --channel-models'],
    [['token', 'list', '--search', '--'], '--search needs a value'],
    [['--server', '--json', 'token', 'list'], '--server needs a value'],
    [['serve', '--server', 'https://gateway.example'], 'tollgate serve does not accept --server'],
    [['init', '--profile', 'work'], 'tollgate init does not accept --profile'],
    [['demo', '--database', 'sqlite:x.db'], 'tollgate demo does not accept --database'],
    [['logout', '--profile', 'work'], 'tollgate logout does not accept --profile'],
    [['profile', 'get', '--profile', 'work'], 'tollgate profile get does not accept --profile'],
  ])('%j is a usage error: one line, exit code 2, nothing on stdout', async (words, hint) => {
    const { stdout, stderr, exitCode } = await (await createWorld()).run(words)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr).toContain(hint)
    const [, ...more] = stderr.split('\n')
    // Below the line of the error there is at most how the command is used.
    expect(more.filter((line) => !/^(Usage|Example): tollgate /.test(line))).toEqual([])
  })

  test('with --json an error is an object with code, message and parameters', async () => {
    const world = await createWorld()
    const { stderr, exitCode } = await world.run(['token', 'get', '99', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'TOKEN_NOT_FOUND', message: 'Token 99 does not exist', id: 99 },
    })
    const usage = await world.run(['token', 'list', '--bogus', '--json'])
    expect(usage.exitCode).toBe(2)
    expect(JSON.parse(usage.stderr).error.code).toBe('USAGE')
  })

  test.each(['confirm', 'input', 'password'] as const)('end of input does not confirm %s', async (kind) => {
    const ask = (typed: string) => {
      const [input, output] = [new PassThrough(), new PassThrough().resume()]
      const prompts = terminalPrompts({ input, output })
      const question = { message: 'Sure?' }
      const answer = kind === 'confirm' ? prompts.confirm({ ...question, default: true }) : prompts[kind](question)
      input.write(typed)
      return answer
    }
    const refusal = await ask('\u0004').catch((error: unknown) => error)
    expect(failureOf(refusal, ENGLISH)).toMatchObject({ exit: 130, code: 'INTERRUPTED' })
    expect(await ask('yes\r')).toBe(kind === 'confirm' ? true : 'yes')
  })

  test.each([
    ['open\r', undefined],
    ['open\r\u0015no\r', false],
    ['\r', true],
    ['N\r', false],
    ['yes\r', true],
  ])('%j confirms or declines as %s: other input repeats the prompt', async (typed, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough().resume()]
    const answer = terminalPrompts({ input, output }).confirm({ message: 'Sure?', default: true })
    for (const character of typed) {
      input.write(character)
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (expected === undefined) setImmediate(() => input.end())
    expect(await answer.catch(() => undefined)).toBe(expected)
  })

  test('errors use the language of LANG', async () => {
    const world = await createWorld()
    const { stderr } = await world.run(['token', 'get', '99'], { env: { ...world.env, LANG: 'zh_CN.UTF-8' } })
    expect(stderr).toBe('错误：令牌 99 不存在')
  })

  test('a reader that closes the pipe early causes no error', async () => {
    const world = await createWorld()
    await world.run(['user', 'list'])
    const { stdout, stderr } = await execa(
      'sh',
      ['-c', `{ "${process.execPath}" "${BIN}" option list; echo "exit $?" >&2; } | head -1`],
      {
        cwd: world.folder,
        env: world.env,
        extendEnv: false,
      },
    )
    expect(stdout).toMatch(/^NAME/)
    expect(stderr).toBe('exit 0')
  })

  test('a pipe has no color, and full values', async () => {
    const world = await createWorld()
    const { stdout } = await world.run(['option', 'list', '--area', 'ratio'])
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('"gpt-4o-mini":0.075')
  })
})

test.each([
  ['token', 'list'],
  ['token', 'create', 'app'],
  ['redemption', 'create'],
  ['ledger', 'verify'],
  ['db', 'check'],
  ['db', 'backup', 'copy.db'],
  ['log', 'tail'],
  ['user', 'list', '--json'],
])('without a database, %s %s creates none, and prints how to', async (...words) => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const { stdout, stderr, exitCode } = await world.run(words)
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 })
  expect(stderr).toContain(`there is no database at ${world.databaseFile}. Create one with: tollgate init`)
  expect(readdirSync(world.folder)).toEqual([])
})

test('a database in an unreadable folder is reported as such, not as missing', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  const loop = join(world.folder, 'loop')
  symlinkSync(loop, loop)
  const env = { ...world.env, DATABASE_URL: `sqlite:${loop}/tollgate.db` }
  for (const words of [
    ['user', 'list'],
    ['db', 'status'],
  ]) {
    const { stderr, exitCode } = await world.run(words, { env })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: cannot open the database .*ELOOP/),
    })
  }
})

test('commands create no root user in a database without one', async () => {
  const world = await createWorld({ ROOT_PASSWORD: '' }, { isEmpty: true })
  expect((await world.run(['db', 'migrate'])).exitCode).toBe(0)
  expect(await world.run(['user', 'list'])).toMatchObject({ stdout: '', exitCode: 3 })
})

describe('an invalid environment', () => {
  test('a wrong TOLLGATE_SECRET: one line, exit code 1, no change', async () => {
    const world = await createWorld()
    await world.run(['user', 'list'])
    const before = readFileSync(world.databaseFile)
    const env = { ...world.env, TOLLGATE_SECRET: 'another-secret-another-secret' }
    const { stdout, stderr, exitCode } = await world.run(['token', 'create', 'app'], { env })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(/^error: the master key \(TOLLGATE_SECRET, or .*\) is not the one .*$/)
    expect(readFileSync(world.databaseFile).equals(before)).toBe(true)
  })

  test('a database of a newer version: one line, exit code 1, no change', async () => {
    const world = await createWorld()
    await world.inside((toolkit) =>
      toolkit.db.transaction((trx) => trx('migrations').insert({ name: '9999-future', applied_at: 0 })),
    )
    const { stderr, exitCode } = await world.run(['token', 'list'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: the database .* was written by a newer Tollgate \(migration 9999-future\).*$/)
  })

  test('a data folder that cannot be created: one line, exit code 1', async () => {
    const world = await createWorld({}, { isEmpty: true })
    const database = `sqlite:${BIN}/inside-a-file/tollgate.db`
    const { stderr, exitCode } = await world.run(['db', 'migrate', '--database', database])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: cannot write to the data folder .*$/)
  })

  test('an invalid setting is reported before any file is created', async () => {
    const world = await createWorld({ WORKERS: 'many' }, { isEmpty: true })
    const { stderr, exitCode } = await world.run(['serve'])
    expect({ stderr, exitCode }).toEqual({
      stderr: 'error: configuration WORKERS: "many" must be a whole number from 1 to 256',
      exitCode: 2,
    })
    expect(existsSync(world.databaseFile)).toBe(false)
  })
})

describe('hints after an error', () => {
  test('a missing argument prints the usage and an example', async () => {
    const { stderr, exitCode } = await (await createWorld()).run(['token', 'create'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^error: missing required argument 'name'\nUsage: tollgate token create .*<name>.*\nExample: tollgate token create \S+/,
    )
    const json = await (await createWorld()).run(['token', 'create', '--json'])
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'USAGE' } })
  })

  test('an unknown channel type suggests a similar one', async () => {
    const { run } = await createWorld()
    const words = ['channel', 'add', '--name', 'x', '--type', 'opnai', '--key', 'k', '--models', 'm']
    expect(await run(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean openai?') })
    expect((await run(words.with(5, 'zzzzzz'))).stderr).not.toContain('Did you mean')
  })

  test('an unknown group is reported as unknown', async () => {
    const { run } = await createWorld()
    const refused = await run(['token', 'create', 'x', '--group', 'nope'])
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/no group nope/i) })
  })
})

test('negative amounts need no --', async () => {
  const world = await createWorld()
  await world.inside(({ accounts }, root) => accounts.create(root, { username: 'ann', password: 'long-enough-1' }))
  await world.run(['user', 'set-quota', 'ann', '$10'])
  for (const [amount, left] of [
    ['-$1', 4_500_000],
    ['-1.50usd', 3_750_000],
    ['-1m', 2_750_000],
    ['-5', 2_749_995],
  ] as const)
    expect(await world.json('user', 'set-quota', 'ann', amount)).toMatchObject({ quota: left })
})

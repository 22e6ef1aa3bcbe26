import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freeProfileName, isReadableByOthers } from '../../../cli/commands/login/sign-in.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { PASSWORD } from '../../support/toolkit.ts'
import { commandsIn, createFolder, environmentIn } from '../support.ts'

const gateway = shared(() => openTestGateway())

/** A machine without profiles. */
async function machine(more: Record<string, string> = {}) {
  const folder = await createFolder()
  const env = { ...environmentIn(folder), ...more }
  return { ...commandsIn({ env, folder }), env }
}

test('login by password creates the first access token and a profile for later commands; logout removes it', async () => {
  const { url, user, toolkit } = gateway()
  const ann = await user()
  const { run, json, env } = await machine()
  const words = ['login', url, '--username', ann.username, '--password-stdin']
  const { stdout, stderr, exitCode } = await run(words, { input: `${PASSWORD}\n` })
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '',
    stderr: `Signed in to ${url} as ${ann.username}. Commands now use the profile 127.0.0.1.`,
    exitCode: 0,
  })
  expect(await toolkit.db.reader('sessions').where({ user_id: ann.id })).toEqual([])
  const me = await json('account', 'whoami')
  expect(me).toMatchObject({ server: url, profile: '127.0.0.1', username: ann.username, role: 1 })

  const token = await toolkit.accessTokens.own(ann)
  const outputs = [
    await run(['profile', 'list', '--json']),
    await run(['profile', 'get']),
    await run(['account', 'whoami']),
  ]
  expect(JSON.stringify(outputs)).not.toContain(token)
  expect(await json('profile', 'list')).toEqual([
    { name: 'local', server: '', user_id: 0, username: '', role: 100, role_name: 'root', current: false },
    {
      name: '127.0.0.1',
      server: url,
      user_id: ann.id,
      username: ann.username,
      role: 1,
      role_name: 'common',
      current: true,
    },
  ])

  const inForce = async (more: Record<string, string>) => {
    const { stdout, stderr } = await run(['profile', 'list', '--json'], { env: { ...env, ...more } })
    const current = JSON.parse(stdout).filter((row: { current: boolean }) => row.current)
    return { names: current.map(({ name }: { name: string }) => name), stderr }
  }
  expect(await inForce({ DATABASE_URL: 'sqlite:x.db' })).toEqual({ names: ['local'], stderr: '' })
  expect(await inForce({ TOLLGATE_SERVER: 'http://127.0.0.1:1', TOLLGATE_TOKEN: 'x' })).toEqual({
    names: [],
    stderr: 'Commands use http://127.0.0.1:1, from --server or TOLLGATE_SERVER; no profile is in use.',
  })
  const init = await run(['init', '--root-password', 'long-enough', '--skip-channel', '--skip-token'])
  expect(init).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--profile local') })

  // The token that there is now is taken again, not made void.
  await run(words, { input: PASSWORD })
  expect(await toolkit.accessTokens.own(ann)).toBe(token)

  expect((await run(['logout'])).stderr).toMatch(/^Removed profile 127\.0\.0\.1\./)
  expect((await json('profile', 'list')).map(({ current }: { current: boolean }) => current)).toEqual([true])
  expect((await run(['logout'])).exitCode).toBe(3)
})

test('login by access token; profiles are selected, shown and removed by name', async () => {
  const { url, user, toolkit, root } = gateway()
  const ann = await user()
  const tokens = { ann: await toolkit.accessTokens.create(ann), root: await toolkit.accessTokens.create(root) }
  const { run, json, env } = await machine()
  const elsewhereToo = commandsIn({ env: { ...env, TOLLGATE_PROFILE: 'local' }, folder: env.HOME })
  const first = ['login', url, '--token-stdin', '--name', 'ann']
  expect((await elsewhereToo.run(first, { input: `${tokens.ann}\n` })).stderr).toMatch(
    /Commands now use the profile ann\.\nTOLLGATE_PROFILE is set and takes precedence in this shell\.$/,
  )
  expect(await json('login', url, '--token', tokens.root, '--name', 'boss')).toEqual({
    profile: 'boss',
    server: url,
    user_id: root.id,
    username: 'root',
    role: 100,
    role_name: 'root',
  })
  expect(await json('account', 'whoami')).toMatchObject({ username: 'root' })
  expect((await run(['profile', 'use', 'ann'])).stderr).toBe('Commands now use ann.')
  expect(await json('account', 'whoami')).toMatchObject({ username: ann.username })
  expect(await json('account', 'whoami', '--profile', 'boss')).toMatchObject({ username: 'root' })
  expect((await run(['user', 'list'])).exitCode).toBe(4)

  // A new token keeps the profile, and makes the one before void elsewhere.
  const made = await json('account', 'access-token', '--new', '--yes')
  expect(await json('account', 'whoami')).toMatchObject({ username: ann.username })
  const elsewhere = await machine({ TOLLGATE_SERVER: url, TOLLGATE_TOKEN: tokens.ann })
  const { stderr, exitCode } = await elsewhere.run(['account', 'whoami'])
  expect(exitCode).toBe(4)
  expect(stderr).toBe(`error: ${url} rejects the access token: sign in again with tollgate login ${url}`)
  expect(made.access_token).toBe(await toolkit.accessTokens.own(ann))

  expect((await run(['profile', 'remove', 'ann', 'no-such-name'])).exitCode).toBe(3)
  expect(await json('profile', 'get')).toMatchObject({ name: 'ann' })
  expect(await json('profile', 'remove', 'ann', 'boss', 'ann')).toEqual({ removed: ['ann', 'boss'] })
  expect(await json('profile', 'get')).toMatchObject({ name: 'local', current: true })
  expect((await run(['profile', 'use', 'ann'])).exitCode).toBe(3)
  expect((await run(['profile', 'remove', 'local'])).exitCode).toBe(2)
})

test('the role stored in a profile grants nothing, and an invalid token is reported immediately', async () => {
  const { url, user, toolkit, root } = gateway()
  const ann = await user()
  const { run, json } = await machine()
  const login = async () => run(['login', url, '--token', await toolkit.accessTokens.create(ann), '--name', 'ann'])
  // As by a tool that writes to the database itself: the profile learns nothing of it.
  const setRole = (role: number) => toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).update({ role }))
  await login()
  const mine = await json('log', 'list')
  await setRole(10)
  expect((await json('log', 'list')).total).toBeGreaterThan(mine.total)
  await login()
  await setRole(1)
  expect(await json('log', 'list')).toEqual(mine)
  expect(await json('profile', 'get')).toMatchObject({ role: 10 })

  await toolkit.accounts.manage(root, ann.id, 'promote')
  expect((await run(['token', 'create', 'a'])).stderr).toMatch(/rejects the access token/)
})

test('a failed login stores nothing', async () => {
  const { url } = gateway()
  const { run, json } = await machine()
  const attempts = [
    {
      words: [url, '--username', 'root', '--password-stdin'],
      input: 'wrong-password',
      exit: 4,
      said: /incorrect|wrong/i,
    },
    { words: [url, '--token', 'no-such-token'], exit: 4, said: /rejects the access token/ },
    { words: [url], exit: 2, said: /no terminal for prompts/ },
    { words: [url, '--token', 'x', '--password-stdin'], exit: 2, said: /only one of/ },
    { words: [url, '--token', 'x', '--username', 'ann'], exit: 2, said: /only one of --username, --token/ },
    { words: [url, '--token-stdin'], input: '\n', exit: 2, said: /the access token is empty/ },
    { words: [url, '--token', ''], exit: 2, said: /the access token is empty/ },
    { words: [url, '--token', 'x', '--name', 'local'], exit: 2, said: /local is the database on this machine/ },
    { words: [url, '--token', 'x', '--name', '../x'], exit: 2, said: /--name can have/ },
    { words: ['not an address', '--token', 'x'], exit: 2, said: /not a server address/ },
    { words: ['http://127.0.0.1:1', '--token', 'x'], exit: 1, said: /refuses connections|cannot be reached/ },
  ]
  for (const { words, input = '', exit, said } of attempts) {
    const { stdout, stderr, exitCode } = await run(['login', ...words], { input })
    expect({ words, stdout, exitCode, lines: stderr.split('\n').length }).toEqual({
      words,
      stdout: '',
      exitCode: exit,
      lines: 1,
    })
    expect(stderr).toMatch(said)
  }
  expect(await json('profile', 'list')).toHaveLength(1)
})

test('a bot check, a second factor, or an unknown reply: the command asks for an access token', async () => {
  const answers: Record<string, unknown> = {}
  const server = createServer(({ url = '' }, response) => {
    response.end(JSON.stringify({ success: true, message: '', data: answers[url.split('?')[0] ?? ''] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { run } = await machine()
  const message = async () =>
    (await run(['login', url, '--username', 'ann', '--password-stdin'], { input: PASSWORD })).stderr

  expect(await message()).toBe(`error: ${url} responds, but not like a Tollgate gateway: check the address`)
  answers['/api/status'] = { version: '99.0.0', turnstile_check: true }
  expect(await message()).toMatch(
    /runs version 99\.0\.0.*\nerror: .* requires a bot check at sign-in, which needs a browser: create an access token .* --token-stdin$/,
  )
  answers['/api/status'] = { version: '99.0.0', turnstile_check: false }
  answers['/api/user/login'] = { require_2fa: true }
  expect(await message()).toMatch(/requires more than a password: create an access token/)
})

test('a server whose profile would be named local gets another name', () => {
  expect(freeProfileName('http://local:3000', {})).toBe('local-3000')
  expect(freeProfileName('https://local', {})).toBe('local-2')
})

test.each([
  ['http://gateway.example', true],
  ['http://10.0.0.5:3000', true],
  ['http://localhost.evil.example', true],
  ['http://127.0.0.1:3000', false],
  ['http://localhost:3000', false],
  ['http://[::1]:3000', false],
  ['https://gateway.example', false],
])('warns that data sent to %s can be read in transit: %s', (url, expected) => {
  expect(isReadableByOthers(url)).toBe(expected)
})

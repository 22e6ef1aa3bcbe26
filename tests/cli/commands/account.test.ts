import { beforeAll, describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { codeIn, configureMail, startMailServer } from '../../support/mail.ts'
import { PASSWORD } from '../../support/toolkit.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('account, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('whoami prints the user and the gateway, without a secret', async () => {
    const me = await world().json('account', 'whoami')
    expect(me).toEqual({
      server: world().url ?? '',
      profile: '',
      id: 1,
      username: 'root',
      display_name: 'Root User',
      role: 100,
      role_name: 'root',
      group: 'default',
      quota: 100_000_000,
      used_quota: 0,
    })
    const { stdout } = await world().run(['account', 'whoami'])
    expect(stdout).toMatch(world().url === undefined ? /^gateway +the database on this machine$/m : /^gateway +http:/m)
    expect(stdout).toMatch(/^quota left +100000000 \(\$200\.00\)$/m)
  })

  test('update changes names, and rejects empty input and blanks', async () => {
    expect(await world().json('account', 'update', '--display-name', 'Operator')).toMatchObject({
      username: 'root',
      display_name: 'Operator',
      access_token: null,
    })
    for (const words of [[], ['--username', ' '], ['--display-name', 'x'.repeat(21)]]) {
      expect((await world().run(['account', 'update', ...words])).exitCode).toBe(2)
    }
    await world().run(['account', 'update', '--display-name', 'Root User'])
  })

  test('update changes the language of mails', async () => {
    const stored = () => world().inside(({ db }) => db.reader('users').where({ id: 1 }).first('language'))
    for (const language of ['en', 'zh']) {
      const { exitCode } = await world().run(['account', 'update', '--mail-language', language])
      expect(exitCode).toBe(0)
      expect(await stored()).toEqual({ language })
    }
    expect((await world().run(['account', 'update', '--mail-language', 'fr'])).exitCode).toBe(2)
    expect(await stored()).toEqual({ language: 'zh' })
  })

  test('password is read from stdin, and prompted for only on a terminal', async () => {
    const set = (input: string, ...words: string[]) => world().run(['account', 'password', ...words], { input })
    if (kind === 'server') {
      const { stdout, stderr, exitCode } = await set('another-one', '--password-stdin')
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 })
      expect(stderr).toContain(`sign in at ${world().url}/setting`)
      return expect(stderr).toContain('error: an access token cannot change the password')
    }
    expect(await set('another-one\n', '--password-stdin')).toEqual({
      stdout: '',
      stderr: 'Changed your password.',
      exitCode: 0,
    })
    await world().inside((toolkit) => toolkit.accounts.login({ username: 'root', password: 'another-one' }))
    for (const [input, ...words] of [['another-two'], ['short', '--password-stdin'], ['', '--password-stdin']] as const)
      expect((await set(input, ...words)).exitCode).toBe(2)
    await world().inside((toolkit) => toolkit.accounts.login({ username: 'root', password: 'another-one' }))
  })

  test('access-token prints the existing token, and replaces it only on request', async () => {
    const { stdout } = await world().run(['account', 'access-token'])
    expect(await world().json('account', 'access-token')).toEqual({ access_token: stdout })
    const currentToken = () => world().inside((toolkit, root) => toolkit.accessTokens.own(root))
    expect(await currentToken()).toBe(stdout)
    expect((await world().run(['account', 'access-token', '--new'])).exitCode).toBe(2)
    expect(await currentToken()).toBe(stdout)
  })

  test('bindings and invite show the stored values', async () => {
    const bindings = await world().json('account', 'bindings')
    expect(bindings.map(({ provider }: { provider: string }) => provider)).toEqual([
      'mail address',
      'GitHub',
      'LinuxDO',
      'WeChat',
      'Telegram',
      'OpenID Connect',
    ])
    const invite = await world().json('account', 'invite')
    expect(invite).toEqual({
      code: expect.stringMatching(/^\w{4,}$/),
      link: expect.stringContaining(`/register?aff=${invite.code}`),
      count: 0,
      quota: 0,
      history_quota: 0,
    })
  })

  test('register creates a common user, with an inviter, who can sign in', async () => {
    const { code } = await world().json('account', 'invite')
    const words = ['account', 'register', 'eve', '--password-stdin', '--invite', code]
    expect((await world().run(words, { input: 'short' })).exitCode).toBe(2)
    const { stderr, exitCode } = await world().run(words, { input: 'evesecret' })
    expect({ first: stderr.split('\n')[0], exitCode }).toEqual({ first: 'Created account eve.', exitCode: 0 })
    await world().inside((toolkit) => toolkit.accounts.login({ username: 'eve', password: 'evesecret' }))
    expect(await world().json('user', 'get', 'eve')).toMatchObject({ role: 1, inviter_id: 1 })
    expect((await world().run(words, { input: 'evesecret' })).exitCode).toBe(5)
    await world().run(['option', 'set', 'RegisterEnabled', 'false'])
    const closed = await world().run(['account', 'register', 'late', '--password-stdin'], { input: 'latesecret' })
    expect(closed).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('closed new user registration') })
  })

  test('root does not delete itself', async () => {
    const { stderr, exitCode } = await world().run(['account', 'delete', '--yes'])
    expect({ stderr, exitCode }).toEqual({
      stderr: 'error: the super administrator account cannot be deleted',
      exitCode: 4,
    })
    expect((await world().run(['account', 'delete'])).exitCode).toBe(2)
  })

  test('a mailed code verifies an address, and a mailed link sets a new password', async () => {
    const mails = await startMailServer()
    await world().inside((toolkit, root) => configureMail({ toolkit, root: { ...root, username: 'root' } }, mails))
    const address = 'root@example.org'
    expect((await world().run(['account', 'verify-email', address])).stderr).toContain(`Sent a code to ${address}`)
    const verify = (code: string, input = PASSWORD) =>
      world().run(['account', 'verify-email', address, '--password-stdin', '--json', '--code', code], { input })
    expect((await verify('wrong!')).exitCode).toBe(2)
    const code = codeIn(mails.newest(address))
    if (kind === 'server') expect((await verify(code, 'wrong password')).exitCode).toBe(4)
    expect(JSON.parse((await verify(code)).stdout)).toEqual({ email: address, bound: true })
    expect((await world().json('account', 'bindings'))[0]).toEqual({ provider: 'mail address', account: address })

    expect((await world().run(['account', 'reset-password', address])).stderr).toContain(`Sent a link to ${address}`)
    expect(mails.newest(address).body).toContain('to reset the password')
    const [link = ''] = /http[^"\s<]*\/user\/reset[^"\s<]*/.exec(mails.newest(address).body) ?? []
    expect((await world().run(['account', 'reset-password', address, '--token', 'wrong'])).exitCode).toBe(2)
    const { stdout } = await world().run(['account', 'reset-password', address, '--token-stdin'], {
      input: link.replaceAll('&amp;', '&'),
    })
    await world().inside((toolkit) => toolkit.accounts.login({ username: 'root', password: stdout }))
    expect((await world().run(['account', 'reset-password', 'missing@example.org'])).exitCode).toBe(3)
  })
})

describe('an account of a server', () => {
  const world = shared(() => openBacking('server'))
  let env: Record<string, string>
  beforeAll(async () => {
    const token = await world().inside(async (toolkit, root) =>
      toolkit.accessTokens.create(await toolkit.accounts.create(root, { username: 'ann', password: 'annsecret' })),
    )
    env = { ...world().env, TOLLGATE_TOKEN: token }
  })

  test("has no administrator rights, and the commands never send another user's name", async () => {
    for (const words of [
      ['user', 'list'],
      ['user', 'get', 'root'],
      ['user', 'get', '1'],
      ['user', 'set-quota', 'ann', '+5'],
      ['wallet', 'orders', '--everybody'],
      ['wallet', 'callbacks'],
      ['wallet', 'replay', '1'],
    ]) {
      const { stdout, stderr, exitCode } = await world().run(words, { env })
      expect({ words, stdout, exitCode }).toEqual({ words, stdout: '', exitCode: 4 })
      expect(stderr).toContain('no permission')
    }
    expect((await world().run(['user', 'get', 'ann', '--json'], { env })).exitCode).toBe(0)
  })

  test('needs no sign-in to register, and can delete itself', async () => {
    const { TOLLGATE_TOKEN: _, ...anonymous } = env
    const made = await world().run(['account', 'register', 'newcomer', '--password-stdin'], {
      input: 'newsecret',
      env: anonymous,
    })
    expect(made.stderr).toBe(`Created account newcomer.\nSign in: tollgate login ${world().url}`)
    expect((await world().run(['account', 'whoami'], { env: anonymous })).exitCode).toBe(4)
    const { exitCode } = await world().run(['account', 'delete', '--yes'], { env })
    expect(exitCode).toBe(0)
    expect((await world().run(['account', 'whoami'], { env })).exitCode).toBe(4)
  })
})

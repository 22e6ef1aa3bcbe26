import { lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeProfiles, profilesPath, readProfiles, type ServerProfile } from '../../cli/profiles.ts'
import { resolveTarget, serverUrl } from '../../cli/target.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { createFolder, environmentIn } from './support.ts'

const texts = ENGLISH
const WORK: ServerProfile = { server: 'https://work.example', username: 'ann', userId: 2, role: 1, token: 'work-token' }
const HOME: ServerProfile = { ...WORK, server: 'https://home.example', userId: 3, token: 'home-token' }

async function signedIn(profiles: Record<string, ServerProfile> = { work: WORK, home: HOME }, current = 'work') {
  const env = environmentIn(await createFolder())
  await changeProfiles({ env, texts }, () => ({ current, profiles }))
  return env
}

describe('target of a command line', () => {
  const SERVER = { TOLLGATE_SERVER: 'https://ci.example', TOLLGATE_TOKEN: 'ci-token' }
  const DATABASE = { DATABASE_URL: 'sqlite:x' }
  test.each([
    ['nothing said: the profile in use', {}, {}, 'work-token'],
    ['DATABASE_URL before the profile in use', {}, DATABASE, 'local'],
    ['TOLLGATE_PROFILE before DATABASE_URL', {}, { ...DATABASE, TOLLGATE_PROFILE: 'home' }, 'home-token'],
    ['TOLLGATE_SERVER before TOLLGATE_PROFILE', {}, { ...SERVER, TOLLGATE_PROFILE: 'home' }, 'ci-token'],
    ['TOLLGATE_SERVER before DATABASE_URL', {}, { ...SERVER, ...DATABASE }, 'ci-token'],
    ['TOLLGATE_PROFILE=local', {}, { TOLLGATE_PROFILE: 'local' }, 'local'],
    ['--profile before TOLLGATE_SERVER', { profile: 'home' }, SERVER, 'home-token'],
    ['--profile local before TOLLGATE_SERVER', { profile: 'local' }, SERVER, 'local'],
    ['--database before everything', { database: 'sqlite:y' }, { ...SERVER, ...DATABASE }, 'local'],
    [
      '--server before TOLLGATE_PROFILE',
      { server: 'https://home.example/' },
      { TOLLGATE_PROFILE: 'work' },
      'home-token',
    ],
    ['--server with TOLLGATE_TOKEN', { server: 'https://home.example' }, { TOLLGATE_TOKEN: 'mine' }, 'mine'],
    ['--server that TOLLGATE_SERVER names, too', { server: 'ci.example/' }, SERVER, 'ci-token'],
    ['--server of a profile, not the token of another', { server: 'https://home.example' }, SERVER, 'home-token'],
    [
      '--profile decides the user, even with a token set',
      { profile: 'home' },
      { TOLLGATE_TOKEN: 'mine' },
      'home-token',
    ],
    ['empty variables are none', {}, { TOLLGATE_TOKEN: ' ', TOLLGATE_PROFILE: '', DATABASE_URL: '' }, 'work-token'],
  ])('%s', async (_, flags, variables, expected) => {
    const env = { ...(await signedIn()), ...variables }
    const target = await resolveTarget(flags, { env, texts })
    expect(target.kind === 'local' ? 'local' : target.server.token).toBe(expected)
  })

  test.each([
    ['a token without a server', {}, { TOLLGATE_TOKEN: 't' }, 'USAGE', /^TOLLGATE_TOKEN is set.*set TOLLGATE_SERVER/],
    ['a token with an empty one', {}, { TOLLGATE_TOKEN: 't', TOLLGATE_SERVER: ' ' }, 'USAGE', /^TOLLGATE_TOKEN is set/],
    ['a token beside a database', {}, { ...DATABASE, TOLLGATE_TOKEN: 't' }, 'USAGE', /^TOLLGATE_TOKEN is set/],
    ['a token and a profile', {}, { TOLLGATE_PROFILE: 'work', TOLLGATE_TOKEN: 't' }, 'USAGE', /^TOLLGATE_TOKEN is/],
    ['an empty server', {}, { TOLLGATE_SERVER: '' }, 'USAGE', /^TOLLGATE_SERVER is empty/],
    ['--server ""', { server: '' }, {}, 'USAGE', /^--server is empty/],
    ['--profile ""', { profile: '' }, {}, 'USAGE', /^--profile is empty/],
    ['--database ""', { database: '' }, {}, 'USAGE', /^--database is empty/],
    [
      "another server's token",
      { server: 'https://evil.example' },
      SERVER,
      'NOT_SIGNED_IN',
      /TOLLGATE_TOKEN is for https:\/\/ci\.example$/,
    ],
    ['the token of https, for http', { server: 'http://ci.example' }, SERVER, 'NOT_SIGNED_IN', /is for https:/],
  ])('%s is rejected', async (_, flags, variables, code, message) => {
    for (const signed of [await signedIn(), environmentIn(await createFolder())]) {
      const refusal = resolveTarget(flags, { env: { ...signed, ...variables }, texts })
      await expect(refusal).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    }
  })

  test('without any of these it is the local database', async () => {
    const env = environmentIn(await createFolder())
    expect(await resolveTarget({}, { env, texts })).toEqual({ kind: 'local' })
  })

  test('of two users of one server, the active one comes first', async () => {
    const other = { ...WORK, userId: 9, token: 'other-token' }
    const env = await signedIn({ work: WORK, other }, 'other')
    const target = await resolveTarget({ server: WORK.server }, { env, texts })
    expect(target).toMatchObject({ profile: 'other', server: { token: 'other-token', userId: 9 } })
  })

  test.each([
    [{ server: 'https://a.example', profile: 'work' }, 'USAGE', /pass only one of --server, --profile/],
    [{ server: 'https://a.example', database: 'sqlite:x' }, 'USAGE', /only one/],
    [{ profile: 'missing' }, 'PROFILE_NOT_FOUND', /unknown profile missing/],
    [{ profile: '__proto__' }, 'PROFILE_NOT_FOUND', /unknown profile/],
    [
      { server: 'https://a.example' },
      'NOT_SIGNED_IN',
      /run tollgate login https:\/\/a\.example, or set TOLLGATE_TOKEN/,
    ],
    [{ server: 'ftp://a.example' }, 'USAGE', /not a server address/],
  ])('%j is rejected as %s', async (flags, code, message) => {
    const env = await signedIn()
    const refusal = resolveTarget(flags, { env, texts })
    await expect(refusal).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('addresses: https except for this machine, without a trailing slash', () => {
    const of = (text: string) => serverUrl(text, texts)
    expect(of('gateway.example')).toBe('https://gateway.example')
    expect(of('localhost:3000')).toBe('http://localhost:3000')
    expect(of('127.0.0.1:3000/base')).toBe('http://127.0.0.1:3000/base')
    expect(of('localhost.evil.example')).toBe('https://localhost.evil.example')
    expect(of('127.evil.example')).toBe('https://127.evil.example')
    expect(of('HTTPS://Gateway.Example/base//')).toBe('https://gateway.example/base')
    for (const wrong of [
      '',
      'http://',
      'https://u:p@a.example',
      'https://a.example?x=1',
      'https://a.example#x',
      'a b',
    ]) {
      expect(() => of(wrong)).toThrow(/not a server address/)
    }
  })
})

describe('the profile file', () => {
  test('only its owner can read it, and it is replaced atomically', async () => {
    const env = await signedIn()
    const { mode } = await stat(profilesPath(env))
    expect(mode & 0o777).toBe(0o600)
    expect((await stat(dirname(profilesPath(env)))).mode & 0o777).toBe(0o700)
  })

  test('concurrent logins lose no profile', async () => {
    const env = environmentIn(await createFolder())
    const names = Array.from({ length: 8 }, (_, at) => `p${at}`)
    const adding = names.map((name) =>
      changeProfiles({ env, texts }, (known) => ({ current: name, profiles: { ...known.profiles, [name]: WORK } })),
    )
    await Promise.all(adding)
    expect(Object.keys((await readProfiles({ env, texts })).profiles).sort()).toEqual(names)
  })

  test('a stale lock is taken over by one of many processes, and no profile is lost', async () => {
    const env = await signedIn({})
    const lock = `${profilesPath(env)}.lock`
    await writeFile(lock, '1')
    await utimes(lock, 0, 0)
    const names = Array.from({ length: 8 }, (_, at) => `p${at}`)
    const adding = names.map((name) =>
      changeProfiles({ env, texts }, (known) => ({ profiles: { ...known.profiles, [name]: WORK } })),
    )
    await Promise.all(adding)
    expect(Object.keys((await readProfiles({ env, texts })).profiles).sort()).toEqual(names)
    expect(await readdir(dirname(lock))).toEqual(['profiles.json'])
  })

  test('a lock of another process is waited for, then its holder is reported', async () => {
    const env = await signedIn()
    const lock = `${profilesPath(env)}.lock`
    await writeFile(lock, '4711')
    const changing = changeProfiles({ env, texts }, () => ({ profiles: {} }), { maxWaitMs: 50 })
    await expect(changing).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: `another tollgate process (4711) is changing the profiles: try again, or delete ${lock} if it does not run`,
    })
    expect(await readFile(lock, 'utf8')).toBe('4711')
    expect(Object.keys((await readProfiles({ env, texts })).profiles)).toEqual(['work', 'home'])
  })

  test.each([true, false])('a symbolic link is kept, and its target is written (existing: %s)', async (there) => {
    const env = environmentIn(await createFolder())
    const path = profilesPath(env)
    const shared = join(await createFolder(), 'shared.json')
    await mkdir(dirname(path), { recursive: true })
    await symlink(shared, path)
    if (there) await writeFile(shared, '{"profiles": {}}', { mode: 0o644 })
    await changeProfiles({ env, texts }, () => ({ profiles: { work: WORK } }))
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect((await stat(shared)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(shared, 'utf8'))).toEqual({ profiles: { work: WORK } })
  })

  test.each([
    '{"profiles": {',
    '[]',
    '{"profiles": []}',
    '{"profiles": {"work": {"server": "x"}}}',
    '{"profiles": {"work": null}}',
  ])('an invalid file is reported, and never overwritten: %s', async (content) => {
    const env = environmentIn(await createFolder())
    const path = profilesPath(env)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    const unreadable = { code: 'FILE_UNREADABLE', message: expect.stringContaining(path) }
    await expect(resolveTarget({}, { env, texts })).rejects.toMatchObject(unreadable)
    await expect(changeProfiles({ env, texts }, () => ({ profiles: {} }))).rejects.toMatchObject(unreadable)
    expect(await readFile(path, 'utf8')).toBe(content)
    // An explicit server needs no profile.
    const named = { ...env, TOLLGATE_SERVER: 'https://ci.example', TOLLGATE_TOKEN: 't' }
    expect(await resolveTarget({}, { env: named, texts })).toMatchObject({ kind: 'remote' })
  })
})

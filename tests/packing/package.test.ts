import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import { describe, expect, test } from 'vitest'
import { createFolder, environmentIn } from '../cli/support.ts'
import { shared, whenDone } from '../support/lifetime.ts'
import { withoutDevelopment } from './packed-files.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** npm downloads what its cache lacks: on a slow line this takes minutes. */
const INSTALL_MS = 600_000

/** The environment of a user, with npm's cache of this machine. */
async function openUser() {
  const folder = await createFolder()
  const env = { ...environmentIn(folder), npm_config_cache: await npmConfig('cache'), PORT: '0', HOST: '127.0.0.1' }
  return { folder, options: { cwd: folder, env: { ...registryEnv(), ...env }, reject: false } satisfies Options }
}

async function npmConfig(name: string): Promise<string> {
  const { stdout } = await execa('npm', ['config', 'get', name], { cwd: ROOT })
  return stdout
}

/** Packs what is built, as `npm pack` does, from a copy: without its own build, and without changing files that other tests read. */
async function pack(destination: string): Promise<string> {
  const copy = join(destination, 'checkout')
  const { files } = readJson(join(ROOT, 'package.json'))
  const packed = files.filter((file: string) => existsSync(join(ROOT, file)))
  for (const file of [...packed, 'package.json', 'package-lock.json', 'tests/packing'])
    cpSync(join(ROOT, file), join(copy, file), { recursive: true })
  const manifest = join(copy, 'package.json')
  const { scripts, ...rest } = readJson(manifest)
  writeFileSync(manifest, JSON.stringify({ ...rest, scripts: { ...scripts, build: 'true' } }))
  const before = readFileSync(manifest, 'utf8')
  const flags = ['--json', '--pack-destination', destination]
  const { stdout } = await execa('npm', ['pack', ...flags], { cwd: copy })
  expect(readFileSync(manifest, 'utf8')).toBe(before)
  expect(existsSync(join(copy, 'npm-shrinkwrap.json'))).toBe(false)
  return JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0].filename
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Where npm finds packages on this machine. Other settings of the developer stay out. */
const registryEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^npm_config_(registry|userconfig)$/i.test(name)))

/** The package, installed for all users of a machine whose npm runs no install scripts. */
async function installPackage() {
  const user = await openUser()
  const filename = await pack(user.folder)
  const prefix = join(user.folder, 'global')
  const flags = ['--prefix', prefix, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const { all, exitCode } = await execa('npm', ['install', '-g', ...flags, join(user.folder, filename)], {
    ...user.options,
    all: true,
  })
  if (exitCode !== 0) throw new Error(`npm install -g ended with ${exitCode}: ${all}`)
  const installed = join(prefix, 'lib', 'node_modules', 'tollgate')
  const tollgate = (...words: string[]) =>
    execa(process.execPath, [join(installed, 'bin', 'tollgate.js'), ...words], user.options)
  return { folder: user.folder, installed, output: all, tollgate }
}

describe('the packed package', () => {
  const fixture = shared(installPackage, { timeoutMs: INSTALL_MS })

  test('has the program, the console, the man page and its lock file, and no development files', () => {
    const { installed } = fixture()
    for (const file of [
      'dist/program/main.js',
      'dist/program/licenses.md',
      'dist/console/index.html',
      'man/tollgate.1',
      'docs/README.md',
    ])
      expect(existsSync(join(installed, file))).toBe(true)
    expect(existsSync(join(installed, 'npm-shrinkwrap.json'))).toBe(true)
    // The compiled modules that the bundle has.
    expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['console', 'program'])
    expect(readdirSync(join(installed, 'bin'))).toEqual(['tollgate.js'])
    for (const name of ['typescript', 'vite', 'vitest', '@visactor', '@arco-design'])
      expect(readdirSync(join(installed, 'node_modules'))).not.toContain(name)
  })

  test(
    'unpacked, it installs exactly the locked versions with `npm ci --omit=dev`',
    async () => {
      const { folder, options } = await openUser()
      cpSync(fixture().installed, folder, {
        recursive: true,
        filter: (source) => !source.endsWith('/tollgate/node_modules'),
      })
      const flags = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
      const { all, exitCode } = await execa('npm', ['ci', ...flags], { ...options, all: true })
      expect({ all, exitCode }).toMatchObject({ exitCode: 0 })
      const locked = readJson(join(folder, 'npm-shrinkwrap.json')).packages['node_modules/fastify'].version
      for (const installed of [folder, fixture().installed])
        expect(readJson(join(installed, 'node_modules/fastify/package.json')).version).toBe(locked)
    },
    INSTALL_MS,
  )

  test('installs without a warning', () => {
    expect(fixture().output).not.toMatch(/\b(warn|deprecated|error)\b/i)
  })

  test('prints the next step in one line while the native module of sqlite3 is missing', async () => {
    const { folder, installed, tollgate } = fixture()
    const missing = await tollgate('init', '--root-password', 'long-enough-1', '--skip-channel', '--skip-token')
    expect(missing.exitCode).toBe(1)
    expect(missing.stderr).toMatch(/^error: .*'npm rebuild sqlite3' in .*tollgate$/)
    expect(missing.stderr).toContain(installed)
    expect(existsSync(join(folder, 'data'))).toBe(false)
    const doctor = await tollgate('doctor')
    expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^fail {2}sqlite3 +.*npm rebuild/m) })
  })

  test('runs after the module is installed, and continues while an upgrade removes its files', {
    timeout: INSTALL_MS,
  }, async () => {
    const { folder, installed, tollgate } = fixture()
    // What `npm rebuild sqlite3` would compile for a minute and a half.
    cpSync(join(ROOT, 'node_modules/sqlite3/build'), join(installed, 'node_modules/sqlite3/build'), { recursive: true })
    const demo = tollgate('demo', '--port', '0', '--json')
    const first = await Promise.race([once(demo.stdout ?? demo, 'data'), demo])
    if (!Array.isArray(first)) throw new Error(`demo ended with ${first.exitCode}: ${first.stderr}`)
    const { url, key, model, username, password } = JSON.parse(String(first[0]))
    const post = async (path: string, body: object, headers = {}) => {
      const reply = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return reply.json()
    }
    const chat = { model, messages: [{ role: 'user', content: 'Hello' }] }
    const useEverything = async () => {
      expect(await post('/v1/chat/completions', chat, { authorization: `Bearer ${key}` })).toMatchObject({
        choices: [{ message: { role: 'assistant' } }],
      })
      const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
      expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript')
      expect(await post('/api/user/login', { username, password })).toMatchObject({ success: true })
    }
    await useEverything()

    // As an upgrade in the same folder does. Moved, not deleted: a second try of the test needs them.
    const removed = join(folder, 'removed')
    renameSync(installed, removed)
    whenDone(async () => renameSync(removed, installed))
    await useEverything()
    demo.kill('SIGINT')
    expect((await demo).exitCode).toBe(0)
  })
})

test('the lock file of the package lists exactly the runtime dependencies', () => {
  const lock = readJson(join(ROOT, 'package-lock.json'))
  const { packages } = withoutDevelopment(lock) as { packages: Record<string, { devDependencies?: object }> }
  expect(packages['']).not.toHaveProperty('devDependencies')
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(['node_modules/fastify', 'node_modules/sqlite3']))
  for (const name of ['typescript', 'vite', 'vitest', '@biomejs/biome', '@visactor/vchart'])
    expect(packages).not.toHaveProperty([`node_modules/${name}`])
})

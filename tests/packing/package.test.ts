import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import { describe, expect, test } from 'vitest'
import { createFolder, environmentIn } from '../cli/support.ts'
import { shared } from '../support/lifetime.ts'
import { withoutDevelopment } from './shrinkwrap.js'

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

/** Packs what is built, as `npm pack` does. Without its own build, which would replace files that other tests use. */
async function pack(destination: string): Promise<string> {
  const shrinkwrap = join(ROOT, 'tests/packing/shrinkwrap.js')
  await execa(process.execPath, [shrinkwrap, 'write'])
  try {
    const flags = ['--json', '--ignore-scripts', '--pack-destination', destination]
    const { stdout } = await execa('npm', ['pack', ...flags], { cwd: ROOT })
    return JSON.parse(stdout)[0].filename
  } finally {
    await execa(process.execPath, [shrinkwrap, 'remove'])
  }
}

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
    // npm leaves nothing of it behind in the checkout, where it would be preferred to package-lock.json.
    expect(existsSync(join(ROOT, 'npm-shrinkwrap.json'))).toBe(false)
  })

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

  test('runs after the module is installed, and continues while an upgrade removes its files', async () => {
    const { installed, tollgate } = fixture()
    // What `npm rebuild sqlite3` would compile for a minute and a half.
    cpSync(join(ROOT, 'node_modules/sqlite3/build'), join(installed, 'node_modules/sqlite3/build'), { recursive: true })
    const demo = tollgate('demo', '--port', '0', '--json')
    const [first] = await once(demo.stdout ?? demo, 'data')
    const { url, key, model, username, password } = JSON.parse(String(first))
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

    // As an upgrade in the same folder does.
    rmSync(installed, { recursive: true })
    await useEverything()
    demo.kill('SIGINT')
    expect((await demo).exitCode).toBe(0)
  })
})

test('the lock file of the package lists exactly the runtime dependencies', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({
    prepack: 'npm run build && node tests/packing/shrinkwrap.js write',
    postpack: 'node tests/packing/shrinkwrap.js remove',
  })
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const { packages } = withoutDevelopment(lock) as { packages: Record<string, { devDependencies?: object }> }
  expect(packages['']).not.toHaveProperty('devDependencies')
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(['node_modules/fastify', 'node_modules/sqlite3']))
  for (const name of ['typescript', 'vite', 'vitest', '@biomejs/biome', '@visactor/vchart'])
    expect(packages).not.toHaveProperty([`node_modules/${name}`])
})

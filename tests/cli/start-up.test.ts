import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { BIN, createFolder, environmentIn } from './support.ts'

/*
 * What is loaded before a command does anything. Milliseconds depend on the machine; packages that are loaded too early do not.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Packages that the file loads at once, with the way that leads there. */
function packagesFrom(
  file: string,
  way: readonly string[] = [],
  seen = new Map<string, string>(),
): Map<string, string> {
  const path = join(ROOT, file)
  if (seen.has(file) || !existsSync(path)) return seen
  const here = [...way, file]
  seen.set(file, here.join(' → '))
  const source = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const statements = source.matchAll(/^(?:import|export)\b([\w\s{},*$]*?)\s*(?:from\s*)?'([^'\n]+)'/gm)
  for (const [, clause = '', specifier = ''] of statements) {
    if (/^\s+type\b/.test(clause)) continue
    if (specifier.startsWith('.')) packagesFrom(join(dirname(file), specifier), here, seen)
    else if (!specifier.startsWith('node:') && !seen.has(specifier))
      seen.set(specifier, [...here, specifier].join(' → '))
  }
  return seen
}

function early(file: string, heavy: readonly string[]): string[] {
  const packages = packagesFrom(file)
  return heavy.flatMap((name) => packages.get(name) ?? [])
}

const HEAVY = [
  'typebox',
  'fastify',
  'undici',
  'react',
  'ink',
  '@inquirer/prompts',
  'cli-table3',
  'yaml',
  'pino',
  'knex',
]
const nouns = readdirSync(join(ROOT, 'cli/commands')).filter((file) => file.endsWith('.ts'))

describe('imports at start', () => {
  test('for --version: no package', () => {
    expect(
      [...packagesFrom('cli/main.ts').keys()].filter((name) => !name.startsWith('cli/') && !name.startsWith('core/')),
    ).toEqual([])
  })

  test.each([['cli/dispatch.ts'], ['cli/cli.ts'], ...nouns.map((file) => [`cli/commands/${file}`])])(
    'for help and completion: %s',
    (file) => {
      expect(early(file, HEAVY)).toEqual([])
    },
  )

  test.each([['cli/local/open.ts'], ['cli/remote/open.ts']])(
    'for a remote command, except for its database: %s',
    (file) => {
      expect(early(file, ['typebox', 'fastify', 'react', 'ink', '@inquirer/prompts', 'nodemailer'])).toEqual([])
    },
  )
})

describe('the bundle', () => {
  test('has few files for a command, and no package of Knex except the SQLite driver', async () => {
    const folder = await createFolder()
    await filesLoadedBy(folder, ['init', '--root-password', 'long-enough-1', '--skip-channel', '--skip-token'])
    const { own, packages } = await filesLoadedBy(folder, ['token', 'list', '--json'])
    expect(own).toBeLessThan(110)
    expect(packages).toEqual(['bindings', 'file-uri-to-path', 'sqlite3'])
  })

  test.each([
    [['--version'], 5],
    [['token', '--help'], 60],
    [['__complete', 'token', 'l'], 50],
  ])('has few files and needs no package for %j', async (words, most) => {
    const { own, packages } = await filesLoadedBy(await createFolder(), words)
    expect(own).toBeLessThan(most)
    expect(packages).toEqual([])
  })

  // Of two files that import each other, one runs before the other has its values: which one depends on the command.
  test('has no import cycles', () => {
    const folder = join(ROOT, 'dist/program')
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const imports = new Map(names.map((name) => [name, importsOf(readFileSync(join(folder, name), 'utf8'))]))
    expect([...imports.values()].flat().length).toBeGreaterThan(names.length)

    const sound = new Set<string>()
    const circleFrom = (name: string, way: readonly string[] = []): readonly string[] => {
      if (sound.has(name)) return []
      if (way.includes(name)) return [...way, name]
      for (const next of imports.get(name) ?? []) {
        const circle = circleFrom(next, [...way, name])
        if (circle.length > 0) return circle
      }
      sound.add(name)
      return []
    }
    expect(names.flatMap((name) => circleFrom(name))).toEqual([])
  })
})

/** The files beside a bundled file that it imports statically. */
function importsOf(source: string): string[] {
  return [...source.matchAll(/^(?:import|export)\b[^"'\n]*"\.\/([^"\n]+)"/gm)].map(([, name = '']) => name)
}

/** How many files of Tollgate a process of the command loads, and the packages that it loads files of. */
async function filesLoadedBy(folder: string, words: readonly string[]): Promise<{ own: number; packages: string[] }> {
  // Node.js writes the name of each script that ran: https://nodejs.org/docs/latest-v20.x/api/cli.html#node_v8_coveragedir
  const coverage = join(folder, 'coverage', words.join('-'))
  const env = { ...environmentIn(folder), NODE_V8_COVERAGE: coverage }
  await execa(process.execPath, [BIN, ...words], { cwd: folder, env, extendEnv: false })
  const files = readdirSync(coverage)
    .flatMap((name) => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }).result)
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
  const packages = files.flatMap((file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  return { own: files.length - packages.length, packages: [...new Set(packages)].sort() }
}

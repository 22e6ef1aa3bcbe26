import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

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
  const found = packagesFrom(file)
  return heavy.flatMap((name) => found.get(name) ?? [])
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

describe('nothing heavy is loaded', () => {
  test('to say which version this is: no package at all', () => {
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

  test.each([['cli/local/open.ts'], ['cli/remote/open.ts']])('to ask a gateway, but for its database: %s', (file) => {
    expect(early(file, ['typebox', 'fastify', 'react', 'ink', '@inquirer/prompts', 'nodemailer'])).toEqual([])
  })
})

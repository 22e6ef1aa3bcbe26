import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOUSE = ['bin', 'cli', 'server', 'core', 'console'] as const
type Floor = (typeof HOUSE)[number]
/** What each folder may import besides itself. `console` takes types alone from core. */
const MAY_IMPORT: Record<Floor, readonly Floor[]> = {
  bin: ['cli', 'server', 'core'],
  cli: ['server', 'core'],
  server: ['core'],
  core: [],
  console: ['core'],
}
/** Two commands run a server; what speaks to upstreams lives there, and is asked by the local form of the Toolkit. */
const STARTS_A_SERVER = /^cli\/(commands\/(serve|demo)|local\/)/
/** Core knows no request or reply, no terminal, no React. */
const NOT_IN_CORE = /^(@?fastify|react|react-dom|undici|ink|commander)(\/|$)/
const NAMES_NOTHING = /(^|\/)(utils?|helpers?|common|misc)(\.|\/|$)/

/** A dialect and a provider meet in the conversation alone: what one knows of the other's format, N × M modules would. */
const OF_A_DIALECT = /^server\/relay\/dialects\/[^/]+\//
const OF_PROVIDERS = /^server\/relay\/providers\//

interface Import {
  specifier: string
  typeOnly: boolean
}

function importsOf(source: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const statements = [...code.matchAll(/^\s*(?:import|export)\b(?!\s*\()([^'";]*?)\s*(?:from\s*)?['"]([^'"\n]+)['"]/gm)]
  const calls = [...code.matchAll(/\b(?:import|require|resolve)\(\s*['"]([^'"]+)['"]/g)]
  return [
    ...statements.map(([, clause = '', specifier = '']) => ({ specifier, typeOnly: /^\s+type\b/.test(clause) })),
    ...calls.map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ]
}

/** Returns the target of a relative import, from the repository root; undefined for a package. Built files map to their source. */
function targetOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return normalize(join(dirname(file), specifier)).replace(/^dist\//, '')
}

/** Returns the imports of a file that the diagram forbids. */
function faults(file: string, source: string): string[] {
  const floor = file.split('/')[0] as Floor
  const imports: string[] = []
  for (const { specifier, typeOnly } of importsOf(source)) {
    const arrow = `${file} → ${specifier}`
    if (floor === 'core' && NOT_IN_CORE.test(specifier)) imports.push(arrow)
    const path = targetOf(file, specifier) ?? ''
    if (OF_A_DIALECT.test(file) && OF_PROVIDERS.test(path)) imports.push(arrow)
    if (OF_PROVIDERS.test(file) && OF_A_DIALECT.test(path)) imports.push(arrow)
    const target = targetOf(file, specifier)?.split('/')[0] as Floor | undefined
    if (target === undefined || target === floor) continue
    if (HOUSE.includes(target) && !MAY_IMPORT[floor].includes(target)) imports.push(arrow)
    if (floor === 'cli' && target === 'server' && !STARTS_A_SERVER.test(file)) imports.push(arrow)
    if (floor === 'console' && target === 'core' && !typeOnly) imports.push(`${arrow} (only types)`)
  }
  if (floor === 'core' && /\bprocess\s*\.\s*env\b|\benv\b[^\n]*from 'node:process'/.test(source)) {
    imports.push(`${file} reads process.env`)
  }
  if (NAMES_NOTHING.test(file)) imports.push(`${file} is named after nothing`)
  if (/(^|\/)index\.tsx?$/.test(file) && onlyPassesOn(source)) imports.push(`${file} only passes names on`)
  return imports
}

function onlyPassesOn(source: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
  const rest = code.replace(/(import|export)\b[^;'"]*from\s*['"][^'"]+['"];?/g, '').replace(/export\s*\{[^}]*\};?/g, '')
  return rest.trim() === ''
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((file) => !file.includes('node_modules/'))
}

describe('imports point down', () => {
  test.each(HOUSE)('in %s', (folder) => {
    const files = filesOf(folder)
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap((file) => faults(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
  })

  test('the diagram in ARCHITECTURE.md has exactly the arrows of the import graph', () => {
    const toolkit = readFileSync(join(ROOT, 'core/toolkit.ts'), 'utf8')
    const targets = importsOf(toolkit).map(({ specifier }) => targetOf('core/toolkit.ts', specifier))
    expect(targets).toEqual(expect.arrayContaining(['core/ledger/ledger.ts', 'core/db/database.ts', 'core/config.ts']))
  })
})

describe('an import that points up or sideways is reported', () => {
  test.each([
    ['core/a.ts', `import { a } from '../server/a.ts'`],
    ['core/a/b.ts', `import {\n  type A,\n  b,\n} from '../../cli/b.ts'`],
    ['core/a.ts', `export * from '../console/a.ts'`],
    ['core/a.ts', `const a = await import('../server/a.ts')`],
    ['core/a.ts', `import type { FastifyRequest } from 'fastify'`],
    ['core/a.ts', `import { request } from 'undici'`],
    ['core/a.ts', `import '@fastify/cookie'`],
    ['core/a.ts', `import { jsx } from 'react/jsx-runtime'`],
    ['core/a.ts', `const port = process.env.PORT`],
    ['server/a.ts', `import { a } from '../cli/a.ts'`],
    ['server/a.ts', `import type { A } from '../console/a.ts'`],
    ['cli/commands/token/list.ts', `import { a } from '../../../server/a.ts'`],
    ['cli/main.ts', `const { serve } = await import('../server/a.ts')`],
    ['console/a.ts', `import { errors } from '../core/errors.ts'`],
    ['console/a.ts', `import type { A } from '../server/a.ts'`],
    ['bin/tollgate.js', `import '../dist/console/main.js'`],
    ['server/relay/dialects/a/b.ts', `import { a } from '../../providers/a/a.ts'`],
    ['server/relay/providers/a/b.ts', `import type { A } from '../../dialects/a/dialect.ts'`],
    ['core/utils.ts', 'export const a = 1'],
    ['server/helpers/a.ts', 'export const a = 1'],
    ['cli/common/a.ts', 'export const a = 1'],
    ['core/channels/index.ts', `export * from './channels.ts'\nexport { a } from './a.ts'`],
  ])('%s: %s', (file, source) => {
    expect(faults(file, source)).toHaveLength(1)
  })

  test.each([
    ['cli/commands/serve.ts', `const { listen } = await import('../../server/listen.ts')`],
    ['cli/commands/demo/run.ts', `import { listen } from '../../../server/listen.ts'`],
    ['server/relay/providers/a/b.ts', `import type { Body } from '../../dialects/dialect.ts'`],
    ['cli/a.ts', `import { a } from '../core/a.ts'`],
    ['server/a.ts', `import { a } from '../core/a.ts'`],
    ['console/a.ts', `import type { Token } from '../core/tokens/token.ts'`],
    ['console/pages/tokens/index.tsx', `import { a } from './a.ts'\nexport default function Page() {}`],
    ['bin/tollgate.js', `import '../dist/cli/main.js'`],
    ['core/a.ts', `// import { a } from '../server/a.ts'`],
  ])('an import that points down is allowed, %s: %s', (file, source) => {
    expect(faults(file, source)).toEqual([])
  })
})

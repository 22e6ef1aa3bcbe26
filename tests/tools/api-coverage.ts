import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CALLS, nameOf } from '../server/api/calls.ts'
import type { OpenApiDocument } from '../support/api.ts'
import { operationsOf } from '../support/operations.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Row {
  name: string
  /** Method and path, as the table shows them. */
  call: string
  access: string
  place: string
}

export const DOCUMENTED: readonly Row[] = CALLS.map((call) => ({
  name: nameOf(call),
  call: `${call.method} ${call.path}`,
  access: [call.access, call.critical && 'critical', call.botCheck && 'bot check'].filter(Boolean).join(', '),
  place: [...[...call.spec].map((spec) => `spec ${spec} 7`), `reference ${call.reference}`].join(', '),
}))

/** Returns the rows of the management API that the gateway serves, without the paths of the relay. */
export function servedRows(document: OpenApiDocument): Row[] {
  return operationsOf(document)
    .filter(({ path, access }) => access !== undefined || /^\/pg\/|\/dashboard\/billing\//.test(path))
    .map(({ method, path, access = '' }) => {
      const name = nameOf({ method, path })
      return { name, call: `${method} ${path.replace(/\{([^}]+)\}/g, ':$1')}`, access, place: 'ours' }
    })
}

const CALL = /['"`](GET|POST|PUT|DELETE) (\/[^\s'"`,?]+)['"`]/g
/** Match the names of the suites in a test file: single names, and the tables of `describe.each`. */
const SUITES = [/\b(?:describe|onBoth)\b[^'"`\n]*\(\s*['"`][^'"`\n]+['"`]/g, /\bdescribe\.each\(\[.*?\]\)\(\s*'%s'/gs]

/** Returns, for each call, the test files whose `describe('GET /api/x', …)` names the call. */
export async function testsByCall(): Promise<Map<string, string[]>> {
  const files = (await readdir(join(ROOT, 'tests'), { recursive: true })).filter(
    (file) => file.endsWith('.test.ts') && !file.startsWith('node_modules'),
  )
  const testsByCall = new Map<string, Set<string>>()
  for (const file of files.sort()) {
    const source = await readFile(join(ROOT, 'tests', file), 'utf8')
    const suites = SUITES.flatMap((suite) => [...source.matchAll(suite)].map(([text]) => text)).join('\n')
    for (const [, method = '', path = ''] of suites.matchAll(CALL)) {
      const name = nameOf({ method, path })
      testsByCall.set(name, (testsByCall.get(name) ?? new Set()).add(file))
    }
  }
  return new Map([...testsByCall].map(([name, where]) => [name, [...where]]))
}

export function everyRow(document: OpenApiDocument): Row[] {
  const known = new Set(DOCUMENTED.map(({ name }) => name))
  const ours = servedRows(document).filter(({ name }) => !known.has(name))
  return [...DOCUMENTED, ...ours.sort((a, b) => (a.call < b.call ? -1 : 1))]
}

/** Returns the text of docs/api-coverage.md. */
export async function apiCoverage(document: OpenApiDocument): Promise<string> {
  const tested = await testsByCall()
  const rows = everyRow(document).map(({ name, call, access, place }) => {
    const files = (tested.get(name) ?? []).map((file) => `[${file}](../tests/${file})`).join('<br>')
    return `| \`${call}\` | ${access} | ${place} | ${files} |`
  })
  return [...HEAD, ...rows, ''].join('\n')
}

const HEAD = [
  '# Every call of the management API, and its tests',
  '',
  '`npm run generate` writes this page. The tests `role-matrix`, `walk`, `fuzz`, `limits` and `openapi` in [tests/server/api](../tests/server/api) call every route.',
  '',
  '| access | meaning |',
  '| --- | --- |',
  '| `anyone` | everybody, without credentials |',
  "| `session` | a signed-in user's browser |",
  '| `bearer` | the holder of an access token; the user header is not needed |',
  '| `user`, `admin`, `root` | users with at least this role, by session or access token |',
  '| `key` | the holder of an API key |',
  '| `critical` | such calls count against the limit of sign-ins (`CRITICAL_RATE_LIMIT`) |',
  '| `bot check` | such calls need a Turnstile check if `TurnstileCheckEnabled` is on |',
  '',
  'In the column _documented in_, _spec_ and _reference_ name sections of the descriptions of the documented API. _ours_ means that only Tollgate has the call.',
  '',
  '| call | access | documented in | tested in |',
  '| --- | --- | --- | --- |',
]

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openTestGateway } from '../../support/gateway.ts'
import { readOperations } from '../../support/operations.ts'
import { CALLS, nameOf } from './calls.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Rewritten by `npm run coverage-table`. */
const TABLE = join(ROOT, 'docs/api-coverage.md')

interface Row {
  name: string
  /** As it is written in the table. */
  call: string
  access: string
  place: string
}

const DOCUMENTED: Row[] = CALLS.map((call) => ({
  name: nameOf(call),
  call: `${call.method} ${call.path}`,
  access: [call.access, call.critical && 'critical', call.botCheck && 'bot check'].filter(Boolean).join(', '),
  place: [...[...call.spec].map((spec) => `spec ${spec} 7`), `reference ${call.reference}`].join(', '),
}))

/** What the gateway serves of the management API: all but the relay's own paths. */
async function servedRows(): Promise<Row[]> {
  const { url } = await openTestGateway()
  const operations = await readOperations(url)
  return operations
    .filter(({ path, access }) => access !== undefined || /^\/pg\/|\/dashboard\/billing\//.test(path))
    .map(({ method, path, access = '' }) => {
      const name = nameOf({ method, path })
      return { name, call: `${method} ${path.replace(/\{([^}]+)\}/g, ':$1')}`, access, place: 'ours' }
    })
}

const CALL = /['"`](GET|POST|PUT|DELETE) (\/[^\s'"`,?]+)['"`]/g
/** The names that a file gives its suites: one by one, or by a table. */
const SUITES = [/\b(?:describe|onBoth)\b[^'"`\n]*\(\s*['"`][^'"`\n]+['"`]/g, /\bdescribe\.each\(\[.*?\]\)\(\s*'%s'/gs]

/** The test files whose `describe('GET /api/x', …)` names a call. */
async function testsByCall(): Promise<Map<string, string[]>> {
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

async function everyRow(): Promise<Row[]> {
  const known = new Set(DOCUMENTED.map(({ name }) => name))
  const ours = (await servedRows()).filter(({ name }) => !known.has(name))
  return [...DOCUMENTED, ...ours.sort((a, b) => (a.call < b.call ? -1 : 1))]
}

describe('the management API', () => {
  test('serves every documented call', async () => {
    const served = new Set((await servedRows()).map(({ name }) => name))

    const missing = DOCUMENTED.filter(({ name }) => !served.has(name)).map(({ call }) => call)

    expect(missing).toEqual([])
  })

  test('allows exactly the documented roles', async () => {
    const { url } = await openTestGateway()
    const documented = new Map(CALLS.map((call) => [nameOf(call), call.access]))

    const differing = (await readOperations(url))
      .filter(({ access, ...operation }) => access && (documented.get(nameOf(operation)) ?? access) !== access)
      .map(({ access, ...operation }) => `${nameOf(operation)} is for ${access}`)

    expect(differing).toEqual([])
  })

  test('has a test for every documented or served call', async () => {
    const tested = await testsByCall()

    const untested = (await everyRow()).filter(({ name }) => !tested.has(name)).map(({ call }) => call)

    expect(untested).toEqual([])
  })

  test('is listed in docs/api-coverage.md (update it with: npm run coverage-table)', async () => {
    const tested = await testsByCall()
    const rows = (await everyRow()).map(({ name, call, access, place }) => {
      const files = (tested.get(name) ?? []).map((file) => `[${file}](../tests/${file})`).join('<br>')
      return `| \`${call}\` | ${access} | ${place} | ${files} |`
    })

    const table = [...HEAD, ...rows, ''].join('\n')

    await expect(table).toMatchFileSnapshot(TABLE)
  })
})

const HEAD = [
  '# Every call of the management API, and its tests',
  '',
  'Written by `npm run coverage-table` from the documented calls, the OpenAPI document of a running gateway, and the',
  "names of the tests; a test fails when it is out of date. Access: `anyone`; `session`: a signed-in user's browser;",
  '`bearer`: an access token alone; `user`, `admin`, `root`: that role at least, by session or access token; `key`: the holder of an API key. `critical`',
  'calls count against the limit of sign-in, `bot check` asks for Turnstile while that is on. _ours_: beyond the documents.',
  'All calls together are tested by `role-matrix`, `walk`, `fuzz`, `limits` and `openapi` in',
  '[tests/server/api](../tests/server/api).',
  '',
  '| call | access | documented in | tested in |',
  '| --- | --- | --- | --- |',
]

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CALLS, nameOf } from '../server/api/calls.ts'
import type { OpenApiDocument } from '../support/api.ts'
import { operationsOf } from '../support/operations.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Row {
  name: string
  /** Method and path, as the page shows them. */
  call: string
  access: string
  /** Whether the call is only in Tollgate, not in the reference of the management API. */
  isOwn: boolean
}

export const DOCUMENTED: readonly Row[] = CALLS.map((call) => ({
  name: nameOf(call),
  call: `${call.method} ${call.path}`,
  access: accessText(call),
  isOwn: call.reference === '',
}))

function accessText({
  access,
  critical,
  botCheck,
}: {
  access?: string
  critical?: boolean
  botCheck?: boolean
}): string {
  return [access, critical && 'critical', botCheck && 'bot check'].filter(Boolean).join(', ')
}

/** Returns the rows of the management API that the gateway serves, without the paths of the relay. */
export function servedRows(document: OpenApiDocument): Row[] {
  return operationsOf(document)
    .filter(({ path, access }) => access !== undefined || /^\/pg\/|\/dashboard\/billing\//.test(path))
    .map(({ method, path, access = '', critical, botCheck }) => {
      const name = nameOf({ method, path })
      const call = `${method} ${path.replace(/\{([^}]+)\}/g, ':$1')}`
      return { name, call, access: accessText({ access, critical, botCheck }), isOwn: true }
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

/** Returns the text of docs/api-coverage.md: the calls, grouped by the files that test them and by access. */
export async function apiCoverage(document: OpenApiDocument): Promise<string> {
  const tested = await testsByCall()
  const groups = new Map<string, Row[]>()
  for (const row of everyRow(document)) {
    const files = (tested.get(row.name) ?? []).map((file) => `[${file}](../tests/${file})`).join(', ')
    groups.set(files, [...(groups.get(files) ?? []), row])
  }
  const sections = [...groups].flatMap(([files, rows]) => [`## ${files}`, '', ...accessLines(rows), ''])
  return [...HEAD, ...sections].join('\n')
}

function accessLines(rows: readonly Row[]): string[] {
  const groups = new Map<string, string[]>()
  for (const { call, access, isOwn } of rows) {
    const callers = [access, isOwn && 'own'].filter(Boolean).join(', ')
    groups.set(callers, [...(groups.get(callers) ?? []), `\`${call}\``])
  }
  return [...groups].map(([callers, calls]) => `- ${callers}: ${calls.join(', ')}`)
}

const HEAD = [
  '# Every call of the management API, and its tests',
  '',
  'The calls are grouped by the file that tests them. The tests `role-matrix`, `walk`, `fuzz`, `limits` and `openapi`',
  'in [tests/server/api](../tests/server/api) call every route. `npm run generate` writes this page.',
  '',
  'A line shows who may make its calls:',
  '',
  '- `anyone`: no credentials',
  "- `session`: a signed-in user's browser",
  '- `bearer`: an access token, without the user header',
  '- `user`, `admin`, `root`: a user with at least this role, by session or access token',
  '- `key`: an API key',
  '- `critical`: the calls count against the limit of sign-ins (`CRITICAL_RATE_LIMIT`)',
  '- `bot check`: the calls need a Turnstile check if `TurnstileCheckEnabled` is on',
  '- `own`: only Tollgate has the calls, not new-api',
  '',
]

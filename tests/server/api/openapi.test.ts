import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { readDocument, withoutRefs } from '../../support/api.ts'
import type { Schema } from '../../support/operations.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

interface Described {
  summary?: string
  tags?: string[]
  operationId?: string
  security?: unknown[]
  'x-access'?: string
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

async function everyOperation() {
  const { url } = await openGateway()
  const { paths } = withoutRefs(await readDocument(url))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Described>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  )
}

/** Those of the management API. */
const described = async () => (await everyOperation()).filter(({ path }) => path.startsWith('/api'))

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { url } = await openGateway()

    const verdict = await new Validator().validate((await readDocument(url)) as never)

    expect(verdict).toEqual({ valid: true })
  })

  test('names the schemas that several operations share', async () => {
    const { url } = await openGateway()
    const { components, paths } = await readDocument(url)

    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Channel', 'Log', 'RedemptionCode', 'Token', 'User', 'OpenAiError']),
    )
    expect(JSON.stringify(paths)).not.toContain('"used_quota":{"type"')
  })

  test('describes every operation, and has a tag for it', async () => {
    const wordless = (await described()).filter(({ operation }) => !operation.summary || !operation.tags?.length)

    expect(wordless.map(({ name }) => name)).toEqual([])
  })

  test('lists the errors of every operation: not signed in, too many requests, internal error', async () => {
    const silent = (await described()).flatMap(({ name, operation }) => {
      const statuses = ['429', '500', ...(operation['x-access'] === 'anyone' ? [] : ['401'])]
      return statuses.filter((status) => !(status in operation.responses)).map((status) => `${name}: ${status}`)
    })

    expect(silent).toEqual([])
  })

  test('requires credentials exactly where a user must be signed in', async () => {
    const wrong = (await described()).filter(
      ({ operation }) => (operation['x-access'] === 'anyone') !== (operation.security === undefined),
    )

    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('has unique operation ids', async () => {
    const ids = (await everyOperation()).flatMap(({ operation }) => operation.operationId ?? [])

    expect(ids.length).toBe(new Set(ids).size)
  })

  test('has no secret in a reply', async () => {
    const secrets = (await described()).flatMap(({ name, path, operation }) =>
      Object.values(operation.responses)
        .flatMap(({ content }) => Object.values(content ?? {}))
        .flatMap(({ schema }) => propertiesOf(schema ?? {}))
        .filter(([property, schema]) => isSecret(property, path) && !isEmptyText(schema))
        .map(([property]) => `${name}: ${property}`),
    )

    // A new management key is shown to its owner, once.
    expect(secrets).toEqual(['POST /api/api-key/: key'])
  })
})

/** Keys that an answer may hold: those of tokens are their owner's, of codes the administrators', of options names. */
const KEYS_SHOWN = /^\/api\/(token|redemption|option|team\/\{id\}\/keys)(\/|$)/

function isSecret(property: string, path: string): boolean {
  if (property === 'key') return !KEYS_SHOWN.test(path)
  // What is held is the ledger's own business: root proves its books with it.
  if (property === 'held_quota') return path !== '/api/ledger/verify'
  // Applies to all operations.
  if (property === 'password_length_max') return path !== '/api/status'
  return /password|secret|_hash$|^verification_code$/i.test(property)
}

/** `password` and `verification_code` are documented as always empty. */
function isEmptyText({ const: only, enum: choices = [only] }: Schema): boolean {
  return choices.length === 1 && choices[0] === ''
}

function propertiesOf(schema: Schema): [string, Schema][] {
  const properties = Object.entries(schema.properties ?? {})
  const { items, anyOf = [], allOf = [], additionalProperties } = schema
  const inner = [...properties.map(([, value]) => value), ...anyOf, ...allOf, ...(items ? [items] : [])]
  if (typeof additionalProperties === 'object') inner.push(additionalProperties)
  return [...properties, ...inner.flatMap(propertiesOf)]
}

describe('the page at /docs/api', () => {
  test('loads nothing from other sites, and its own scripts and styles exist', async () => {
    const { url } = await openGateway()

    const page = await fetch(`${url}/docs/api/`)
    const html = await page.text()
    const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference = '']) => reference)
    const assets = references.map((reference) => new URL(reference, page.url))

    expect(page.status).toBe(200)
    expect(html).toContain('Tollgate API')
    expect(assets.length).toBeGreaterThan(3)
    expect(assets.filter(({ origin }) => origin !== url)).toEqual([])
    const statuses = await Promise.all(assets.map(async (asset) => (await fetch(asset)).status))
    expect(statuses).toEqual(assets.map(() => 200))
  })

  test("connects only to the gateway by its policy, and shows the gateway's own document", async () => {
    const { url } = await openGateway()

    const page = await fetch(`${url}/docs/api/`)
    const policy = page.headers.get('content-security-policy') ?? ''
    const start = await (await fetch(`${url}/docs/api/static/swagger-initializer.js`)).text()

    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/(?<!\w)[\w*-]+(\.[\w-]+)+|upgrade-insecure-requests/)
    expect(start).toContain("url: resolveUrl('./json')")
    expect(start).not.toMatch(/['"]https?:/)
    expect(await (await fetch(`${url}/docs/api/json`)).json()).toEqual(await readDocument(url))
  })
})

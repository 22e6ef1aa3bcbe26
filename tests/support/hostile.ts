import { CLOSED_ADDRESS, NO_ID, type Operation, type Schema } from './operations.ts'

/** A raw request: the body is text, valid JSON or not. */
export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Placeholder for a number that JavaScript or JSON cannot represent. */
const literal = (text: string): string => `\u0001${text}\u0001`
const NASTY: readonly unknown[] = [
  ...[null, true, false, {}, [], [[]], [null], { $ne: 1 }, ['a', { b: [] }]],
  ...[0, -1, 1, 1.5, 100, 1e15, 1e308, -1e308, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63],
  ...[literal('1e999'), literal('-1e999'), literal('1.0'), literal('9223372036854775808'), literal('NaN')],
  ...['', ' ', '0', '-1', '1e308', '1.5', '0x10', '9223372036854775808', 'NaN', 'null', 'undefined', 'true'],
  ...['\0', 'a\0b', '\ud800', 'x\udc00y', '😀', '👨‍👩‍👧‍👦'.repeat(9), '\u202eabc', 'İıß', 'line\r\nbreak', '\u0007'],
  ...["' OR '1'='1", "'; DROP TABLE users; --", '%', '_', '%_%\\', '\\', '"', '`', '$1', '?', ':id', '{x}'],
  ...['<script>alert(1)</script>', '../../etc/passwd', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...[
    '{',
    '{"a":',
    '{"a":1}',
    '[1]',
    '[{"a":"b"}]',
    'a,b,,c',
    ',',
    'x'.repeat(300),
    '中'.repeat(25),
    'x'.repeat(70_000),
  ],
]
const BROKEN = ['', '{', '[', 'null', '[]', '"text"', '1', '{"a":1,}', "{'a':1}", '\ufeff{}', 'a=1&b=2', '{"a":\u0000}']
const DEEP = '['.repeat(5000) + ']'.repeat(5000)
const WORDS = ['a', 'prod', 'gpt-4o', 'default', 'vip', 'enable', 'alipay', 'someone@example.org', '中文', 'x y']
/** Usual values by field name: without them most requests would fail at the first check. */
const USUAL: Record<string, readonly unknown[]> = {
  expired_time: [-1, 4_102_444_800],
  allow_ips: ['', '127.0.0.1', '10.0.0.0/8'],
  count: [1, 2, 3],
  amount: [1, 10],
  status: [1, 2],
  action: ['enable', 'disable', 'promote', 'demote', 'delete'],
  group: ['default', 'vip', 'default,vip'],
  groups: ['default', 'default,vip'],
  models: ['gpt-4o', 'gpt-4o,gpt-4'],
  model_limits: ['', 'gpt-4o'],
  model_mapping: ['', '{}', '{"a":"b"}'],
  tag: ['red', 'blue', ''],
  new_tag: ['red', 'blue', ''],
  type: [1, 1, 8],
  status_code_mapping: ['', '{"429":"503"}'],
  setting: ['', '{}'],
  auto_ban: [0, 1],
  role: [1, 10, 100],
  password: ['correct horse'],
  password2: ['correct horse'],
  payment_method: ['zfb', 'wx', 'alipay'],
  value: ['true', 'false', '0', '1', '5', '{}', '[]', 'text', ''],
  target_timestamp: [1],
}
/** Field names with an address to connect to, which must always be on this machine. */
const ADDRESSES = /url|address|server|issuer|endpoint|base|domain/i
const CHANNEL_TYPES_MAX = 60

export interface Hostile {
  /** Returns a request for the operation: sometimes valid by its schema, mostly nearly. */
  request(operation: Operation): RawRequest
  pick<T>(values: readonly T[]): T
}

/** Values from earlier replies, as a caller who guesses ids of existing rows would use. */
export interface Known {
  ids: number[]
  texts: string[]
}

/** Generates invalid requests; deterministic for the same `random` and replies. */
export function createHostile(
  random: () => number,
  { known, optionKeys }: { known: Known; optionKeys: readonly string[] },
): Hostile {
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const chance = (share: number): boolean => random() < share
  const nasty = (): unknown => (chance(0.02) ? new Array(20_000).fill(0) : pick(NASTY))
  const id = (): number => (chance(0.9) ? pick(known.ids) : NO_ID)

  function fitting(schema: Schema, name: string): unknown {
    const usual = USUAL[name]
    if (usual && chance(0.95)) return pick(usual)
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return fitting(pick(schema.anyOf), name)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => fitting(part, name)))
    const [type] = [schema.type].flat()
    switch (type) {
      case 'integer':
      case 'number':
        return number(schema, name)
      case 'boolean':
        return chance(0.5)
      case 'string':
        return text(schema, name)
      case 'array':
        return Array.from({ length: below(4) }, () => (name === 'ids' ? id() : fitting(schema.items ?? {}, '')))
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([key]) => schema.required?.includes(key) || chance(0.7))
            .map(([key, inner]) => [key, fitting(inner, key)]),
        )
      default:
        return nasty()
    }
  }

  function number({ minimum = -1e15, maximum = 1e15 }: Schema, name: string): number {
    if (/^id$|_id$/.test(name)) return id()
    if (name === 'type') return below(CHANNEL_TYPES_MAX)
    const within = (value: number) => Math.min(maximum, Math.max(minimum, value))
    return chance(0.8) ? within(1 + below(chance(0.5) ? 3 : 1000)) : pick([minimum, maximum, within(0)])
  }

  function text({ minLength = 0, maxLength = 1e6 }: Schema, name: string): string {
    if (ADDRESSES.test(name)) return CLOSED_ADDRESS
    if (/key|code/.test(name) && chance(0.7)) return pick(known.texts)
    const word = chance(0.9) ? pick(WORDS) : pick(WORDS).repeat(1 + below(40))
    const unique = /name/.test(name) && chance(0.8) ? word.slice(0, 4) + below(1e5) : word
    return unique.padEnd(minLength, 'x').slice(0, maxLength)
  }

  /** Replaces, removes or adds a value inside the body. */
  function spoilt(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return nasty()
    const entries: [string, unknown][] = Object.entries(body)
    const at = below(entries.length + 1)
    const [name] = entries[at] ?? []
    if (name === undefined) return Object.fromEntries([...entries, [pick(['__proto__', 'constructor', 'id']), nasty()]])
    if (chance(0.2)) entries.splice(at, 1)
    else entries[at] = [name, nasty()]
    return Object.fromEntries(entries)
  }

  function bodyOf(schema: Schema, path: string): string {
    if (chance(0.04)) return pick(BROKEN)
    if (chance(0.01)) return DEEP
    let body = fitting(schema, '')
    while (chance(0.4)) body = spoilt(body)
    return written(onThisMachine(body, path))
  }

  /** Replaces addresses of other machines, and sets each channel's address, because the type's default is remote. */
  function onThisMachine(body: unknown, path: string): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const fields = body as Record<string, unknown>
    const home = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        ADDRESSES.test(name) && chance(0.8) ? CLOSED_ADDRESS : value,
      ]),
    )
    if (path.startsWith('/api/channel')) home.base_url = chance(0.9) ? CLOSED_ADDRESS : 7
    if (!path.startsWith('/api/option')) return home
    const key = chance(0.9) ? pick(optionKeys) : home.key
    return { ...home, key, ...(ADDRESSES.test(String(key)) && { value: CLOSED_ADDRESS }) }
  }

  function queryOf({ parameters }: Operation): string {
    const fields = parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || chance(0.5)))
      .flatMap(({ name, schema }) => {
        const values = chance(0.1) ? [nasty(), nasty()] : [chance(0.6) ? fitting(schema, name) : nasty()]
        return values.map((value) => `${name}${chance(0.02) ? '[]' : ''}=${encoded(value)}`)
      })
    if (chance(0.05)) fields.push(`${encoded(nasty())}=${encoded(nasty())}`)
    return fields.length ? `?${fields.join('&')}` : ''
  }

  return {
    pick,
    request(operation) {
      const { method, body } = operation
      const path = operation.path.replace(/\{[^}]+\}/g, () => encoded(chance(0.8) ? id() : nasty()) || '0')
      const headers: Record<string, string> = {}
      if (chance(0.2)) headers['accept-language'] = pick(['en', 'zh', 'en;q=;;', '*', 'x'.repeat(500)])
      if (chance(0.05)) headers.accept = pick(['text/event-stream', 'application/xml', ''])
      const request = { method, path: path + queryOf(operation), headers }
      if (method === 'GET') return request
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x', 'a/b;;']
      headers['content-type'] = chance(0.9) ? 'application/json' : pick(types)
      if (body) return { ...request, body: bodyOf(body, path) }
      return chance(0.2) ? { ...request, body: pick(BROKEN) } : request
    },
  }
}

/** Returns JSON with placeholders replaced by their numbers. */
function written(body: unknown): string {
  return JSON.stringify(body).replace(/"\\u0001([^"\\]+)\\u0001"/g, '$1')
}

/**
 * Encodes a value for a path or a query, cut to a length that servers read; a lone surrogate becomes the bytes that careless
 * clients send.
 */
function encoded(value: unknown): string {
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 2000)
  return [...text].map((character) => (LONE.test(character) ? '%ED%A0%80' : encodeURIComponent(character))).join('')
}
const LONE = /^[\ud800-\udfff]$/

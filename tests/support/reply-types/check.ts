import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { RecordedReply } from '../recorder.ts'

/** Names of `types.ts`. */
type TypeName = keyof typeof import('./types.ts') | string

/** One document or event of a reply, with the type that a library gives it. */
export interface Typed {
  readonly type: TypeName
  readonly value: unknown
  /** Origin of the reply, for messages. */
  readonly from: string
}

/** Types by path: of whole replies, of events, and of errors. */
const PATHS: readonly (readonly [RegExp, { whole: TypeName; event?: TypeName; error: TypeName }])[] = [
  [/\/chat\/completions$/, { whole: 'ChatCompletion', event: 'ChatChunk', error: 'OpenAiError' }],
  [/\/completions$/, { whole: 'TextCompletion', event: 'TextChunk', error: 'OpenAiError' }],
  [/\/responses(\/[^/]+)?$/, { whole: 'ResponseObject', event: 'ResponseEvent', error: 'OpenAiError' }],
  [/\/v1\/embeddings$/, { whole: 'EmbeddingList', error: 'OpenAiError' }],
  [/\/v1\/messages$/, { whole: 'Message', event: 'MessageEvent', error: 'MessageError' }],
  [/:(stream)?[gG]enerateContent$/, { whole: 'GeminiReply', event: 'GeminiReply', error: 'GeminiError' }],
]

/** Returns the documents of a reply to check: the whole body, or each event. Returns none for unknown paths. */
export function typed({ method, path, status, text }: RecordedReply, from: string): Typed[] {
  const types = PATHS.find(([pattern]) => pattern.test(path))?.[1]
  if (!types || method === 'DELETE') return []
  const { whole, event = whole, error } = types
  const type = status >= 400 ? error : isJson(text) ? whole : event
  return payloadsOf(text).map((value) => ({ type: isBareError(value) ? error : type, value, from }))
}

/** OpenAI's chat streams and Gemini's end with the error's body if they fail. */
const isBareError = (value: object) => 'error' in value && !('type' in value) && !('object' in value)

const isJson = (text: string) => /^\s*[[{]/.test(text)

/** Returns the documents of a body: its only one, or the payloads of its complete events. */
export function payloadsOf(text: string): object[] {
  if (isJson(text)) return parsed(text)
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? line.slice(5).trim() : []))
    return parsed(data.join('\n'))
  })
}

/** Parses a text. Text that is not JSON is the end of a stream: `[DONE]`, or the point at which the stream broke. */
function parsed(text: string): object[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? [value] : []
  } catch {
    return []
  }
}

const FOLDER = fileURLToPath(new URL('../../node_modules/.reply-types', import.meta.url))
const TYPES = fileURLToPath(new URL('types.ts', import.meta.url))
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const FLAGS = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
]

/**
 * Compiles each value as an argument of its type. Returns the compiler's errors about missing fields, and fields of a
 * wrong type. Fields that the type does not have are allowed, because upstreams send such fields.
 */
export async function problemsWithTypes(all: readonly Typed[]): Promise<string[]> {
  const samples = [...new Map(all.map((one) => [shapeOf(one), one])).values()]
  const names = [...new Set(samples.map(({ type }) => type))]
  const head = [
    `import type * as Types from ${JSON.stringify(TYPES)}`,
    'type Plain<Value> = { -readonly [Key in keyof Value]: Plain<Value[Key]> }',
    // In a literal, the compiler would report unknown fields instead of missing ones. The result of a function is no
    // literal.
    'declare function plain<const Value>(value: Value): Plain<Value>',
    ...names.map((name) => `declare function ${name}(value: Types.${name}): void;`),
  ]
  const lines = samples.map(({ type, value }) => `{ const value = plain(${JSON.stringify(value)}); ${type}(value) }`)
  await mkdir(FOLDER, { recursive: true })
  const file = join(FOLDER, `replies-${process.pid}-${Date.now()}.ts`)
  await writeFile(file, [...head, ...lines, ''].join('\n'))
  try {
    const { stdout } = await execa('node', [TSC, ...FLAGS, '--pretty', 'false', file], { cwd: FOLDER, reject: false })
    return complaints(stdout, (line) => samples[line - head.length - 1])
  } finally {
    await rm(file, { force: true })
  }
}

/** The compiler's error if all fields of a type are optional and the value has only unknown fields. */
const UNKNOWN_FIELDS = 'has no properties in common with type'

/** Returns the compiler's errors, each with the origin of the value. */
function complaints(output: string, sampleAt: (line: number) => Typed | undefined): string[] {
  return output.split(/\n(?=\S)/).flatMap((complaint) => {
    if (complaint.trim() === '') return []
    const line = /^\S*\((\d+),\d+\): error/.exec(complaint)?.[1]
    const sample = sampleAt(Number(line))
    if (complaint.includes(UNKNOWN_FIELDS)) return []
    if (!sample) return `the compiler: ${complaint}`
    const reasons = complaint
      .trim()
      .split('\n')
      .map((text) => text.trim())
    return `${sample.from}: ${sample.type}: ${reasons.at(-1)?.replace(/^\S*: error /, '')} in ${JSON.stringify(sample.value).slice(0, 600)}`
  })
}

/**
 * Returns a text that is equal for values that types cannot distinguish. It omits numbers, and texts that are not
 * names.
 */
function shapeOf({ type, value, from }: Typed): string {
  const shape = JSON.stringify(value, (_, part) => {
    if (typeof part === 'number') return 0
    return typeof part === 'string' && !/^[\w.]{1,40}$/.test(part) ? '' : part
  })
  return `${from}\n${type}\n${shape}`
}

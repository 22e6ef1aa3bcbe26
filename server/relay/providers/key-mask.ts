import { parseObject } from '../../../core/input.ts'

/*
 * Finds a channel's keys in a text. A key may be reversed, in another case, without its prefix, escaped (URL, JSON,
 * HTML), or encoded (hex, base64). In bodies of successful replies, the gateway searches only for the plain key.
 */

const MASK = '***'
/** Minimum length of a secret, in characters. A shorter secret would match ordinary text. */
export const SECRET_LENGTH_MIN = 8
/** Minimum length of a part of a key that is masked. A shorter part may be an ordinary word. */
const PART_LENGTH_MIN = 12
/** Maximum number of nested encodings. */
const DEPTH_MAX = 3

const PREFIX = /^((bearer|basic|token) +)?([a-z]{1,10}\d{0,4}[-_])*/i
/** Names of secret fields, for a key that is a JSON document, such as a service account. */
const SECRET_FIELD = /key|secret|token|password/i

/** Returns the texts to mask for keys and for parts of keys: forward and reversed, with ASCII letters in lower case. */
export function secretsIn(keys: readonly string[]): string[] {
  const secrets = new Set<string>()
  const add = (text: string, min: number) => {
    if (text.length < min) return
    secrets.add(lowerCaseLetters(text))
    secrets.add(lowerCaseLetters([...text].reverse().join('')))
  }
  for (const key of keys.map((each) => each.trim())) {
    // Some vendors join the parts of a key by `|`.
    for (const part of [key, ...key.split('|')]) {
      add(part, SECRET_LENGTH_MIN)
      for (const inner of [part.replace(PREFIX, ''), ...part.split('.')]) add(inner, PART_LENGTH_MIN)
    }
    for (const field of secretFields(key)) for (const line of field.split(/\s+/)) add(line, PART_LENGTH_MIN)
  }
  return [...secrets]
}

function secretFields(key: string): string[] {
  const fields = Object.entries(parseObject(key) ?? {})
  return fields.flatMap(([name, value]) => (SECRET_FIELD.test(name) && typeof value === 'string' ? [value] : []))
}

/**
 * The texts to mask. `attemptKeyTexts` come from the key of the attempt, and are masked in any encoding.
 * `channelKeyTexts` come from all keys of the channel, and are masked only as plain text.
 */
export interface MaskedTexts {
  readonly attemptKeyTexts: readonly string[]
  readonly channelKeyTexts: readonly string[]
}

/** Replaces every occurrence of a secret by `***`. */
export function maskSecrets(text: string, { attemptKeyTexts, channelKeyTexts }: MaskedTexts): string {
  const spans = [...literalSpans(text, channelKeyTexts), ...findSpans(text, attemptKeyTexts, 0)].sort(
    (a, b) => a.start - b.start,
  )
  let output = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start >= at) output += text.slice(at, start) + MASK
    at = Math.max(at, end)
  }
  return output + text.slice(at)
}

interface Span {
  start: number
  end: number
}

/** Finds secrets, also in escaped and encoded parts of the text. `depth` is the number of encodings around the text. */
function findSpans(text: string, secrets: readonly string[], depth: number): Span[] {
  if (secrets.length === 0) return []
  const spans = [...literalSpans(text, secrets)]
  if (depth === DEPTH_MAX) return spans
  const unescaped = readEscapes(text)
  if (unescaped) {
    for (const { start, end } of findSpans(unescaped.text, secrets, depth + 1)) {
      spans.push({ start: unescaped.starts[start] as number, end: unescaped.ends[end - 1] as number })
    }
  }
  for (const run of encodedRuns(text)) {
    if (run.decoded.some((decoded) => findSpans(decoded, secrets, depth + 1).length > 0)) spans.push(run)
  }
  return spans
}

function* literalSpans(text: string, secrets: readonly string[]): Generator<Span> {
  const searched = lowerCaseLetters(text)
  for (const secret of secrets) {
    for (let at = searched.indexOf(secret); at >= 0; at = searched.indexOf(secret, at + 1)) {
      yield { start: at, end: at + secret.length }
    }
  }
}

/** Converts only ASCII letters, because `toLowerCase` of a whole text could change its length. */
function lowerCaseLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A character escaped for URLs, JSON, C, HTML or quoted-printable. */
const ESCAPE =
  /%([0-9a-f]{2})|\\+u\{?0*([0-9a-f]{2})\}?|\\+x([0-9a-f]{2})|&#x0*([0-9a-f]{2});?|&#0*(\d{2,3});?|=([0-9a-f]{2})|\\+([/"'\\-])/gi

/**
 * Returns the text with decoded escapes, and the start and end of each of its characters in the original text. Returns
 * undefined for a text without escapes.
 */
function readEscapes(text: string): { text: string; starts: number[]; ends: number[] } | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let unescapedText = ''
  let at = 0
  const copy = (end: number) => {
    for (; at < end; at++) {
      unescapedText += text[at]
      starts.push(at)
      ends.push(at + 1)
    }
  }
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, url, json, c, html, decimal, printable, plain] = match
    const hex = url ?? json ?? c ?? html ?? printable
    const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16)
    copy(match.index)
    unescapedText += plain ?? String.fromCharCode(code)
    starts.push(at)
    at += whole.length
    ends.push(at)
  }
  if (at === 0 && unescapedText === '') return undefined
  copy(text.length)
  return { text: unescapedText, starts, ends }
}

/**
 * Matches base64, possibly with line breaks. A line break matches in only one way, and at most four match in a row.
 * Otherwise, many empty lines would cause catastrophic backtracking.
 */
const BASE64_RUN = /[\w+/-](?:(?:\\[rn]|[\r\n][^\S\r\n]*){0,4}[\w+/-]){10,}={0,2}/g
/** Matches pairs of hex digits, possibly with separators. */
const HEX_RUN = /(?:(?:0x|\\x)?[0-9a-f]{2}[\s:,-]{0,2}){8,}[0-9a-f]?/gi

function* encodedRuns(text: string): Generator<Span & { decoded: string[] }> {
  for (const { 0: run, index } of text.matchAll(BASE64_RUN)) {
    yield { start: index, end: index + run.length, decoded: decodeBase64(run) }
  }
  for (const { 0: run, index } of text.matchAll(HEX_RUN)) {
    const digits = run.replace(/0x|\\x|[^0-9a-f]/gi, '')
    const decoded = [digits, digits.slice(1)].map((each) => Buffer.from(each, 'hex').toString('latin1'))
    yield { start: index, end: index + run.trimEnd().length, decoded }
  }
}

/** Decodes the run from each of its first four characters, because its start may not belong to the base64. */
function decodeBase64(run: string): string[] {
  const joined = run.replace(/\\[rn]|\s|=/g, '')
  return [0, 1, 2, 3].flatMap((from) => {
    const bytes = Buffer.from(joined.slice(from), 'base64').toString('latin1')
    // In UTF-16, each ASCII letter has a zero byte.
    return bytes.includes('\0') ? [bytes, bytes.replaceAll('\0', '')] : [bytes]
  })
}

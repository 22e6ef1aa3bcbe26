/*
 * Finds a channel's key in an upstream's words, however it is written there: as it is, backwards, in another case, without its
 * prefix, in escapes of URLs, JSON or HTML, in hex, in base64 at any place of a longer text, and in one of these inside another. Used for
 * errors alone: in replies that are good only the plain key is looked for.
 */

import { parseObject } from '../json.ts'

const MASK = '***'
/** One that is shorter would take ordinary letters out. */
const SECRET_LENGTH_MIN = 8
/** The same for a part of a key, which may be a word. */
const PART_LENGTH_MIN = 12
/** Encodings inside encodings are followed so far. */
const DEPTH_MAX = 3

const PREFIX = /^((bearer|basic|token) +)?([a-z]{1,10}\d{0,4}[-_])*/i
/** Fields of a key that is a JSON document, such as that of a service account. */
const SECRET_FIELD = /key|secret|token|password/i

/** What must not be read of the keys, forwards and backwards, in lower case. To be computed once for each channel. */
export function secretsIn(keys: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (text: string, min: number) => {
    if (text.length < min) return
    found.add(lowered(text))
    found.add(lowered([...text].reverse().join('')))
  }
  for (const key of keys.map((each) => each.trim())) {
    // Several vendors have keys of parts.
    for (const part of [key, ...key.split('|')]) {
      add(part, SECRET_LENGTH_MIN)
      for (const inner of [part.replace(PREFIX, ''), ...part.split('.')]) add(inner, PART_LENGTH_MIN)
    }
    for (const field of secretFields(key)) for (const line of field.split(/\s+/)) add(line, PART_LENGTH_MIN)
  }
  return [...found]
}

function secretFields(key: string): string[] {
  const fields = Object.entries(parseObject(key) ?? {})
  return fields.flatMap(([name, value]) => (SECRET_FIELD.test(name) && typeof value === 'string' ? [value] : []))
}

/** What is looked for: the key that was sent in any encoding, all keys of the channel as they are. */
export interface Secrets {
  readonly sent: readonly string[]
  readonly all: readonly string[]
}

/** The text with `***` in place of everything that shows a secret. */
export function masked(text: string, { sent, all }: Secrets): string {
  const spans = [...literalSpans(text, all), ...findSpans(text, sent, 0)].sort((a, b) => a.start - b.start)
  let shown = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start >= at) shown += text.slice(at, start) + MASK
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

interface Span {
  start: number
  end: number
}

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
  const searched = lowered(text)
  for (const secret of secrets) {
    for (let at = searched.indexOf(secret); at >= 0; at = searched.indexOf(secret, at + 1)) {
      yield { start: at, end: at + secret.length }
    }
  }
}

/** One character at a time: `toLowerCase` of a whole text may change its length. */
function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A character in another's notation: URL, JSON, C, HTML, quoted-printable. */
const ESCAPE =
  /%([0-9a-f]{2})|\\+u\{?0*([0-9a-f]{2})\}?|\\+x([0-9a-f]{2})|&#x0*([0-9a-f]{2});?|&#0*(\d{2,3});?|=([0-9a-f]{2})|\\+([/"'\\-])/gi

/** The text with its escapes read, and where each character of it begins and ends in the original. Undefined without escapes. */
function readEscapes(text: string): { text: string; starts: number[]; ends: number[] } | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let read = ''
  let at = 0
  const copy = (end: number) => {
    for (; at < end; at++) {
      read += text[at]
      starts.push(at)
      ends.push(at + 1)
    }
  }
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, url, json, c, html, decimal, printable, plain] = match
    const hex = url ?? json ?? c ?? html ?? printable
    const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16)
    copy(match.index)
    read += plain ?? String.fromCharCode(code)
    starts.push(at)
    at += whole.length
    ends.push(at)
  }
  if (at === 0 && read === '') return undefined
  copy(text.length)
  return { text: read, starts, ends }
}

/**
 * Letters that may be base64, which may be broken into lines, and pairs of hex digits, which may have something between them.
 * A line break can be matched in one way only, and few are matched in a row: else many empty lines would take very long.
 */
const BASE64_RUN = /[\w+/-](?:(?:\\[rn]|[\r\n][^\S\r\n]*){0,4}[\w+/-]){10,}={0,2}/g
const HEX_RUN = /(?:(?:0x|\\x)?[0-9a-f]{2}[\s:,-]{0,2}){8,}[0-9a-f]?/gi

function* encodedRuns(text: string): Generator<Span & { decoded: string[] }> {
  for (const { 0: run, index } of text.matchAll(BASE64_RUN)) {
    yield { start: index, end: index + run.length, decoded: base64Readings(run) }
  }
  for (const { 0: run, index } of text.matchAll(HEX_RUN)) {
    const digits = run.replace(/0x|\\x|[^0-9a-f]/gi, '')
    const decoded = [digits, digits.slice(1)].map((each) => Buffer.from(each, 'hex').toString('latin1'))
    yield { start: index, end: index + run.trimEnd().length, decoded }
  }
}

/** What stands right before base64 may be letters of it, too: it is read from each of four places. */
function base64Readings(run: string): string[] {
  const joined = run.replace(/\\[rn]|\s|=/g, '')
  return [0, 1, 2, 3].flatMap((from) => {
    const bytes = Buffer.from(joined.slice(from), 'base64').toString('latin1')
    // Two bytes for each letter, as some systems have texts.
    return bytes.includes('\0') ? [bytes, bytes.replaceAll('\0', '')] : [bytes]
  })
}

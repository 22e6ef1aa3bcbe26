/** A value in a dump. */
export type DumpValue = string | number | null

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  Z: '\x1a',
  '0': '\0',
  f: '\f',
  v: '\v',
}

/** Parses the rows of `VALUES (…),(…)`. Throws for invalid text. */
export function readValues(text: string, isMysql: boolean): DumpValue[][] {
  const rows: DumpValue[][] = []
  let at = skipBlanks(text, 0)
  for (;;) {
    if (text[at] !== '(') throw new Error(`expected "(" before a row, found ${JSON.stringify(text.slice(at, at + 20))}`)
    const row: DumpValue[] = []
    at++
    for (;;) {
      const parsedValue = readValue(text, skipBlanks(text, at), isMysql)
      row.push(parsedValue.value)
      at = skipBlanks(text, parsedValue.end)
      if (text[at] === ',') at++
      else if (text[at] === ')') break
      else throw new Error(`expected "," or ")" after a value, found ${JSON.stringify(text.slice(at, at + 20))}`)
    }
    rows.push(row)
    at = skipBlanks(text, at + 1)
    if (at === text.length) return rows
    if (text[at] !== ',') throw new Error(`expected "," after a row, found ${JSON.stringify(text.slice(at, at + 20))}`)
    at = skipBlanks(text, at + 1)
  }
}

const WORD = /[^\s,()']+/y
/** Prefixes of a quoted text: a character set, `N`, `E` for escapes, `B` for bits, `X` for bytes. */
const PREFIXED = /(_\w+\s*|[ENBXenbx])'/y
/** Functions that SQLite dumps write around texts. */
const WRAPPED = /(?:unistr|cast|replace)\s*\(/iy

interface ParsedValue {
  value: DumpValue
  end: number
}

function readValue(text: string, at: number, isMysql: boolean): ParsedValue {
  if (text[at] === "'") return readText(text, at, isMysql)
  WRAPPED.lastIndex = at
  if (WRAPPED.test(text)) return readWrapped(text, at, isMysql)
  PREFIXED.lastIndex = at
  const prefixed = PREFIXED.exec(text)
  if (prefixed) {
    const quoteAt = at + prefixed[0].length - 1
    const prefix = (prefixed[1] ?? '').toUpperCase()
    const parsedValue = readText(text, quoteAt, isMysql || prefix === 'E')
    return prefix === 'X' ? { ...parsedValue, value: bytesOf(String(parsedValue.value)) } : parsedValue
  }
  WORD.lastIndex = at
  const [word = ''] = WORD.exec(text) ?? []
  if (word === '') throw new Error(`a value is missing at ${JSON.stringify(text.slice(at, at + 20))}`)
  const end = at + word.length
  if (/^null$/i.test(word)) return { value: null, end }
  if (/^(true|false)$/i.test(word)) return { value: /^true$/i.test(word) ? 1 : 0, end }
  if (/^0x[0-9a-f]+$/i.test(word)) return { value: bytesOf(word.slice(2)), end }
  if (!Number.isNaN(Number(word))) return { value: Number(word), end }
  throw new Error(`${JSON.stringify(word.slice(0, 40))} is not a value`)
}

function readText(text: string, at: number, isEscaped: boolean): ParsedValue {
  let value = ''
  let from = at + 1
  for (let position = from; ; position++) {
    const character = text[position]
    if (character === undefined) throw new Error('a text does not end')
    if (character === '\\' && isEscaped) {
      const next = text[position + 1] ?? ''
      value += text.slice(from, position) + (ESCAPES[next] ?? next)
      position++
      from = position + 1
    } else if (character === "'") {
      value += text.slice(from, position)
      if (text[position + 1] !== "'") return { value, end: position + 1 }
      position++
      from = position
    }
  }
}

/** Reads `unistr('…')`, `CAST(X'…' AS TEXT)`, `replace('…','\n',char(10))`. */
function readWrapped(text: string, at: number, isMysql: boolean): ParsedValue {
  const name = text.slice(at, text.indexOf('(', at)).trim().toLowerCase()
  const inner = readValue(text, skipBlanks(text, text.indexOf('(', at) + 1), isMysql)
  const end = closingParenthesis(text, inner.end)
  if (name === 'unistr') {
    const value = String(inner.value).replace(/\\u([0-9a-f]{4})|\\\\/gi, (_, hex) =>
      hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return { value, end: end + 1 }
  }
  if (name === 'cast') return { value: inner.value, end: end + 1 }
  const replaced = /^\s*,\s*'(.*)'\s*,\s*char\((\d+)\)\s*$/s.exec(text.slice(inner.end, end))
  if (!replaced) throw new Error('a text is written in a form that is not known')
  const value = String(inner.value).replaceAll(replaced[1] ?? '', String.fromCharCode(Number(replaced[2])))
  return { value, end: end + 1 }
}

/** Returns the position of a call's closing parenthesis. */
function closingParenthesis(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && depth-- === 0) return at
  }
  throw new Error('a call does not end')
}

/** Parses one line after `COPY`: fields separated by tabs, `\N` for NULL. */
export function readCopied(line: string): DumpValue[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null
    return field.includes('\\') ? field.replace(/\\(.)/gs, (_, next) => ESCAPES[next] ?? next) : field
  })
}

const bytesOf = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

function skipBlanks(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/.test(text[next] ?? '')) next++
  return next
}

/** How a row of the option table is made: one constructor for each type brings how a text is read and what is refused. */
import { type ErrorCode, GatewayError, type Params } from '../errors.ts'
import type { Ratios } from '../pricing/defaults.ts'

export type Area =
  | 'login'
  | 'mail'
  | 'payment'
  | 'content'
  | 'display'
  | 'logs'
  | 'monitoring'
  | 'quota'
  | 'ratio'
  | 'sensitive'
  | 'drawing'
  | 'legacy'

export interface Option<T> extends Row<T> {
  readonly key: string
  readonly area: Area
  /** Never listed. */
  readonly secret: boolean
  /** The value of a stored text. Throws OPTION_*, except for a boolean, where all but `true` is false. */
  parse(text: string): T
  /** The text to store for what was entered. Throws OPTION_*, with the key. */
  check(text: string): string
  /** Throws OPTION_* for a text that is stored, but counts as the default. Absent: there is none. */
  checkEffect?: ((text: string) => void) | undefined
}

export interface Row<T> {
  readonly type: 'boolean' | 'integer' | 'number' | 'text' | 'json'
  readonly default: string
  /** One line for the command line. */
  readonly description: string
  /** Options that must be filled in before this one can be enabled, and how it is refused while they are not. */
  readonly requires?: readonly string[]
  readonly refusal?: ErrorCode
  /** What `parse` and `check` do; they throw a `Refusal`, which does not know the key. */
  parse(text: string): T
  check(text: string): string
  checkEffect?: ((text: string) => void) | undefined
}

class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly params: Params = {},
  ) {
    super(code)
  }
}

const TEXT_BYTES_MAX = 1024 * 1024
export const RATIO_MAX = 1e9

type Options<Rows> = { readonly [Key in keyof Rows]: Rows[Key] extends Row<infer T> ? Option<T> : never }

/** Gives each row its key and area, its refusals the key, and hides what the naming rule of secrets says to hide. */
export function area<Rows extends Record<string, Row<unknown>>>(name: Area, rows: Rows): Options<Rows> {
  const options = Object.entries(rows).map(([key, row]): [string, Option<unknown>] => [
    key,
    {
      ...row,
      key,
      area: name,
      secret: /(Token|Secret|Key)$/.test(key),
      parse: (stored) => naming(key, () => row.parse(stored)),
      check: (entered) => naming(key, () => row.check(bounded(entered))),
      checkEffect: row.checkEffect && ((entered) => naming(key, () => row.checkEffect?.(entered))),
    },
  ])
  return Object.fromEntries(options) as Options<Rows>
}

function naming<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new GatewayError(error.code, { key, ...error.params })
  }
}

function bounded(text: string): string {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX) throw new Refusal('OPTION_TOO_LONG')
  // PostgreSQL cannot store it.
  if (text.includes('\0')) throw new Refusal('OPTION_NUL')
  return text
}

interface Range {
  min?: number
  above?: number
  max: number
}

export function boolean(
  initial: boolean,
  description: string,
  prerequisite: Pick<Row<boolean>, 'requires' | 'refusal'> = {},
): Row<boolean> {
  return {
    type: 'boolean',
    default: String(initial),
    description,
    ...prerequisite,
    parse: (text) => text === 'true',
    check(text) {
      if (text !== 'true' && text !== 'false') throw new Refusal('OPTION_BOOLEAN')
      return text
    },
  }
}

/** Empty text means the default, as for clients of the documented API. */
export function integer(initial: number, range: Range, description: string): Row<number> {
  const parse = (text: string) => {
    if (text === '') return initial
    if (!/^-?\d+$/.test(text)) throw new Refusal('OPTION_INTEGER')
    return inRange(Number(text), range)
  }
  return { type: 'integer', default: String(initial), description, parse, check: (text) => String(parse(text)) }
}

export function number(initial: string, range: Range, description: string): Row<number> {
  const parse = (text: string) => inRange(plainDecimal(text === '' ? initial : text), range)
  const check = (text: string) => (parse(text) === 0 ? '0' : text || initial)
  return { type: 'number', default: initial, description, parse, check }
}

/**
 * A row whose clients save after each key that is typed: any text is stored, and one that the row would reject counts as the
 * default until it is complete.
 */
export function savedWhileTyping<T>(row: Row<T>): Row<T> {
  return {
    ...row,
    parse(text) {
      try {
        return row.parse(row.check(text))
      } catch {
        return row.parse(row.default)
      }
    },
    check(text) {
      try {
        return row.check(text)
      } catch {
        return text
      }
    },
    checkEffect: (text) => void row.check(text),
  }
}

/** Empty means that there is no such number. */
export function optionalNumber(range: Range, description: string): Row<number | undefined> {
  const present = number('', range, description)
  return {
    ...present,
    parse: (text) => (text === '' ? undefined : present.parse(text)),
    check: (text) => (text === '' ? '' : present.check(text)),
  }
}

export function text(initial: string, description: string): Row<string> {
  return { type: 'text', default: initial, description, parse: (text) => text, check: (text) => text }
}

/** A base address, to which paths are appended: stored without the slash at its end. Empty means that there is none. */
export function address(description: string): Row<string> {
  const check = (entered: string) => {
    const base = withoutTrailingSlash(entered)
    if (base !== '' && !(/^https?:\S+$/i.test(base) && URL.canParse(base))) throw new Refusal('OPTION_ADDRESS')
    return base
  }
  return { ...text('', description), check }
}

/** One of some words; the first is the default. */
export function choice<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
): Row<Words[number]> {
  const parse = (text: string) => {
    const word = words.find((word) => word === text)
    if (word === undefined) throw new Refusal('OPTION_CHOICE', { words: words.join(', ') })
    return word
  }
  return { type: 'text', default: words[0], description, parse, check: parse }
}

export function jsonObjectOfNumbers(
  initial: Ratios,
  description: string,
  negative: ErrorCode = 'OPTION_RATIO_MIN',
): Row<Ratios> {
  return json(initial, description, (value) => {
    const entries = jsonObject(value, (entry) => typeof entry === 'number', 'OPTION_ENTRY_NUMBER')
    for (const [name, ratio] of Object.entries(entries)) {
      if (ratio < 0) throw new Refusal(negative, { name })
      if (!(ratio <= RATIO_MAX)) throw new Refusal('OPTION_RATIO_MAX', { name, max: RATIO_MAX })
    }
    return entries
  })
}

export function jsonObjectOfTexts(
  initial: Record<string, string>,
  description: string,
): Row<Readonly<Record<string, string>>> {
  return json(initial, description, (value) => jsonObject(value, isText, 'OPTION_ENTRY_TEXT'))
}

/** An ordered list of named texts: objects with one key each. */
export function jsonArray(
  initial: readonly Record<string, string>[],
  description: string,
): Row<readonly Readonly<Record<string, string>>[]> {
  return json(initial, description, (value) => {
    if (!Array.isArray(value)) throw new Refusal('OPTION_JSON_ARRAY')
    return value.map((item: unknown) => {
      const entry = jsonObject(item, isText, 'OPTION_ENTRY_TEXT')
      if (Object.keys(entry).length !== 1) throw new Refusal('OPTION_JSON_SINGLE')
      return entry
    })
  })
}

/** JSON is stored as entered: its layout belongs to the operator. */
function json<T>(initial: T, description: string, read: (value: unknown) => T): Row<T> {
  const parse = (text: string) => read(jsonValue(text))
  const check = (text: string) => {
    parse(text)
    return text
  }
  return { type: 'json', default: JSON.stringify(initial), description, parse, check }
}

function withoutTrailingSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('OPTION_JSON')
  }
}

function jsonObject<T>(
  value: unknown,
  is: (entry: unknown) => entry is T,
  otherwise: ErrorCode,
): Readonly<Record<string, T>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('OPTION_JSON_OBJECT')
  const wrong = Object.entries(value).find(([, entry]) => !is(entry))
  if (wrong) throw new Refusal(otherwise, { name: wrong[0] })
  return value as Record<string, T>
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Digits with an optional fraction, as people write numbers; nothing that only programs would read as one. */
function plainDecimal(text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Refusal('OPTION_NUMBER')
  return Number(text)
}

function inRange(value: number, { min, above, max }: Range): number {
  if (min !== undefined && value < min) throw new Refusal('OPTION_MIN', { min })
  if (above !== undefined && value <= above) throw new Refusal('OPTION_ABOVE', { above })
  if (value > max) throw new Refusal('OPTION_MAX', { max })
  // Turns -0 into 0.
  return value + 0
}

/** Functions that create rows of `OPTIONS`. Each function defines how texts are parsed and which texts are rejected. */
import { isAbsolute } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type ErrorCode, GatewayError, type Params } from '../errors.ts'
import { readConditionRow } from '../pricing/conditions.ts'
import type { Ratios } from '../pricing/defaults.ts'
import { isRecord } from '../records.ts'

type OptionAreaName =
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

export interface Option<T> extends OptionDefinition<T> {
  readonly key: string
  readonly area: OptionAreaName
  /** Whether the option is a secret, which is stored encrypted and never returned. */
  readonly secret: boolean
  /** Parses a stored text. Throws OPTION_*, except for a boolean, for which all texts except `true` mean false. */
  parse(text: string): T
  /** Validates entered text. Returns the text to store. Throws OPTION_*, with the key. */
  check(text: string): string
  /** Throws OPTION_* if a text that `check` accepts is invalid, so that the default applies. */
  checkEffect?: ((text: string) => void) | undefined
}

interface OptionDefinition<T> {
  readonly type: 'boolean' | 'integer' | 'number' | 'text' | 'json'
  readonly default: string
  /** The value that is stored in a new database, if it differs from the documented default. */
  readonly initial?: string
  /** One line of help, for the command line. */
  readonly description: string
  /** Keys of options that must not be empty while this option is enabled. */
  readonly requires?: readonly string[]
  /** The error if one of `requires` is empty. */
  readonly refusal?: ErrorCode
  /** `parse`, `check` and `checkEffect` of the option. They throw `Refusal`, to which `area` adds the key. */
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

type Options<Rows> = { readonly [Key in keyof Rows]: Rows[Key] extends OptionDefinition<infer T> ? Option<T> : never }

/** Adds the key and area to rows, and the key to their errors. Options that end in Token, Secret or Key are secret. */
export function area<Rows extends Record<string, OptionDefinition<unknown>>>(
  name: OptionAreaName,
  rows: Rows,
): Options<Rows> {
  const options = Object.entries(rows).map(([key, row]): [string, Option<unknown>] => [
    key,
    {
      ...row,
      key,
      area: name,
      secret: /(Token|Secret|Key)$/.test(key),
      parse: (stored) => addKeyToErrors(key, () => row.parse(stored)),
      check: (entered) => addKeyToErrors(key, () => row.check(requireStorable(entered))),
      checkEffect: row.checkEffect && ((entered) => addKeyToErrors(key, () => row.checkEffect?.(entered))),
    },
  ])
  return Object.fromEntries(options) as Options<Rows>
}

function addKeyToErrors<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new GatewayError(error.code, { key, ...error.params })
  }
}

function requireStorable(text: string): string {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX) throw new Refusal('OPTION_TOO_LONG')
  // PostgreSQL cannot store NUL.
  if (text.includes('\0')) throw new Refusal('OPTION_NUL')
  return text
}

interface Range {
  min?: number
  above?: number
  max: number
}

export function booleanOption(
  initial: boolean,
  description: string,
  prerequisite: Pick<OptionDefinition<boolean>, 'requires' | 'refusal'> = {},
): OptionDefinition<boolean> {
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

/** Returns a row for a whole number. As in the documented API, an empty text means the default. */
export function integerOption(initial: number, range: Range, description: string): OptionDefinition<number> {
  const parse = (text: string) => {
    if (text === '') return initial
    if (!/^-?\d+$/.test(text)) throw new Refusal('OPTION_INTEGER')
    return inRange(Number(text), range)
  }
  return { type: 'integer', default: String(initial), description, parse, check: (text) => String(parse(text)) }
}

/** Returns a row for an option whose value in a new database differs from the documented default. */
export const storedInNew = <T>(initial: string, row: OptionDefinition<T>): OptionDefinition<T> => ({ ...row, initial })

export function numberOption(initial: string, range: Range, description: string): OptionDefinition<number> {
  const parse = (text: string) => inRange(plainDecimal(text === '' ? initial : text), range)
  const check = (text: string) => (parse(text) === 0 ? '0' : text || initial)
  return { type: 'number', default: initial, description, parse, check }
}

/**
 * Returns a row for an option that clients save after each keystroke. Any text is stored. The default applies while the
 * text is invalid.
 */
export function lenientOption<T>(row: OptionDefinition<T>): OptionDefinition<T> {
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

/** Returns a row for a number. An empty text means undefined. */
export function optionalNumber(range: Range, description: string): OptionDefinition<number | undefined> {
  const present = numberOption('', range, description)
  return {
    ...present,
    parse: (text) => (text === '' ? undefined : present.parse(text)),
    check: (text) => (text === '' ? '' : present.check(text)),
  }
}

export function textOption(initial: string, description: string): OptionDefinition<string> {
  return { type: 'text', default: initial, description, parse: (text) => text, check: (text) => text }
}

/** Returns a row for a base URL, which is stored without a trailing slash. An empty text means none. */
export function addressOption(description: string): OptionDefinition<string> {
  const check = (entered: string) => {
    const base = withoutTrailingSlash(entered)
    if (base !== '' && !(/^https?:\S+$/i.test(base) && URL.canParse(base))) throw new Refusal('OPTION_ADDRESS')
    return base
  }
  return { ...textOption('', description), check }
}

/** Returns a row for the absolute path of a folder on the server. An empty text means none. */
export function folderOption(description: string): OptionDefinition<string> {
  const check = (entered: string) => {
    if (entered !== '' && !isAbsolute(entered)) throw new Refusal('OPTION_FOLDER')
    return entered
  }
  return { ...textOption('', description), check }
}

/** Returns a row for IP addresses and ranges, separated by commas. */
export function addressesOption(description: string): OptionDefinition<readonly string[]> {
  const parse = (entered: string) =>
    entered
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  const check = (entered: string) => {
    const entries = parse(entered)
    const value = entries.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
    if (value !== undefined) throw new Refusal('OPTION_ADDRESSES', { value })
    return entries.join(',')
  }
  return { ...textOption('', description), parse, check }
}

/** Returns a row for one of several words. The first word is the default. */
export function choiceOption<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
): OptionDefinition<Words[number]> {
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
): OptionDefinition<Ratios> {
  return json(initial, description, (value) => {
    const entries = jsonObject(value, (entry) => typeof entry === 'number', 'OPTION_ENTRY_NUMBER')
    for (const [name, ratio] of Object.entries(entries)) {
      if (ratio < 0) throw new Refusal(negative, { name })
      if (!(ratio <= RATIO_MAX)) throw new Refusal('OPTION_RATIO_MAX', { name, max: RATIO_MAX })
    }
    return entries
  })
}

/** Returns a row like that of `jsonObjectOfNumbers`, with names of the form `condition:model`. */
export function jsonObjectOfConditions(description: string): OptionDefinition<Ratios> {
  const row = jsonObjectOfNumbers({}, description)
  const checked = (entries: Ratios): Ratios => {
    const wrong = Object.keys(entries).find((name) => !readConditionRow(name))
    if (wrong !== undefined) throw new Refusal('OPTION_CONDITION', { name: wrong })
    return entries
  }
  const parse = (text: string) => checked(row.parse(text))
  return {
    ...row,
    parse,
    check(text) {
      parse(text)
      return row.check(text)
    },
  }
}

export function jsonObjectOfTexts(
  initial: Record<string, string>,
  description: string,
): OptionDefinition<Readonly<Record<string, string>>> {
  return json(initial, description, (value) => jsonObject(value, isText, 'OPTION_ENTRY_TEXT'))
}

/** Returns a row for an ordered list of named texts, which consists of objects with one key each. */
export function jsonArray(
  initial: readonly Record<string, string>[],
  description: string,
): OptionDefinition<readonly Readonly<Record<string, string>>[]> {
  return json(initial, description, (value) => {
    if (!Array.isArray(value)) throw new Refusal('OPTION_JSON_ARRAY')
    return value.map((item: unknown) => {
      if (!isRecord(item) || Object.keys(item).length !== 1) throw new Refusal('OPTION_JSON_SINGLE')
      return jsonObject(item, isText, 'OPTION_ENTRY_TEXT')
    })
  })
}

/** Returns a row for a JSON value. The text is stored as entered, to keep the operator's formatting. */
function json<T>(initial: T, description: string, read: (value: unknown) => T): OptionDefinition<T> {
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
  if (!isRecord(value)) throw new Refusal('OPTION_JSON_OBJECT')
  const isValid = (record: Record<string, unknown>): record is Record<string, T> => Object.values(record).every(is)
  if (isValid(value)) return value
  throw new Refusal(otherwise, { name: Object.keys(value).find((name) => !is(value[name])) })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Parses a decimal number. Rejects other notations, such as 1e3 or 0x10. */
function plainDecimal(text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Refusal('OPTION_NUMBER')
  return Number(text)
}

function inRange(value: number, { min, above, max }: Range): number {
  if (min !== undefined && value < min) throw new Refusal('OPTION_MIN', { min })
  if (above !== undefined && value <= above) throw new Refusal('OPTION_ABOVE', { above })
  if (value > max) throw new Refusal('OPTION_MAX', { max })
  // Adding 0 turns -0 into 0.
  return value + 0
}

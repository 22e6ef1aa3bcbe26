import { Document, isMap, isScalar, parse } from 'yaml'
import { errorMessage } from '../../core/error-parts.ts'
import type { OptionChange } from '../../core/options/options.ts'
import { findOption } from '../../core/options/registry.ts'
import { isRecord } from '../../core/records.ts'
import type { OptionRow } from '../columns/option.ts'
import type { Texts } from '../texts.ts'

/*
 * Writes options as YAML or JSON for editing, and reads the changed values of the edited text.
 */
export type DocumentFormat = 'yaml' | 'json'

/** Options to edit: visible options with their values, and secret options without values. */
export interface EditedOptions {
  rows: readonly OptionRow[]
  secrets: readonly { key: string; description: string }[]
}

/** Error for an edited text that is invalid YAML or JSON, or has an unknown option or an invalid value. */
export class DocumentError extends Error {
  constructor(
    readonly why: (texts: Texts) => string,
    options?: ErrorOptions,
  ) {
    super('invalid document of options', options)
  }
}

/** Returns the options as JSON, or as YAML with their descriptions as comments. */
export function writeDocument({ rows, secrets }: EditedOptions, format: DocumentFormat, heading: string): string {
  const values = Object.fromEntries([
    ...rows.map(({ key, type, value }): [string, unknown] => [key, editableValue(type, value)]),
    ...secrets.map(({ key }): [string, unknown] => [key, '']),
  ])
  if (format === 'json') return `${JSON.stringify(values, null, 2)}\n`
  const document = new Document(values)
  document.commentBefore = comment(heading)
  const descriptions = new Map([...rows, ...secrets].map(({ key, description }) => [key, description]))
  if (isMap(document.contents)) {
    for (const { key } of document.contents.items) {
      if (!isScalar(key)) continue
      key.commentBefore = comment(descriptions.get(String(key.value)) ?? '')
      key.spaceBefore = true
    }
  }
  return document.toString({ lineWidth: 0 })
}

/** Returns the changes in an edited text of `writeDocument`. Missing options stay unchanged. Throws DocumentError. */
export function readOptionDocument(
  text: string,
  { rows, secrets }: EditedOptions,
  format: DocumentFormat,
): OptionChange[] {
  const content = parseContent(text, format)
  if (content === null || content === undefined) return []
  if (!isRecord(content)) throw new DocumentError(({ t }) => t('option.notAListOfOptions'))
  const rowsByKey = new Map(rows.map((row) => [row.key, row]))
  const secretKeys = new Set(secrets.map(({ key }) => key))
  return Object.entries(content).flatMap(([key, value]): OptionChange[] => {
    if (secretKeys.has(key)) {
      return value === '' || value === null ? [] : [{ key, value: storedText(key, 'text', value) }]
    }
    const row = rowsByKey.get(key)
    if (!row) throw new DocumentError(({ t }) => t('option.wasNotAmongTheOptions', { key }))
    if (JSON.stringify(value) === JSON.stringify(editableValue(row.type, row.value))) return []
    return [{ key, value: storedText(key, row.type, value), was: row.value }]
  })
}

function parseContent(text: string, format: DocumentFormat): unknown {
  try {
    return format === 'json' ? JSON.parse(text) : parse(text, { maxAliasCount: 0 })
  } catch (cause) {
    throw new DocumentError(() => errorMessage(cause).split('\n', 1)[0]?.replace(/:$/, '') ?? '', { cause })
  }
}

function editableValue(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true'
  // The text stays a text if it is empty, or if JavaScript cannot store all digits of its number.
  if (type === 'integer' || type === 'number') return String(Number(text)) === text ? Number(text) : text
  return type === 'json' ? JSON.parse(text) : text
}

function storedText(key: string, type: string, value: unknown): string {
  if (type === 'json') return JSON.stringify(value)
  if (value === null) return ''
  if (typeof value === 'object') throw new DocumentError(({ t }) => t('option.mustBeASingleValue', { key }))
  return String(value)
}

const comment = (text: string) =>
  text
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n')

/** Validates changes before any prompt or write, and returns them with normalized values. Throws OPTION_*. */
export function checkOptionChanges(changes: readonly OptionChange[]): OptionChange[] {
  return changes.map((change) => ({ ...change, value: findOption(change.key)?.check(change.value) ?? change.value }))
}

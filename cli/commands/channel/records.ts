import type { ChannelFields, NewChannel } from '../../../core/channels/channel.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { Channel } from '../../../core/channels/schema.ts'
import { findChannelType } from '../../../core/channels/types/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { channelTypeNumber } from '../../input/channel-type.ts'
import type { ParsedRecord } from '../../input/record-file.ts'

/** A line of the file: the channel to add, or the error of the line. */
export type ChannelEntry = { line: number; channel: NewChannel } | { line: number; error: Error }

/** Values from flags, which apply to all lines. */
type Defaults = ChannelFields & { key?: string; type?: number; status?: number }

const TEXTS = ['name', 'key', 'base_url', 'other', 'tag', 'test_model', 'openai_organization'] as const
const LISTS = ['models', 'group'] as const
const DOCUMENTS = ['model_mapping', 'status_code_mapping', 'setting'] as const
const NUMBERS = ['priority', 'weight'] as const
const WORDS = {
  auto_ban: { on: 1, off: 0, true: 1, false: 0, 1: 1, 0: 0 },
  status: { ...CHANNEL_STATUS, 'auto-disabled': 3 },
}
const WRITABLE_FIELDS: readonly string[] = [...TEXTS, ...LISTS, ...DOCUMENTS, ...NUMBERS, ...Object.keys(WORDS), 'type']
/** Fields that printed lists of channels contain, but that commands cannot write, such as counters and times. */
const IGNORED_FIELDS = new Set(Object.keys(Channel.properties).filter((field) => !WRITABLE_FIELDS.includes(field)))

/** Converts a record of the file to a channel. `defaults` has the values of fields that the record lacks. */
export function channelEntryOf(cli: Cli, record: ParsedRecord, defaults: Defaults): ChannelEntry {
  const { line } = record
  if ('problem' in record) return { line, error: usageError(record.problem) }
  try {
    return { line, channel: channelIn(cli, record.fields, defaults) }
  } catch (error) {
    if (error instanceof CommandError || error instanceof GatewayError) return { line, error }
    throw error
  }
}

function channelIn(cli: Cli, record: Readonly<Record<string, unknown>>, defaults: Defaults): NewChannel {
  const fields: Record<string, string | number> = {}
  for (const [field, value] of Object.entries(record)) {
    if (value === null || value === undefined || IGNORED_FIELDS.has(field)) continue
    if (!WRITABLE_FIELDS.includes(field)) {
      throw usageError(cli.t('channel.unknownField', { field, written: WRITABLE_FIELDS.join(', ') }))
    }
    if (field !== 'type') fields[field] = writtenValue(cli, field, value)
  }
  const word = String(record.type ?? defaults.type ?? '')
  // Core rejects unknown numbers. Its error says whether a type was retired.
  const type = channelTypeNumber(word)
  if (type === undefined) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: word })
  const models = defaults.models ?? findChannelType(type)?.models.join(',') ?? ''
  return { key: '', ...defaults, models, name: '', ...fields, type }
}

function writtenValue(cli: Cli, field: string, value: unknown): string | number {
  const isIn = (fields: readonly string[]) => fields.includes(field)
  if (field in WORDS) {
    const words: Readonly<Record<string, number>> = WORDS[field as keyof typeof WORDS]
    const number = words[String(value)] ?? Object.values(words).find((each) => String(each) === String(value))
    if (number !== undefined) return number
    throw usageError(cli.t('channel.mustBeOneOf', { field, choices: Object.keys(words).join(', ') }))
  }
  if (isIn(NUMBERS)) {
    if (typeof value === 'number' || /^-?\d{1,15}$/.test(String(value))) return Number(value)
    throw usageError(cli.t('channel.mustBeAWholeNumber', { field }))
  }
  if (typeof value === 'string') return value
  if (isIn(LISTS) && Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(',')
  if (isIn(DOCUMENTS) && typeof value === 'object') return JSON.stringify(value)
  throw usageError(cli.t('channel.mustBeText', { field }))
}

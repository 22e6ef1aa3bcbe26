import type { OptionChange } from '../../core/options/options.ts'
import { findOption } from '../../core/options/registry.ts'
import { isRecord } from '../../core/records.ts'
import type { Cli } from '../cli.ts'

const LENGTH_MAX = 60

/** Returns the value as one line of at most 60 characters; a longer line is truncated. */
export function shortened(text: string): string {
  if (text === '') return '""'
  const line = text.replace(/\s+/g, ' ')
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX)}…` : line
}

/** Returns the changes as lines. A table has a line for each changed row. The line of a secret contains no value. */
export function changeLines(cli: Cli, changes: readonly OptionChange[]): string[] {
  return changes.flatMap(({ key, value, was = '' }) => {
    const option = findOption(key)
    if (option?.secret) return [cli.t('option.newSecret', { key })]
    const [before, after] = option?.type === 'json' ? [tableOf(was), tableOf(value)] : []
    if (!before || !after) return [`${key}: ${shortened(was)} → ${shortened(value)}`]
    const names = [...new Set([...before.keys(), ...after.keys()])]
    return names
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => `${key}[${name}]: ${before.get(name) ?? '-'} → ${after.get(name) ?? '-'}`)
  })
}

function tableOf(text: string): Map<string, string> | undefined {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) return undefined
  return new Map(Object.entries(value).map(([name, entry]) => [name, JSON.stringify(entry)]))
}

import type { OptionChange } from '../../core/options/options.ts'
import { findOption } from '../../core/options/registry.ts'
import type { Cli } from '../cli.ts'

const SHOWN_MAX = 60

/** Shortens a value to one line. */
export function shortened(text: string): string {
  if (text === '') return '""'
  const line = text.replace(/\s+/g, ' ')
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line
}

/** Formats changes, one per line. For a table, shows only the changed rows; for a secret, shows no value. */
export function changeLines(cli: Cli, changes: readonly OptionChange[]): string[] {
  return changes.flatMap(({ key, value, was = '' }) => {
    const option = findOption(key)
    if (option?.secret) return [cli.t('option.newSecret', { key })]
    const tables = option?.type === 'json' ? [tableOf(was), tableOf(value)] : undefined
    if (!tables?.[0] || !tables[1]) return [`${key}: ${shortened(was)} → ${shortened(value)}`]
    const [before, after] = [tables[0], tables[1]]
    const names = [...new Set([...before.keys(), ...after.keys()])]
    return names
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => `${key}[${name}]: ${before.get(name) ?? '-'} → ${after.get(name) ?? '-'}`)
  })
}

function tableOf(text: string): Map<string, string> | undefined {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value).map(([name, entry]) => [name, JSON.stringify(entry)]))
}

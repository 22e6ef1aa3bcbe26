import { commaList, parseObject } from '../input.ts'
import { OPTIONS } from '../options/registry.ts'
import type { SourceContents } from './contents.ts'

const WARNINGS_MAX = 20

/** Returns a warning for each group without a ratio (at most 20), because requests in such a group are rejected. */
export function groupWarnings({ rows }: SourceContents, options: ReadonlyMap<string, string>): string[] {
  const ratios = parseObject(options.get('GroupRatio') ?? OPTIONS.GroupRatio.default) ?? {}
  const uses = new Map<string, number>()
  for (const list of [rows.users, rows.tokens, rows.channels]) {
    for (const row of list) {
      for (const group of commaList(String(row.group ?? ''))) uses.set(group, (uses.get(group) ?? 0) + 1)
    }
  }
  const missing = [...uses].filter(([group]) => group !== 'default' && !Object.hasOwn(ratios, group))
  return missing
    .slice(0, WARNINGS_MAX)
    .map(
      ([group, count]) =>
        `The group ${group} (${count === 1 ? '1 row' : `${count} rows`}) has no ratio in GroupRatio: set one, because requests in this group are rejected`,
    )
}

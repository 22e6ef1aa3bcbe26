import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_GROUP } from '../groups/groups.ts'
import type { ConfigurationChange } from './schema.ts'
import { SECTIONS, type Section } from './sections.ts'
import { builtInPrices, type Fields, SecretDigest, type State } from './state.ts'

/** Fields of these sections stay as they are when a file does not name them; elsewhere what is not named is not there. */
const KEEPS_UNNAMED: ReadonlySet<Section> = new Set(['channels'])
const SHOWN_SECRET = '(secret)'

/** What makes the present state the desired one, in the order in which it is done. */
export function planChanges(
  current: State,
  desired: Partial<State>,
  { prune }: { prune: boolean },
): ConfigurationChange[] {
  return SECTIONS.flatMap((section) => {
    const wanted = desired[section]
    if (!wanted) return []
    const present = current[section]
    const written = [...wanted].flatMap(([name, fields]) => {
      const before = present.get(name)
      const changed = differences(before, fields, KEEPS_UNNAMED.has(section))
      if (before && changed.length === 0) return []
      return [change(section, name, before ? 'update' : 'create', { before, fields: changed })]
    })
    const gone = prune ? unlisted(section, present).filter((name) => !wanted.has(name)) : []
    const deleted = gone.map((name) =>
      change(section, name, 'delete', { before: present.get(name), fields: differences(present.get(name), {}, false) }),
    )
    return [...written, ...deleted]
  })
}

/** What a file may have to list: not the prices that are built in, nor the group that every user is in without another. */
export function unlisted(section: Section, present: ReadonlyMap<string, Fields>): string[] {
  if (section === 'groups') return [...present.keys()].filter((name) => name !== DEFAULT_GROUP)
  if (section !== 'prices') return [...present.keys()]
  const builtIn = builtInPrices()
  return [...present].filter(([name, price]) => !isDeepStrictEqual(builtIn.get(name), price)).map(([name]) => name)
}

function change(
  section: Section,
  name: string,
  action: ConfigurationChange['action'],
  { before, fields }: { before: Fields | undefined; fields: ConfigurationChange['fields'] },
): ConfigurationChange {
  return { section, name, action, fields, version: versionOf(before) }
}

function differences(before: Fields | undefined, after: Fields, keepsUnnamed: boolean): ConfigurationChange['fields'] {
  const names = new Set([...Object.keys(after), ...(keepsUnnamed ? [] : Object.keys(before ?? {}))])
  return [...names].flatMap((field) => {
    const [was, is] = [before?.[field], after[field]]
    if (isDeepStrictEqual(plain(was), plain(is))) return []
    return [{ field, ...(was !== undefined && { before: shown(was) }), ...(is !== undefined && { after: shown(is) }) }]
  })
}

/** Names in another order, and models in another order, are no difference. */
function plain(value: unknown): unknown {
  if (value instanceof SecretDigest) return value.toJSON()
  if (Array.isArray(value)) return [...value].sort()
  return value
}

const shown = (value: unknown): unknown => (value instanceof SecretDigest ? SHOWN_SECRET : value)

/** A digest of what is there: another one after every change. `none` for what is not there. */
export function versionOf(fields: Fields | undefined): string {
  if (!fields) return 'none'
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16)
}

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_GROUP } from '../groups/groups.ts'
import { isRecord } from '../records.ts'
import type { Secrets } from '../secrets.ts'
import { type ConfigurationFields, SecretDigest } from './fields.ts'
import type { ConfigurationChange, ConfigurationDocument } from './schema.ts'
import { type ConfigurationSection, SECTIONS } from './sections.ts'
import { builtInPrices, type State } from './state.ts'

/** Sections whose entries keep the fields that a file omits. In other sections, omitted fields are removed. */
const KEEPS_OMITTED: ReadonlySet<ConfigurationSection> = new Set(['channels', 'teams'])
const SHOWN_SECRET = '(secret)'

/** Returns the changes that turn the current state into the desired state, in the order in which plans show them. */
export function planChanges(
  current: State,
  desired: Partial<State>,
  { prune, now }: { prune: boolean; now: number },
): ConfigurationChange[] {
  return SECTIONS.flatMap((section) => {
    const desiredEntries = desired[section]
    if (!desiredEntries) return []
    const currentEntries = current[section]
    const written = [...desiredEntries].flatMap(([name, fields]) => {
      const before = currentEntries.get(name)
      const changed = differences(before, fields, KEEPS_OMITTED.has(section))
      if (before && changed.length === 0) return []
      return [change(section, name, before ? 'update' : 'create', { before, after: fields, fields: changed })]
    })
    const deletedNames = prune
      ? prunableNames(section, currentEntries, now).filter((name) => !desiredEntries.has(name))
      : []
    const deleted = deletedNames.map((name) =>
      change(section, name, 'delete', {
        before: currentEntries.get(name),
        fields: differences(currentEntries.get(name), {}, false),
      }),
    )
    return [...written, ...deleted]
  })
}

/** Returns the names that `--prune` may delete. Excludes built-in prices, the default group and expired keys. */
export function prunableNames(
  section: ConfigurationSection,
  present: ReadonlyMap<string, ConfigurationFields>,
  now: number,
): string[] {
  if (section === 'groups') return [...present.keys()].filter((name) => name !== DEFAULT_GROUP)
  // An expired key is already invalid, and no file could create this key again.
  if (section === 'management_keys')
    return [...present].filter(([, key]) => isUnexpired(key, now)).map(([name]) => name)
  if (section !== 'prices') return [...present.keys()]
  const builtIn = builtInPrices()
  return [...present].filter(([name, price]) => !isDeepStrictEqual(builtIn.get(name), price)).map(([name]) => name)
}

const isUnexpired = ({ expires_at }: ConfigurationFields, now: number): boolean =>
  expires_at === undefined || Date.parse(String(expires_at)) > now * 1000

function change(
  section: ConfigurationSection,
  name: string,
  action: ConfigurationChange['action'],
  {
    before,
    after,
    fields,
  }: { before: ConfigurationFields | undefined; after?: ConfigurationFields; fields: ConfigurationChange['fields'] },
): ConfigurationChange {
  return { section, name, action, fields, version: entryVersionOf(before), wanted: entryVersionOf(after) }
}

function differences(
  before: ConfigurationFields | undefined,
  after: ConfigurationFields,
  keepsOmitted: boolean,
): ConfigurationChange['fields'] {
  const names = new Set([...Object.keys(after), ...(keepsOmitted ? [] : Object.keys(before ?? {}))])
  return [...names].flatMap((field) => {
    const [oldValue, newValue] = [before?.[field], after[field]]
    if (isDeepStrictEqual(comparable(oldValue), comparable(newValue))) return []
    // A secret that a file omits stays unchanged.
    if (oldValue instanceof SecretDigest && !Object.hasOwn(after, field) && Object.keys(after).length > 0) return []
    return [
      {
        field,
        ...(oldValue !== undefined && { before: displayValue(oldValue) }),
        ...(newValue !== undefined && { after: displayValue(newValue) }),
      },
    ]
  })
}

/** Returns a comparable value. The order of a list, such as models, is not a difference. */
function comparable(value: unknown): unknown {
  if (value instanceof SecretDigest) return value.toJSON()
  if (Array.isArray(value)) return [...value].sort()
  return value
}

const displayValue = (value: unknown): unknown => (value instanceof SecretDigest ? SHOWN_SECRET : value)

/** Returns a digest that changes with every change of the entry. Returns `none` if there is no entry. */
function entryVersionOf(fields: ConfigurationFields | undefined): string {
  if (!fields) return 'none'
  // Undefined fields mark values to remove. Include them in the digest.
  const text = JSON.stringify(fields, (_, value: unknown) => value ?? null)
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Returns a digest of a whole document. It is keyed, so that secrets cannot be guessed from it. */
export function documentDigest(document: ConfigurationDocument, secrets: Secrets): string {
  const text = JSON.stringify(document, (_, value: unknown) => (isRecord(value) ? sortKeys(value) : value))
  return secrets.digest(`configuration-document:${text}`).slice(0, 32)
}

const sortKeys = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

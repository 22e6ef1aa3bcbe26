import type { FieldRules } from '../../../../core/channels/settings/quirks.ts'
import type { Json } from '../../json.ts'

/* These functions return the same object if nothing changes, so that the gateway can send the client's bytes. */

export function withoutFields(body: Json, names: readonly string[]): Json {
  return names.some((name) => name in body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
    : body
}

function withOnlyFields(body: Json, names: readonly string[]): Json {
  return withoutFields(
    body,
    Object.keys(body).filter((name) => !names.includes(name)),
  )
}

/** Renames fields. `names`: new names by old name. If a body has both fields, the value under the new name remains. */
export function withRenamedFields(body: Json, names: Readonly<Record<string, string>>): Json {
  let out = body
  for (const [oldName, name] of Object.entries(names)) {
    if (!(oldName in out)) continue
    const { [oldName]: value, ...rest } = out
    out = rest[name] === undefined || rest[name] === null ? { ...rest, [name]: value } : rest
  }
  return out
}

function withClampedFields(body: Json, bounds: Readonly<Record<string, readonly [number, number]>>): Json {
  let out = body
  for (const [name, [min, max]] of Object.entries(bounds)) {
    const value = out[name]
    if (typeof value !== 'number' || (value >= min && value <= max)) continue
    out = { ...out, [name]: Math.min(max, Math.max(min, value)) }
  }
  return out
}

function withForcedFields(body: Json, values: Readonly<Record<string, unknown>>): Json {
  const changedFields = Object.entries(values).filter(([name, value]) => name in body && body[name] !== value)
  return changedFields.length > 0 ? { ...body, ...Object.fromEntries(changedFields) } : body
}

export function withFieldRules(body: Json, rules: FieldRules | undefined): Json {
  if (!rules) return body
  let out = withRenamedFields(body, rules.rename ?? {})
  out = withoutFields(out, rules.drop ?? [])
  if (rules.only) out = withOnlyFields(out, rules.only)
  return withForcedFields(withClampedFields(out, rules.clamp ?? {}), rules.force ?? {})
}

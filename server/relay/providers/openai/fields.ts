import type { FieldRules } from '../../../../core/channels/quirks.ts'
import type { Json } from '../../json.ts'

/*
 * Changes to a body. Each answers the very object it was given when there is nothing to change: then the client's own
 * bytes can go on.
 */

export function without(body: Json, names: readonly string[]): Json {
  return names.some((name) => name in body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
    : body
}

function only(body: Json, names: readonly string[]): Json {
  return without(
    body,
    Object.keys(body).filter((name) => !names.includes(name)),
  )
}

/** New name by old name. What stands under the new name already is what the client meant. */
export function renamed(body: Json, names: Readonly<Record<string, string>>): Json {
  let out = body
  for (const [old, name] of Object.entries(names)) {
    if (!(old in out)) continue
    const { [old]: value, ...rest } = out
    out = rest[name] === undefined || rest[name] === null ? { ...rest, [name]: value } : rest
  }
  return out
}

function clamped(body: Json, bounds: Readonly<Record<string, readonly [number, number]>>): Json {
  let out = body
  for (const [name, [min, max]] of Object.entries(bounds)) {
    const value = out[name]
    if (typeof value !== 'number' || (value >= min && value <= max)) continue
    out = { ...out, [name]: Math.min(max, Math.max(min, value)) }
  }
  return out
}

function forced(body: Json, values: Readonly<Record<string, unknown>>): Json {
  const wrong = Object.entries(values).filter(([name, value]) => name in body && body[name] !== value)
  return wrong.length > 0 ? { ...body, ...Object.fromEntries(wrong) } : body
}

export function withFieldRules(body: Json, rules: FieldRules | undefined): Json {
  if (!rules) return body
  let out = renamed(body, rules.rename ?? {})
  out = without(out, rules.drop ?? [])
  if (rules.only) out = only(out, rules.only)
  return forced(clamped(out, rules.clamp ?? {}), rules.force ?? {})
}

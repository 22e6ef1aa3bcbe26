import type { Evidence } from './evidence.ts'

/** What a circuit is of: the whole channel, one of its keys, a model asked in one format, or the rate of a key and model. */
export type Scope = 'channel' | 'key' | 'model' | 'limit'

/** Whom a relay asks for what. */
export interface Wanted {
  /** As it is routed. */
  readonly model: string
  /** The operation, for conversations the format: an upstream may serve a model in one and not in another. */
  readonly via: string
  /** The caller insists on this channel: circuits do not keep it away, but learn from it. */
  readonly pinned?: boolean
}

/** The circuits that an attempt goes by: scope, name within its channel, subject. */
export function subjectsOf({ model, via }: Wanted, key: string | undefined): [Scope, string, string][] {
  const limit = key === undefined ? model : `${key} ${model}`
  const served = `${model} (${via})`
  const subjects: [Scope, string, string][] = [
    ['channel', 'channel', ''],
    ['model', `model ${served}`, served],
    ['limit', `limit ${limit}`, limit],
  ]
  if (key !== undefined) subjects.push(['key', `key ${key}`, key])
  return subjects
}

/** Whose circuit a failure counts for. */
export function targetOf(evidence: Evidence, key: string | undefined): Scope {
  if (evidence === 'account') return key === undefined ? 'channel' : 'key'
  if (evidence === 'limited') return 'limit'
  return evidence === 'unreachable' ? 'channel' : 'model'
}

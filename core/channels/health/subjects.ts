import { createHash } from 'node:crypto'
import type { Evidence } from './evidence.ts'

/** What a circuit is of: the whole channel, one of its keys, a model asked in one format, or the rate of a key and model. */
export type Scope = 'channel' | 'key' | 'model' | 'limit'

/** Whom a relay asks for what. */
export interface Wanted {
  /** As it is routed. */
  readonly model: string
  /** The name that was asked for, where the routed one stands for many: clients may have made it up. */
  readonly asked?: string | undefined
  /** The operation, for conversations the format: an upstream may serve a model in one and not in another. */
  readonly via: string
  /** The caller insists on this channel: circuits do not keep it away, but learn from it. */
  readonly pinned?: boolean
}

/** A circuit by its place within a channel. */
export interface Subject {
  readonly scope: Scope
  /** Unique among those of the channel. */
  readonly name: string
  /** '' for the channel; what administrators read. */
  readonly subject: string
  /** A client may have made it up. */
  readonly invented?: boolean
}

/** The circuits that the attempts of one relay go by. Made once: thousands of channels may be looked at. */
export class Subjects {
  private keyless: readonly Subject[] | undefined
  private keyed: { readonly key: string; readonly subjects: readonly Subject[] } | undefined

  /** Of all of them together. */
  readonly wantedName: string

  constructor(private readonly wanted: Wanted) {
    this.wantedName = `${wanted.model} (${wanted.via})`
  }

  /** `key`: digest of the one to be used, of several. */
  of(key: string | undefined): readonly Subject[] {
    if (key === undefined) {
      this.keyless ??= subjectsOf(this.wanted, undefined)
      return this.keyless
    }
    if (this.keyed?.key !== key) this.keyed = { key, subjects: subjectsOf(this.wanted, key) }
    return this.keyed.subjects
  }
}

function subjectsOf({ model, asked, via }: Wanted, key: string | undefined): Subject[] {
  const served = `${asked === undefined ? model : legibleName(model, asked)} (${via})`
  const limit = key === undefined ? model : `${key} ${model}`
  const subjects: Subject[] = [
    { scope: 'channel', name: 'channel', subject: '' },
    { scope: 'model', name: `model ${served}`, subject: served, invented: asked !== undefined },
    { scope: 'limit', name: `limit ${limit}`, subject: limit },
  ]
  if (key !== undefined) subjects.push({ scope: 'key', name: `key ${key}`, subject: key })
  return subjects
}

/** A name that clients may have made up is kept if administrators can read it, and any database; else what it looks like. */
function legibleName(model: string, asked: string): string {
  if (/^[\w.:-]{1,64}$/.test(asked)) return asked
  return `${model} ${createHash('sha256').update(asked).digest('hex').slice(0, 16)}`
}

/** Whose circuit a failure counts for. */
export function targetOf(evidence: Evidence, key: string | undefined): Scope {
  if (evidence === 'account') return key === undefined ? 'channel' : 'key'
  if (evidence === 'limited') return 'limit'
  return evidence === 'unreachable' ? 'channel' : 'model'
}

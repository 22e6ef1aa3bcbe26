import { createHash } from 'node:crypto'
import type { FailureSignal } from './classify-failure.ts'

/** The subject of a circuit: the whole channel, one of its keys, a model in one format, or the rate of a key and model. */
export type Scope = 'channel' | 'key' | 'model' | 'limit'

/** The target of a relay. */
export interface CircuitQuery {
  /** The routed name. */
  readonly model: string
  /** The requested name, if the routed one covers many: clients may have invented it. */
  readonly requestedModel?: string | undefined
  /** The operation, for conversations the format: an upstream may serve a model in only some formats. */
  readonly via: string
  /** The caller requires this channel: circuits do not block it, but record its outcomes. */
  readonly pinned?: boolean
}

/** A circuit by its identity within a channel. */
export interface Subject {
  readonly scope: Scope
  /** Unique within the channel. */
  readonly name: string
  /** '' for the channel; shown to administrators. */
  readonly subject: string
  /** Whether a client may have invented the name. */
  readonly invented?: boolean
}

/** The circuits that one relay's attempts use. Created once, since the relay may check thousands of channels. */
export class Subjects {
  private keyless: readonly Subject[] | undefined
  private keyed: { readonly key: string; readonly subjects: readonly Subject[] } | undefined

  constructor(private readonly query: CircuitQuery) {}

  /** All names together, without a key. */
  get wantedName(): string {
    return this.of(undefined)
      .map(({ name }) => name)
      .join('\n')
  }

  /** `key`: digest of the key to use, if there are several. */
  of(key: string | undefined): readonly Subject[] {
    if (key === undefined) {
      this.keyless ??= subjectsOf(this.query, undefined)
      return this.keyless
    }
    if (this.keyed?.key !== key) this.keyed = { key, subjects: subjectsOf(this.query, key) }
    return this.keyed.subjects
  }
}

function subjectsOf(query: CircuitQuery, key: string | undefined): Subject[] {
  const { model, requestedModel } = query
  const served = servedName(query)
  const limit = key === undefined ? model : `${key} ${model}`
  const subjects: Subject[] = [
    { scope: 'channel', name: 'channel', subject: '' },
    { scope: 'model', name: `model ${served}`, subject: served, invented: requestedModel !== undefined },
    { scope: 'limit', name: `limit ${limit}`, subject: limit },
  ]
  if (key !== undefined) subjects.push({ scope: 'key', name: `key ${key}`, subject: key })
  return subjects
}

function servedName({ model, requestedModel, via }: CircuitQuery): string {
  return `${requestedModel === undefined ? model : legibleName(model, requestedModel)} (${via})`
}

/** Returns a possibly invented name if it is readable and storable; otherwise a digest of it. */
function legibleName(model: string, requestedModel: string): string {
  if (/^[\w.:-]{1,64}$/.test(requestedModel)) return requestedModel
  return `${model} ${createHash('sha256').update(requestedModel).digest('hex').slice(0, 16)}`
}

/** Returns the scope of the circuit that counts a failure. */
export function targetOf(evidence: FailureSignal, key: string | undefined): Scope {
  if (evidence === 'account') return key === undefined ? 'channel' : 'key'
  if (evidence === 'limited') return 'limit'
  return evidence === 'unreachable' ? 'channel' : 'model'
}

import { createHash } from 'node:crypto'
import type { FailureSignal } from './classify-failure.ts'

/** Scope of a circuit: a channel, one of its keys, a model in one format, or the rate limit of a key and model. */
export type CircuitScope = 'channel' | 'key' | 'model' | 'limit'

/** The target of a relay, for which circuits are checked. */
export interface CircuitQuery {
  /** The routed model name. */
  readonly model: string
  /** The requested model name, if the routed name covers many models. Clients may have invented the requested name. */
  readonly requestedModel?: string | undefined
  /** The operation or, for conversations, the format: an upstream may support a model only in some formats. */
  readonly via: string
  /** Whether the client requires a certain channel. Circuits then record outcomes, but block nothing. */
  readonly pinned?: boolean
}

/** Identifies a circuit within a channel. */
export interface CircuitSubject {
  readonly scope: CircuitScope
  /** Unique within the channel. */
  readonly name: string
  /** Model, digest of a key, or both, shown to administrators; '' for the channel. */
  readonly subject: string
  /** Whether a client may have invented the name. */
  readonly invented?: boolean
}

/** The circuits of one relay's attempts. Computed once per relay, which may check thousands of channels. */
export class Subjects {
  private keyless: readonly CircuitSubject[] | undefined
  private keyed: { readonly key: string; readonly subjects: readonly CircuitSubject[] } | undefined

  constructor(private readonly query: CircuitQuery) {}

  /** The names of all circuits that do not depend on a key, as one cache key. */
  get circuitsKey(): string {
    return this.of(undefined)
      .map(({ name }) => name)
      .join('\n')
  }

  /** Returns the circuits of an attempt. `key` is the digest of the key to use, if the channel has a ring. */
  of(key: string | undefined): readonly CircuitSubject[] {
    if (key === undefined) {
      this.keyless ??= subjectsOf(this.query, undefined)
      return this.keyless
    }
    if (this.keyed?.key !== key) this.keyed = { key, subjects: subjectsOf(this.query, key) }
    return this.keyed.subjects
  }
}

function subjectsOf(query: CircuitQuery, key: string | undefined): CircuitSubject[] {
  const { model, requestedModel } = query
  const served = servedName(query)
  const limit = key === undefined ? model : `${key} ${model}`
  const subjects: CircuitSubject[] = [
    { scope: 'channel', name: 'channel', subject: '' },
    { scope: 'model', name: `model ${served}`, subject: served, invented: requestedModel !== undefined },
    { scope: 'limit', name: `limit ${limit}`, subject: limit },
  ]
  if (key !== undefined) subjects.push({ scope: 'key', name: `key ${key}`, subject: key })
  return subjects
}

function servedName({ model, requestedModel, via }: CircuitQuery): string {
  return `${requestedModel === undefined ? model : readableName(model, requestedModel)} (${via})`
}

/** Returns a possibly invented name if it is readable and storable; otherwise a digest of it. */
function readableName(model: string, requestedModel: string): string {
  if (/^[\w.:-]{1,64}$/.test(requestedModel)) return requestedModel
  return `${model} ${createHash('sha256').update(requestedModel).digest('hex').slice(0, 16)}`
}

/** Returns the scope of the circuit that counts a failure. */
export function targetOf(evidence: FailureSignal, key: string | undefined): CircuitScope {
  if (evidence === 'account') return key === undefined ? 'channel' : 'key'
  if (evidence === 'limited') return 'limit'
  return evidence === 'unreachable' ? 'channel' : 'model'
}

import type { ReasonName } from '../../messages/reasons.ts'
import type { NameTextId } from './kind-texts.ts'

/**
 * A channel kind that the documented API has, but whose vendor has ended the service. The management API lists existing
 * channels of the kind and rejects new ones. The relay never chooses them.
 */
export interface UnservedKind {
  readonly type: number
  readonly name: string
  readonly nameText?: NameTextId
  /** The vendor's address. Empty if there is no default. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Reason why the relay does not serve the kind. */
  readonly retired: ReasonName
}

export const UNSERVED_KINDS: readonly UnservedKind[] = [
  { type: 11, name: 'Google PaLM 2', baseUrl: '', models: ['PaLM-2'], retired: 'palmEnded' },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    nameText: 'channelName.aiProxyLibrary',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: 'libraryEnded',
  },
]

/** Type numbers without a kind in the documented API. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

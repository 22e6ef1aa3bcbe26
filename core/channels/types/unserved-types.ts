import type { ReasonName } from '../../messages/reasons.ts'
import type { NameTextId } from './kind-texts.ts'

/**
 * A type of the documented API whose service has ended. Existing channels of the type can be listed, but are never chosen. New
 * ones are rejected.
 */
export interface UnservedType {
  readonly type: number
  readonly name: string
  readonly nameText?: NameTextId
  /** The vendor's address; '' = no default. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Reason why the type is not served. */
  readonly retired: ReasonName
}

export const UNSERVED_TYPES: readonly UnservedType[] = [
  {
    type: 11,
    name: 'Google PaLM 2',
    baseUrl: '',
    models: ['PaLM-2'],
    retired: 'palmEnded',
  },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    nameText: 'channelName.aiProxyLibrary',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: 'libraryEnded',
  },
]

/** Numbers that the documented API skips. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

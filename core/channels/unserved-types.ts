/**
 * Kinds of upstream that the documented API numbers and nobody can relay any more. Their channels are kept, shown and
 * listed, and never chosen; new ones are refused.
 */
export interface UnservedType {
  readonly type: number
  readonly name: string
  /** Where the vendor serves it; '' = only the operator knows. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Why nobody can serve it any more. */
  readonly retired: string
}

export const UNSERVED_TYPES: readonly UnservedType[] = [
  {
    type: 11,
    name: 'Google PaLM 2',
    baseUrl: '',
    models: ['PaLM-2'],
    retired: 'Google has shut the PaLM API down; create a channel of type 24 (Google Gemini) instead',
  },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: 'its vendor has shut the library down',
  },
]

/** Numbers that the documented API skips: no upstream ever had them. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

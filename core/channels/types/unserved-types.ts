import type { Language } from '../../messages/language.ts'
/**
 * A type of the documented API whose service has ended. Existing channels of the type can be listed, but are never chosen. New
 * ones are rejected.
 */
export interface UnservedType {
  readonly type: number
  readonly name: string
  /** The vendor's address. Empty if there is no default. */
  readonly baseUrl: string
  /** The documented built-in models. */
  readonly models: readonly string[]
  /** Reason why the type is not served. */
  readonly retired: Readonly<Record<Language, string>>
}

export const UNSERVED_TYPES: readonly UnservedType[] = [
  {
    type: 11,
    name: 'Google PaLM 2',
    baseUrl: '',
    models: ['PaLM-2'],
    retired: {
      en: 'Google has shut the PaLM API down; create a channel of type 24 (Google Gemini) instead',
      zh: 'Google 已关闭 PaLM API，请改用类型 24（Google Gemini）',
    },
  },
  {
    type: 21,
    name: 'knowledge base: AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    models: [],
    retired: { en: 'its vendor has shut the library down', zh: '提供商已关闭该知识库' },
  },
]

/** Numbers that the documented API skips. */
export const UNASSIGNED_TYPES: ReadonlySet<number> = new Set([28, 29, 30, 32])

import { type ChannelType, findAnyType } from './types.ts'
import type { UnservedKind } from './unserved-types.ts'

/** Kinds with presets in the channel editor, in the order of BUILT_IN_MODELS, and the owner of their models. */
const PRESET_KINDS: readonly [type: number, owner: string][] = [
  [1, 'openai'],
  [14, 'claude'],
  [11, 'google palm'],
  [15, 'baidu'],
  [16, 'zhipu'],
  [17, 'ali'],
  [18, 'xunfei'],
  [23, 'tencent'],
  [24, 'google gemini'],
  [26, 'zhipu_4v'],
  [4, 'ollama'],
  [27, 'perplexity'],
  [33, 'aws'],
  [34, 'cohere'],
  [37, 'dify'],
  [38, 'jina'],
  [39, 'cloudflare'],
  [40, 'siliconflow'],
  [41, 'vertex-ai'],
  [42, 'mistral'],
  [43, 'deepseek'],
  [44, 'mokaai'],
  [45, 'volcengine'],
  [46, 'volcengine'],
]
/** Kinds without presets, listed after PRESET_KINDS. */
const OTHER_KINDS: readonly [type: number, owner: string][] = [
  [19, 'ai360'],
  [25, 'moonshot'],
  [31, 'lingyiwanwu'],
  [35, 'minimax'],
]
/** The Midjourney proxy with every documented action. Actions are listed and priced like models, but are no presets. */
const DRAWING_KIND = 5

/** Built-in model names by kind, for the channel editor. */
export const MODEL_PRESETS: Readonly<Record<string, string[]>> = Object.fromEntries(
  PRESET_KINDS.map(([type]) => [type, [...presetsOf(type)]]),
)

/** Every built-in model name with its owner, as the documented API lists them. Names of several kinds are repeated. */
export const BUILT_IN_MODELS: readonly { id: string; owner: string }[] = [
  ...[...PRESET_KINDS, ...OTHER_KINDS].flatMap(([type, owner]) => presetsOf(type).map((id) => ({ id, owner }))),
  ...presetsOf(DRAWING_KIND).map((id) => ({ id, owner: 'midjourney' })),
]

function presetsOf(number: number): readonly string[] {
  const type: ChannelType | UnservedKind | undefined = findAnyType(number)
  if (!type) throw new Error(`Kind ${number} has no row`)
  return ('presets' in type && type.presets) || type.models
}

import { type ChannelType, findAnyType } from './types.ts'
import type { UnservedType } from './unserved-types.ts'

/** The kinds with presets in the channel editor, and who the documented list says owns their models, in its order. */
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
/** Listed after them, but no presets. */
const OTHER_KINDS: readonly [type: number, owner: string][] = [
  [19, 'ai360'],
  [25, 'moonshot'],
  [31, 'lingyiwanwu'],
  [35, 'minimax'],
]
/** Drawing goes by actions, which are priced as models are. */
const DRAWING_ACTIONS = [
  'mj_imagine',
  'mj_describe',
  'mj_blend',
  'mj_upscale',
  'mj_variation',
  'mj_reroll',
  'mj_modal',
  'mj_inpaint',
  'mj_zoom',
  'mj_custom_zoom',
  'mj_shorten',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
  'swap_face',
  'mj_upload',
]

/** Built-in model names by kind, for the channel editor. */
export const MODEL_PRESETS: Readonly<Record<string, string[]>> = Object.fromEntries(
  PRESET_KINDS.map(([type]) => [type, [...presetsOf(type)]]),
)

/** Every built-in name with its owner, kind after kind: a name that several kinds have is there several times. */
export const LISTED_MODELS: readonly { id: string; owner: string }[] = [
  ...[...PRESET_KINDS, ...OTHER_KINDS].flatMap(([type, owner]) => presetsOf(type).map((id) => ({ id, owner }))),
  ...DRAWING_ACTIONS.map((id) => ({ id, owner: 'midjourney' })),
]

function presetsOf(number: number): readonly string[] {
  const type: ChannelType | UnservedType | undefined = findAnyType(number)
  if (!type) throw new Error(`Kind ${number} has no row`)
  return ('presets' in type && type.presets) || type.models
}

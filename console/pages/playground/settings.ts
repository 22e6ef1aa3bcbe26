/** The reasoning efforts that can be requested. Empty: the model's default. */
export const EFFORTS = ['', 'minimal', 'low', 'medium', 'high'] as const
export type EffortChoice = (typeof EFFORTS)[number]

export interface PlaygroundSettings {
  model: string
  /** At most three more models, which get the same messages in parallel with `model`. */
  others: readonly string[]
  /** Empty for the user's group. */
  group: string
  /** If `null`, the request has no temperature, so the model's default applies. */
  temperature: number | null
  /** If `null`, the request has no `top_p`. */
  topP: number | null
  /** 0 for no limit. */
  maxTokens: number
  effort: EffortChoice
  /** Whether the model must reply in JSON. */
  json: boolean
  /** A JSON array of tools in OpenAI's chat format; empty for no tools. */
  tools: string
  systemPrompt: string
}

export const DEFAULT_SETTINGS: PlaygroundSettings = {
  model: 'gpt-4o-mini',
  others: [],
  group: '',
  temperature: 0,
  topP: null,
  maxTokens: 0,
  effort: '',
  json: false,
  tools: '',
  systemPrompt: '',
}

export const TEMPERATURE = { min: 0.1, max: 1, step: 0.1 } as const
export const TOP_P = { min: 0, max: 1, step: 0.05 } as const
/** Maximum number of additional models. */
export const OTHERS_MAX = 3

/** Parses the tools. Empty text gives an empty list. Returns undefined if the text is not a JSON array of objects. */
export function parseTools(text: string): object[] | undefined {
  if (text.trim() === '') return []
  try {
    const tools: unknown = JSON.parse(text)
    if (!Array.isArray(tools)) return undefined
    return tools.every((tool) => typeof tool === 'object' && tool !== null) ? tools : undefined
  } catch {
    return undefined
  }
}

/** The requested reasoning effort; empty uses the model's default. */
export const EFFORTS = ['', 'minimal', 'low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]

export interface PlaygroundSettings {
  model: string
  /** Models that get the same messages in parallel with `model`: at most three. */
  others: readonly string[]
  /** Empty for the user's group. */
  group: string
  /** `null` is unset: the parameter is not sent, and the model's default applies. */
  temperature: number | null
  topP: number | null
  /** 0 for no limit. */
  maxTokens: number
  effort: Effort
  /** The model must reply in JSON. */
  json: boolean
  /** A JSON array in OpenAI's chat format; empty for none. */
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

export const TEMPERATURE = { min: 0, max: 2, step: 0.1 } as const
export const TOP_P = { min: 0, max: 1, step: 0.05 } as const
/** Upper limit of additional models. */
export const OTHERS_MAX = 3

/** Parses the tools; `undefined` if the text is not a list of tools. Empty text is an empty list. */
export function toolsOf(text: string): object[] | undefined {
  if (text.trim() === '') return []
  try {
    const tools: unknown = JSON.parse(text)
    if (!Array.isArray(tools)) return undefined
    return tools.every((tool) => typeof tool === 'object' && tool !== null) ? tools : undefined
  } catch {
    return undefined
  }
}

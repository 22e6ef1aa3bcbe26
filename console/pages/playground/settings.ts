export interface PlaygroundSettings {
  model: string
  /** Empty: the user's own. */
  group: string
  /** 0 is the model's own choice; the panel sets 0.1 to 1. */
  temperature: number
  /** 0 is no limit. */
  maxTokens: number
  systemPrompt: string
}

export const DEFAULT_SETTINGS: PlaygroundSettings = {
  model: 'gpt-4o-mini',
  group: '',
  temperature: 0,
  maxTokens: 0,
  systemPrompt: '',
}

export const TEMPERATURE = { min: 0.1, max: 1, step: 0.1 } as const

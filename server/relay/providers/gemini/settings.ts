/** What an operator may set for all channels of Gemini and Vertex AI. */
export interface GeminiSettings {
  /** Threshold of every safety category, `GEMINI_SAFETY_SETTING`; undefined = nothing is blocked. */
  readonly safety: string | undefined
  /** Images in one request, `GEMINI_VISION_MAX_IMAGE_NUM`; 0 or less = as many as the upstream takes. */
  readonly imagesMax: number
  /** API version by model, where it is not the channel's: `GEMINI_MODEL_MAP`. */
  readonly versions: Readonly<Record<string, string>>
}

export const GEMINI_SETTINGS: GeminiSettings = {
  safety: undefined,
  imagesMax: 16,
  versions: { 'gemini-1.0-pro': 'v1' },
}

/** `GEMINI_MODEL_MAP` as operators write it: `model:version`, separated by commas. What is no pair is left out. */
export function parseModelMap(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(':').map((part) => part.trim()))
  return Object.fromEntries(pairs.flatMap(([model, version]) => (model && version ? [[model, version]] : [])))
}

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

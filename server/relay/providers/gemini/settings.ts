/** Settings for all Gemini and Vertex AI channels. */
export interface GeminiSettings {
  /** Threshold of all safety categories, from `GEMINI_SAFETY_SETTING`. If undefined, Gemini blocks nothing. */
  readonly safety: string | undefined
  /** Maximum number of images per request, from `GEMINI_VISION_MAX_IMAGE_NUM`. 0 or less means no limit. */
  readonly imagesMax: number
  /** API versions by model, from `GEMINI_MODEL_MAP`. They take precedence over the channel's version. */
  readonly versions: Readonly<Record<string, string>>
}

export const GEMINI_SETTINGS: GeminiSettings = {
  safety: undefined,
  imagesMax: 16,
  versions: { 'gemini-1.0-pro': 'v1' },
}

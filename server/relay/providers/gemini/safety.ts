import type { Json } from '../../json.ts'
import { generationOf } from './models.ts'
import type { GeminiSettings } from './settings.ts'

const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
] as const
const CIVIC = 'HARM_CATEGORY_CIVIC_INTEGRITY'

/** Returns thresholds for all categories. The default is `OFF`, or `BLOCK_NONE` for old models and civic integrity. */
export function safetySettings(model: string, { safety }: Pick<GeminiSettings, 'safety'>): Json[] {
  const threshold = safety ?? (generationOf(model) >= 2 ? 'OFF' : 'BLOCK_NONE')
  return [
    ...CATEGORIES.map((category) => ({ category, threshold })),
    { category: CIVIC, threshold: threshold === 'OFF' ? 'BLOCK_NONE' : threshold },
  ]
}

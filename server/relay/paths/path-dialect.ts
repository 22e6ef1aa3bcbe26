import type { DialectName } from '../../../core/channels/operations.ts'

/** Whose paths they are, whether or not we serve them; the first that fits counts. */
const OWNERS: readonly (readonly [under: string, dialect: DialectName])[] = [
  ['/v1beta/openai', 'openai-chat'],
  ['/v1beta', 'gemini'],
  ['/v1alpha', 'gemini'],
  ['/v1/messages', 'anthropic-messages'],
]

/** In whose words somebody who asks for this path reads errors; undefined where no vendor has it to itself. */
export function dialectOfPath(path: string): DialectName | undefined {
  return OWNERS.find(([under]) => path === under || path.startsWith(`${under}/`))?.[1]
}

import type { LiveChannel } from '../../../core/channels/directory.ts'
import { candidatesOf } from '../../../core/channels/routing.ts'
import type { Admitted } from '../admission/admission.ts'
import { field } from '../dialects/gemini/fields.ts'
import { isObject, objectOf, textOf } from '../json.ts'
import { claudeModel } from '../providers/anthropic/models.ts'
import { THINKING_TOKENS_MIN } from '../providers/anthropic/thinking.ts'
import { wireDialect } from '../providers/openai/converse.ts'
import { OUTPUT_TOKENS_MIN } from '../providers/openai/responses-body.ts'
import { mappedModel } from '../routing/attempts.ts'

/** Families in whose formats Claude is asked. */
const CLAUDE_FAMILIES = new Set<string | undefined>(['anthropic', 'bedrock', 'vertex'])

/** The highest of all floors: a limit from here on is sent unchanged. */
export const OUTPUT_FLOOR_MAX = Math.max(THINKING_TOKENS_MIN, OUTPUT_TOKENS_MIN)

type Asked = Pick<Admitted, 'channels' | 'model' | 'body' | 'entry'>

/**
 * Returns the smallest limit of output that upstreams are told for a conversation: where a smaller one would be rejected, the provider
 * raises it, and the hold must cover the raised one.
 */
export function outputFloor({ channels, model, body, entry: { dialect } }: Asked): number {
  const floorAt = (channel: LiveChannel): number => {
    const { family } = channel.type
    const isOther = family !== 'openai'
    const wire = isOther ? undefined : wireDialect(dialect, channel)
    if (wire === 'openai-responses' && dialect !== wire) return OUTPUT_TOKENS_MIN
    if (!CLAUDE_FAMILIES.has(family) && wire !== 'anthropic-messages') return 0
    const claude = claudeModel(mappedModel(model, channel.modelMapping))
    const thinks = claude.thinkingSuffix || (dialect !== 'anthropic-messages' && asksForThought(body))
    return claude.thinking === 'budget' && thinks ? THINKING_TOKENS_MIN : 0
  }
  return Math.max(0, ...candidatesOf(channels).map(floorAt))
}

/** Whether the request asks for reasoning in the words of any dialect. */
function asksForThought(body: Asked['body']): boolean {
  const config = objectOf(field(body, 'generationConfig'))
  return Boolean(textOf(body.reasoning_effort)) || isObject(body.reasoning) || isObject(field(config, 'thinkingConfig'))
}

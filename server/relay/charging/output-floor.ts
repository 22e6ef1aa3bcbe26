import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import type { Body } from '../dialects/dialect.ts'
import { field } from '../dialects/gemini/fields.ts'
import { textOf } from '../json.ts'
import { claudeModel } from '../providers/anthropic/models.ts'
import { THINKING_TOKENS_MIN } from '../providers/anthropic/thinking.ts'
import { wireDialect } from '../providers/openai/converse.ts'
import { OUTPUT_TOKENS_MIN } from '../providers/openai/responses-body.ts'
import { mappedModel } from '../routing/attempts.ts'

/** Families whose upstreams serve Claude in Anthropic's format. */
const CLAUDE_FAMILIES = new Set<string | undefined>(['anthropic', 'bedrock', 'vertex'])

/** The highest of all floors. An output limit of at least this number is never raised. */
export const OUTPUT_FLOOR_MAX = Math.max(THINKING_TOKENS_MIN, OUTPUT_TOKENS_MIN)

/** The highest minimum among a pool's channels, for requests without reasoning (`plain`) and with reasoning. */
export interface OutputFloors {
  readonly plain: number
  readonly reasoning: number
}

/**
 * Returns the minimum output limits that upstreams accept for a conversation. The provider raises a smaller limit to
 * the minimum, and the hold must cover the raised limit.
 */
export function outputFloors(
  channels: readonly LiveChannel[],
  { model, dialect }: { model: string; dialect: DialectName },
): OutputFloors {
  const floorAt = (channel: LiveChannel, asksReasoning: boolean): number => {
    const { family } = channel.type
    const isOtherFamily = family !== 'openai'
    const upstreamDialect = isOtherFamily ? undefined : wireDialect(dialect, channel)
    if (upstreamDialect === 'openai-responses' && dialect !== upstreamDialect) return OUTPUT_TOKENS_MIN
    if (!CLAUDE_FAMILIES.has(family) && upstreamDialect !== 'anthropic-messages') return 0
    const claude = claudeModel(mappedModel(model, channel.modelMapping))
    const isThinking = claude.hasThinkingSuffix || (dialect !== 'anthropic-messages' && asksReasoning)
    return claude.thinking === 'budget' && isThinking ? THINKING_TOKENS_MIN : 0
  }
  const highest = (asksReasoning: boolean) => Math.max(0, ...channels.map((channel) => floorAt(channel, asksReasoning)))
  return { plain: highest(false), reasoning: highest(true) }
}

/** Returns the minimum output limit of one request. */
export function outputFloor({ plain, reasoning }: OutputFloors, body: Body): number {
  return reasoning > plain && requestsReasoning(body) ? reasoning : plain
}

/** Whether a request asks for reasoning. Ignores Anthropic's `thinking`, which changes no floor of its format. */
function requestsReasoning(body: Body): boolean {
  const config = recordOf(field(body, 'generationConfig'))
  return Boolean(textOf(body.reasoning_effort)) || isRecord(body.reasoning) || isRecord(field(config, 'thinkingConfig'))
}

import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Body } from '../dialects/dialect.ts'
import { field } from '../dialects/gemini/fields.ts'
import { isObject, objectOf, textOf } from '../json.ts'
import { claudeModel } from '../providers/anthropic/models.ts'
import { THINKING_TOKENS_MIN } from '../providers/anthropic/thinking.ts'
import { wireDialect } from '../providers/openai/converse.ts'
import { OUTPUT_TOKENS_MIN } from '../providers/openai/responses-body.ts'
import { mappedModel } from '../routing/attempts.ts'

/** Families whose formats serve Claude. */
const CLAUDE_FAMILIES = new Set<string | undefined>(['anthropic', 'bedrock', 'vertex'])

/** The highest of all floors: limits from here on are sent unchanged. */
export const OUTPUT_FLOOR_MAX = Math.max(THINKING_TOKENS_MIN, OUTPUT_TOKENS_MIN)

/** The minimum output limits of a pool's channels, with and without reasoning. */
export interface OutputFloors {
  readonly plain: number
  readonly reasoning: number
}

/**
 * Returns the minimum output limits that upstreams accept for a conversation: the provider raises smaller ones, and the hold
 * must cover the raised limit.
 */
export function outputFloors(
  channels: readonly LiveChannel[],
  { model, dialect }: { model: string; dialect: DialectName },
): OutputFloors {
  const floorAt = (channel: LiveChannel, asks: boolean): number => {
    const { family } = channel.type
    const isOther = family !== 'openai'
    const wire = isOther ? undefined : wireDialect(dialect, channel)
    if (wire === 'openai-responses' && dialect !== wire) return OUTPUT_TOKENS_MIN
    if (!CLAUDE_FAMILIES.has(family) && wire !== 'anthropic-messages') return 0
    const claude = claudeModel(mappedModel(model, channel.modelMapping))
    const thinks = claude.thinkingSuffix || (dialect !== 'anthropic-messages' && asks)
    return claude.thinking === 'budget' && thinks ? THINKING_TOKENS_MIN : 0
  }
  const highest = (asks: boolean) => Math.max(0, ...channels.map((channel) => floorAt(channel, asks)))
  return { plain: highest(false), reasoning: highest(true) }
}

/** Returns the minimum output limit of one request. */
export function outputFloor({ plain, reasoning }: OutputFloors, body: Body): number {
  return reasoning > plain && asksForThought(body) ? reasoning : plain
}

/** Whether the request asks for reasoning, in any dialect. */
function asksForThought(body: Body): boolean {
  const config = objectOf(field(body, 'generationConfig'))
  return Boolean(textOf(body.reasoning_effort)) || isObject(body.reasoning) || isObject(field(config, 'thinkingConfig'))
}

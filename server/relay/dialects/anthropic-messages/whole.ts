import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply } from '../../conversation/collect.ts'
import { argumentsOf } from '../../conversation/turns.ts'
import { textOf } from '../../json.ts'
import type { ReplyContext } from '../dialect.ts'
import { imageLink, messageId, redactedBlock, textBlock, thinkingBlock, toolUseBlock } from './blocks.ts'
import { stopFields } from './stop-reason.ts'
import { messageUsage } from './usage.ts'

/** Converts the first choice of a reply to a message. https://platform.claude.com/docs/en/api/messages */
export function wholeMessage(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const choice = reply.choices[0]
  const imageLinks = choice?.images.map(imageLink).join('') ?? ''
  const transcript = textOf(choice?.audio?.transcript) ?? ''
  const visibleText = (choice?.text ?? '') + (choice?.refusal ?? '') + transcript + imageLinks
  const calls = choice?.calls.filter((call) => call !== undefined) ?? []
  const thoughts = (choice?.reasoning ?? []).map(({ text, signature, redacted }) =>
    redacted === undefined ? thinkingBlock(text, signature) : redactedBlock(redacted),
  )
  const text = textBlock(visibleText, choice?.citations)
  const toolUses = calls.map((call) => toolUseBlock(call, argumentsOf(call) ?? {}))
  const isEmpty = thoughts.length + toolUses.length === 0
  return {
    id: messageId(reply.id, context.requestId),
    type: 'message',
    role: 'assistant',
    model: context.model,
    container: null,
    diagnostics: null,
    content: [...thoughts, ...(visibleText !== '' || isEmpty ? [text] : []), ...toolUses],
    ...stopFields(
      { stop: choice?.stop, sequence: choice?.sequence },
      { calls: calls.length, refused: Boolean(choice?.refusal), body: context.body },
    ),
    usage: messageUsage(usage),
  }
}

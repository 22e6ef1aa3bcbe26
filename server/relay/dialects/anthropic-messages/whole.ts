import type { Usage } from '../../../../core/pricing/prices.ts'
import { plainCallId } from '../../conversation/call-ids.ts'
import type { Reply } from '../../conversation/collect.ts'
import { argumentsOf } from '../../conversation/turns.ts'
import { textOf } from '../../json.ts'
import type { ReplyContext } from '../dialect.ts'
import { citationOf, imageLink, messageId, redactedBlock, thinkingBlock } from './blocks.ts'
import { stopFields } from './stop-reason.ts'
import { usageToMessages } from './usage.ts'

/** A translated reply as one message; of several choices the first. https://platform.claude.com/docs/en/api/messages */
export function wholeMessage(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const choice = reply.choices[0]
  const shown = choice?.images.map(imageLink).join('') ?? ''
  const spoken = textOf(choice?.audio?.transcript) ?? ''
  const said = (choice?.text ?? '') + (choice?.refusal ?? '') + spoken + shown
  const calls = choice?.calls.filter((call) => call !== undefined) ?? []
  const thoughts = (choice?.reasoning ?? []).map(({ text, signature, redacted }) =>
    redacted === undefined ? thinkingBlock(text, signature) : redactedBlock(redacted),
  )
  const citations = choice?.citations.map(citationOf) ?? []
  const text = { type: 'text', text: said, ...(citations.length > 0 && { citations }) }
  const toolUses = calls.map((call) => ({
    type: 'tool_use',
    id: plainCallId(call.id),
    name: call.name,
    input: argumentsOf(call) ?? {},
  }))
  const isEmpty = thoughts.length + toolUses.length === 0
  return {
    id: messageId(reply.id, context.requestId),
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [...thoughts, ...(said !== '' || isEmpty ? [text] : []), ...toolUses],
    ...stopFields(
      { stop: choice?.stop, sequence: choice?.sequence },
      { calls: calls.length, refused: Boolean(choice?.refusal), body: context.body },
    ),
    usage: usageToMessages(usage),
  }
}

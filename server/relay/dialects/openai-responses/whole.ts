import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply, ReplyChoice } from '../../conversation/collect.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { ReplyContext } from '../dialect.ts'
import { newId } from './items.ts'
import { createOutput } from './output.ts'
import { INCOMPLETE_REASONS, responseObject } from './response.ts'
import { toolNames } from './tool-names.ts'

/** Returns a whole response: https://platform.openai.com/docs/api-reference/responses/object */
export function wholeResponse(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const [choice] = reply.choices
  const output = createOutput(toolNames(context.body.tools))
  for (const event of choice ? eventsOf(choice) : []) output.add(event)
  const reason = choice?.stop && INCOMPLETE_REASONS[choice.stop]
  const status = reason ? 'incomplete' : 'completed'
  output.close(status)
  const response = responseObject(context, { id: newId('resp'), status, output: output.wire(), usage, reason })
  context.store?.(response)
  return response
}

function eventsOf({ reasoning, text, refusal, citations, logprobs, images, audio, calls }: ReplyChoice): ReplyEvent[] {
  const reasoningEvents = reasoning.flatMap((part): ReplyEvent[] => [
    { kind: 'reasoning', text: part.text },
    ...(part.signature === undefined ? [] : [{ kind: 'signature' as const, signature: part.signature }]),
    ...(part.redacted === undefined ? [] : [{ kind: 'redacted' as const, data: part.redacted }]),
  ])
  const callEvents = calls.flatMap(({ kind, arguments: args, ...call }, index): ReplyEvent[] => [
    { kind, call: index, ...call },
    { kind: 'arguments', call: index, text: args },
  ])
  return [
    ...reasoningEvents,
    { kind: 'text', text },
    ...(audio ? [{ kind: 'audio' as const, audio }] : []),
    ...citations.map((citation): ReplyEvent => ({ kind: 'citation', citation })),
    { kind: 'logprobs', logprobs },
    { kind: 'refusal', text: refusal },
    ...images.map((image): ReplyEvent => ({ kind: 'image', ...image })),
    ...callEvents,
  ]
}

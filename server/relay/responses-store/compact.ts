import type { FastifyRequest } from 'fastify'
import { encodeSignatures, newItemId } from '../conversation/envelope.ts'
import { refuse } from '../dialects/refuse.ts'
import type { InnerCalls, InnerReply } from '../inner-calls.ts'
import { type Json, objectsOf, textOf, wordOf } from '../json.ts'
import { itemsOfInput } from './replay.ts'

const INSTRUCTIONS = `Summarize the conversation so far for a model that will continue it without seeing it. State what the user wants,
what was decided and why, what was done, which tool results still matter, the names, paths, numbers and code that are needed
verbatim, and what remains to be done. Write only facts, and do not answer the user.`
const SUMMARY_PROMPT = 'Write the summary now.'

/**
 * Compacts a conversation by letting the model summarize it, which works with any upstream. If the relay for the
 * summary fails, returns that relay's reply. Throws REQUEST_MALFORMED.
 * https://platform.openai.com/docs/api-reference/responses/compact
 */
export async function compact(request: FastifyRequest, body: Json, calls: InnerCalls): Promise<InnerReply> {
  const { model, input, instructions, previous_response_id, service_tier, prompt_cache_key } = body
  const items = itemsOfInput(input)
  if (items.length === 0 && textOf(previous_response_id) === undefined) refuse('field input is required', 'input')
  const clientInstructions = textOf(instructions)
  const summaryRequest = {
    model,
    instructions:
      clientInstructions === undefined
        ? INSTRUCTIONS
        : `${INSTRUCTIONS}\n\nThe conversation has these instructions:\n${clientInstructions}`,
    input: [...items.flatMap(asText), { role: 'user', content: SUMMARY_PROMPT }],
    store: false,
    ...(previous_response_id !== undefined && { previous_response_id }),
    ...(service_tier !== undefined && { service_tier }),
    ...(prompt_cache_key !== undefined && { prompt_cache_key }),
  }
  const innerReply = await calls.begin(request, summaryRequest).reply
  const { status, headers, body: reply } = innerReply
  if (status !== 200) return innerReply
  const summary = textsOf(reply.output)
  if (summary === '') refuse('the model wrote no summary: try again, or use another model')
  const compaction = { id: newItemId('cmp'), type: 'compaction', encrypted_content: encodeSignatures({ summary }) }
  return {
    status,
    headers,
    body: {
      id: newItemId('resp'),
      object: 'response.compaction',
      created_at: reply.created_at,
      output: [...items.filter(isOfUser).map(asMessage), compaction],
      usage: reply.usage,
    },
  }
}

/** Converts calls and results to text, because some upstreams reject calls of tools that are not defined. */
function asText(item: Json): Json[] {
  const type = textOf(item.type) ?? 'message'
  if (type === 'message' || type === 'item_reference' || type === 'compaction') return [item]
  if (type.endsWith('_call')) {
    const callInput = textOf(item.arguments) ?? textOf(item.input) ?? JSON.stringify(item.action ?? {})
    return [{ role: 'assistant', content: `[Called ${textOf(item.name) ?? type}: ${callInput}]` }]
  }
  if (type.endsWith('_output')) {
    const output = textOf(item.output) ?? JSON.stringify(item.output ?? '')
    return [{ role: 'user', content: `[Result of the call: ${output}]` }]
  }
  return []
}

const isOfUser = (item: Json): boolean => item.role === 'user'

function asMessage(item: Json): Json {
  const { content } = item
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  return { ...item, id: textOf(item.id) ?? newItemId('msg'), type: 'message', status: 'completed', content: parts }
}

function textsOf(output: unknown): string {
  return objectsOf(output)
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => objectsOf(content).map(({ text }) => wordOf(text)))
    .join('\n')
    .trim()
}

import { isRecord, recordOf } from '../../../../core/records.ts'
import { type PromptContents, promptOfChat } from '../../counting/prompt.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { checkStream, checkWholeNumbers, refuse } from '../refuse.ts'

/**
 * Throws REQUEST_MALFORMED, which names the field, for an invalid request. Rejects `background`, because the gateway
 * could not charge a response that ends after this exchange. A request that continues a stored response needs no input.
 */
export function checkResponses(body: Body): void {
  if (body.background) refuse('background is not supported: send the request without it')
  const { input } = body
  const isMissing =
    input === undefined || input === null || input === '' || (Array.isArray(input) && input.length === 0)
  if (isMissing && !body.previous_response_id && !body.conversation && !body.prompt)
    refuse('field input is required', 'input')
  if (!isMissing && typeof input !== 'string' && !Array.isArray(input))
    refuse('input must be a text or an array of items')
  checkWholeNumbers(body, ['max_output_tokens'])
  checkStream(body)
}

/** Returns what determines the prompt's price: instructions, items, tools and reply format. */
export function promptOfResponses(body: Body): PromptContents {
  const items = typeof body.input === 'string' ? [{ content: body.input }] : objectsOf(body.input)
  const instructions = textOf(body.instructions)
  return promptOfChat({
    messages: [...(instructions ? [{ content: instructions }] : []), ...items.map(asMessage)],
    tools: Array.isArray(body.tools) && body.tools.length ? body.tools : undefined,
    response_format: recordOf(body.text).format,
  })
}

/** Converts an item to a chat message. Used only to count tokens. */
function asMessage(item: Json): Json {
  if (item.type === 'reasoning') return { content: item.summary }
  const content = item.content ?? item.output
  const call = item.name === undefined ? {} : { tool_calls: [item.name, item.arguments ?? item.input] }
  return { content: Array.isArray(content) ? content.map(asPart) : content, ...call }
}

function asPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  if (part.type === 'input_image' || part.type === 'computer_screenshot') {
    const url = isRecord(part.image_url) ? part.image_url.url : part.image_url
    return { type: 'image_url', image_url: { ...part, url } }
  }
  return part.type === 'input_file' ? { ...part, type: 'file' } : part
}

/** Implements `Dialect.withSystemPrompt`. */
export function withInstructions(body: Body, prompt: string, { before }: { before: boolean }): Record<string, unknown> {
  const existing = textOf(body.instructions)
  const hasPrompt =
    existing !== undefined || objectsOf(body.input).some(({ role }) => role === 'system' || role === 'developer')
  if (hasPrompt && !before) return body as Record<string, unknown>
  return { ...body, instructions: existing === undefined ? prompt : `${prompt}\n\n${existing}` }
}

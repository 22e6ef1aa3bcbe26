import { plainCallId } from '../../conversation/call-ids.ts'
import type { Part, ReasoningPart, ResultPart, Turn } from '../../conversation/conversation.ts'
import { argumentsObject, pairResults } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { fileBlock, type ImageForm, imageBlock } from './media-blocks.ts'

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Json[]
}

/** Text of a user message without content, because the API rejects empty content. */
const EMPTY_USER_TEXT = '(empty)'
/** Text of the user message that is inserted if the first message is the assistant's. */
const FIRST_USER_TEXT = '...'

/**
 * Converts the turns after the leading instructions. In the messages, the first is the user's, no text is empty, and
 * the result of each call is in the message after the call. Drops reasoning that Claude did not sign.
 * https://platform.claude.com/docs/en/api/messages
 */
export function messagesOf(turns: readonly Turn[], images: ImageForm): AnthropicMessage[] {
  const visibleTurns = turns
    .map((turn) => ({
      ...turn,
      parts: turn.parts.filter((part) => part.kind !== 'reasoning' || isClaudeThought(part)),
    }))
    .map(instructionAsUser)
    .filter((turn) => turn.role === 'user' || !isBlank(turn.parts))
  const messages = pairResults(visibleTurns).map((turn) => messageOf(turn, images))
  const last = messages.at(-1)
  if (last?.role === 'assistant') trimPrefill(last.content)
  if (last?.content.length === 0) messages.pop()
  return messages[0]?.role === 'user'
    ? messages
    : [{ role: 'user', content: [{ type: 'text', text: FIRST_USER_TEXT }] }, ...messages]
}

/** Whether all assistant messages with calls begin with a thinking block. Otherwise, thinking must be disabled. */
export function allCallsHaveThinking(messages: unknown): boolean {
  return objectsOf(messages).every(({ role, content }) => {
    const blocks = objectsOf(content)
    const isThought = blocks[0]?.type === 'thinking' || blocks[0]?.type === 'redacted_thinking'
    return role !== 'assistant' || isThought || !blocks.some(({ type }) => type === 'tool_use')
  })
}

/** Matches signatures of other vendors: OpenAI's encrypted reasoning, and Gemini's placeholder. */
const FOREIGN_SIGNATURE = /^(gAAAA|skip_thought_signature_validator$)/

/** Whether Claude signed the reasoning. */
export function isClaudeThought({ signature, redacted }: ReasoningPart): boolean {
  const signatureOrData = signature || redacted
  return signatureOrData !== undefined && signatureOrData !== '' && !FOREIGN_SIGNATURE.test(signatureOrData)
}

function isBlank(parts: readonly Part[]): boolean {
  return parts.every((part) => (part.kind === 'text' || part.kind === 'refusal') && part.text.trim() === '')
}

/** Converts instructions inside a conversation to user text between `<system>` tags. */
function instructionAsUser(turn: Turn): Turn {
  if (turn.role !== 'system') return turn
  const parts = turn.parts.map((part) =>
    part.kind === 'text' && part.text.trim() ? { ...part, text: `<system>\n${part.text}\n</system>` } : part,
  )
  return { ...turn, role: 'user', parts }
}

function messageOf({ role, parts }: Turn, images: ImageForm): AnthropicMessage {
  const content = withoutEmptyTexts(parts.flatMap((part) => blocksOf(part, images)))
  if (role === 'assistant') return { role, content }
  return { role: 'user', content: content.length ? content : [{ type: 'text', text: EMPTY_USER_TEXT }] }
}

/** Removes empty texts, which the API rejects. If no text has visible characters, also removes white space. */
function withoutEmptyTexts(blocks: readonly Json[]): Json[] {
  const isVisible = ({ text }: Json) => typeof text === 'string' && text.trim() !== ''
  const hasVisibleText = blocks.some(isVisible)
  return blocks.filter((block) => block.type !== 'text' || (hasVisibleText ? block.text !== '' : isVisible(block)))
}

function blocksOf(part: Part, images: ImageForm): Json[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...(part.cache && { cache_control: part.cache }) }]
    case 'refusal':
      return [{ type: 'text', text: part.text }]
    case 'image':
      return [imageBlock(part, images)]
    case 'file':
      return [fileBlock(part, images)]
    case 'reasoning':
      return [thoughtBlock(part)]
    case 'call':
      return [
        {
          type: 'tool_use',
          id: plainCallId(part.id),
          name: part.name,
          input: argumentsObject(part),
          ...(part.cache && { cache_control: part.cache }),
        },
      ]
    case 'result':
      return [resultBlock(part, images)]
    case 'audio':
      return refuse('messages: Claude does not accept audio. Send a transcript')
    case 'other':
      return refuse(`messages: Claude does not read parts of type ${wordOf(part.part.type)}. Leave them out`)
  }
}

function thoughtBlock({ text, signature, redacted }: ReasoningPart): Json {
  return redacted ? { type: 'redacted_thinking', data: redacted } : { type: 'thinking', thinking: text, signature }
}

function resultBlock({ callId, parts, isError, cache }: ResultPart, images: ImageForm): Json {
  const blocks = parts.flatMap((part) => blocksOf(part, images)).filter((block) => block.type !== 'text' || block.text)
  const onlyText =
    blocks.length === 1 && blocks[0]?.type === 'text' && !blocks[0].cache_control ? blocks[0].text : undefined
  return {
    type: 'tool_result',
    tool_use_id: plainCallId(callId),
    content: blocks.length === 0 ? '' : (onlyText ?? blocks),
    ...(isError && { is_error: true }),
    ...(cache && { cache_control: cache }),
  }
}

/** Removes white space at the end of the reply that the client began, because the API rejects it. */
function trimPrefill(content: Json[]): void {
  const last = content.at(-1)
  if (last?.type !== 'text') return
  const text = wordOf(last.text).trimEnd()
  if (text) content[content.length - 1] = { ...last, text }
  else content.pop()
}

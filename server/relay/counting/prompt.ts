import { arrayOf, isObject } from '../json.ts'

/** A prompt as far as its price goes: text to be counted, and tokens that no text stands for. */
export interface PromptSize {
  texts: string[]
  /** Message overhead, images, audio and token arrays. */
  otherTokens: number
}

const TOKENS_PER_MESSAGE = 4
const REPLY_PRIMING = 3
const IMAGE_TOKENS = 1105
const IMAGE_TOKENS_LOW = 85
const AUDIO_TOKENS = 100
const TOOLS_TOKENS = 8
/** On the safe side: a hold should not be smaller than the charge. Prose has some 4.5, code about 3. */
const ASCII_PER_TOKEN = 3
const WIDE_PER_TOKEN = 1

/**
 * A cheap estimate, in tokens, rather above than below what a tokenizer counts.
 * It takes two native passes over the text, so that a prompt of megabytes costs microseconds.
 */
export function estimateTokens(text: string): number {
  // In UTF-8 a character beyond ASCII takes one to three bytes more than its UTF-16 length; most take two.
  const wide = Math.ceil((Buffer.byteLength(text) - text.length) / 2)
  return Math.ceil((text.length - wide) / ASCII_PER_TOKEN + wide / WIDE_PER_TOKEN)
}

export function estimatePrompt({ texts, otherTokens }: PromptSize): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), otherTokens)
}

/** Messages, parts and tools of a chat completion request. */
export function promptOfChat(body: Readonly<Record<string, unknown>>): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: REPLY_PRIMING }
  for (const message of arrayOf(body.messages)) {
    if (!isObject(message)) continue
    size.otherTokens += TOKENS_PER_MESSAGE
    addContent(size, message.content)
    if (typeof message.name === 'string') size.texts.push(message.name)
    if (message.tool_calls) size.texts.push(JSON.stringify(message.tool_calls))
  }
  for (const tools of [body.tools, body.functions, body.response_format]) {
    if (tools === undefined || tools === null) continue
    size.otherTokens += TOOLS_TOKENS
    size.texts.push(JSON.stringify(tools))
  }
  return size
}

function addContent(size: PromptSize, content: unknown): void {
  if (typeof content === 'string') size.texts.push(content)
  for (const part of Array.isArray(content) ? content : []) {
    if (!isObject(part)) continue
    if (typeof part.text === 'string') size.texts.push(part.text)
    else if (part.type === 'image_url') {
      const low = isObject(part.image_url) && part.image_url.detail === 'low'
      size.otherTokens += low ? IMAGE_TOKENS_LOW : IMAGE_TOKENS
    } else if (part.type === 'input_audio') size.otherTokens += AUDIO_TOKENS
    else if (part.type === 'file') size.otherTokens += IMAGE_TOKENS
  }
}

/** The `prompt` of a completion, or the `input` of an embedding: a text, texts, tokens, or arrays of tokens. */
export function promptOfInput(input: unknown): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: 0 }
  const add = (item: unknown): void => {
    if (typeof item === 'string') size.texts.push(item)
    else if (typeof item === 'number') size.otherTokens += 1
    else if (Array.isArray(item)) item.forEach(add)
    else if (isObject(item)) size.texts.push(JSON.stringify(item))
  }
  add(input)
  return size
}

import type { Usage } from '../../core/pricing/prices.ts'
import { isObject } from './json.ts'
import { readUsage } from './usage.ts'

/** Seven tokens frame each tool call that an upstream without usage reports. */
const TOKENS_PER_TOOL_CALL = 7

/** Watches what an upstream produces: its text, for counting when it reports no usage, and its usage when it does. */
export class Meter {
  usage: Usage | undefined
  text = ''
  toolCalls = 0
  /** Something for the client was seen: text, reasoning, a tool call, or a reason to stop. */
  started = false
  finished = false

  get otherTokens(): number {
    return this.toolCalls * TOKENS_PER_TOOL_CALL
  }

  /** Takes in a whole reply, or one chunk of a stream. */
  read(reply: Record<string, unknown>): void {
    const choices = Array.isArray(reply.choices) ? reply.choices : []
    for (const choice of choices) if (isObject(choice)) this.readChoice(choice)
    // Moonshot puts the usage of a stream into its last choice.
    const usage = readUsage(reply.usage) ?? (isObject(choices[0]) ? readUsage(choices[0].usage) : undefined)
    if (usage) this.usage = usage
  }

  private readChoice(choice: Record<string, unknown>): void {
    const message = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {}
    this.take(choice.text)
    this.take(message.content)
    this.take(message.reasoning_content ?? message.reasoning)
    this.take(message.refusal)
    if (isObject(message.audio)) this.take(message.audio.transcript)
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
    for (const call of message.function_call ? [...calls, { function: message.function_call }] : calls) {
      if (!isObject(call)) continue
      this.started = true
      const called = isObject(call.function) ? call.function : {}
      if (typeof called.name === 'string' && called.name !== '') this.toolCalls += 1
      this.take(called.name)
      this.take(called.arguments)
    }
    // An empty text and the text "null" have been seen where vendors mean: not finished.
    const reason = choice.finish_reason
    if (typeof reason === 'string' && reason !== '' && reason !== 'null') {
      this.finished = true
      this.started = true
    }
  }

  private take(text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this.started = true
    this.text += text
  }
}

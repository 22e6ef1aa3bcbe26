import type { ChannelType } from '../../../../core/channels/types.ts'
import { isObject, type Json, objectsOf } from '../../json.ts'
import type { Ask } from '../provider.ts'
import { chatBody } from './chat-body.ts'
import { nativeBody } from './native-body.ts'

/** What a vendor wants otherwise in a body of OpenAI's format. The same object back: nothing. */
export type Rule = (body: Json) => Json

/**
 * A body of OpenAI's format for a vendor with rules. A client's own body keeps what nobody knows, and its bytes when no
 * rule changes it; another dialect's conversation is written anew.
 */
export function vendorBody(ask: Ask, type: Pick<ChannelType, 'streamUsage'>, rules: readonly Rule[]): Buffer | string {
  const apply = (body: Json) => rules.reduce((changed, rule) => rule(changed), body)
  if (ask.operation === 'chat' && ask.dialect !== 'openai-chat') {
    const { model, stream } = ask
    const body = chatBody(ask.conversation(), { model, stream, streamUsage: type.streamUsage })
    return JSON.stringify(apply(body))
  }
  const { body, model } = ask
  const wanted = apply(body.model === model ? body : { ...body, model })
  return nativeBody(ask, { wanted, streamUsage: type.streamUsage })
}

/** Vendors that do not know developers have a system. */
export const systemRole: Rule = (body) => {
  const messages = objectsOf(body.messages)
  if (!messages.some(({ role }) => role === 'developer')) return body
  return {
    ...body,
    messages: messages.map((message) => (message.role === 'developer' ? { ...message, role: 'system' } : message)),
  }
}

/** Vendors that know the older name only. */
export const maxTokensName: Rule = (body) => {
  if (!('max_completion_tokens' in body)) return body
  const { max_completion_tokens, ...rest } = body
  return { ...rest, max_tokens: max_completion_tokens ?? rest.max_tokens }
}

/** Many refuse a choice among no tools. */
export const choiceWithTools: Rule = (body) => {
  if (objectsOf(body.tools).length > 0 || !('tool_choice' in body || 'parallel_tool_calls' in body)) return body
  const { tool_choice: _, parallel_tool_calls: __, ...rest } = body
  return rest
}

/**
 * For vendors with whom nothing forces a call: forbidden tools are not offered, of a choice of names only these are, and
 * the model decides.
 */
export const automaticChoice: Rule = (body) => {
  const { tool_choice: choice, ...rest } = body
  if (choice === undefined || choice === null || choice === 'auto') return body
  if (choice === 'none') {
    const { tools: _, parallel_tool_calls: __, ...without } = rest
    return without
  }
  const names = isObject(choice) ? chosenNames(choice) : []
  const tools = objectsOf(body.tools).filter((tool) => names.length === 0 || names.includes(nameOf(tool)))
  return { ...rest, tools, tool_choice: 'auto' }
}

function chosenNames(choice: Json): string[] {
  const allowed = isObject(choice.allowed_tools) ? objectsOf(choice.allowed_tools.tools) : [choice]
  return allowed.map(nameOf).filter((name) => name !== '')
}

function nameOf({ function: called }: Json): string {
  return isObject(called) && typeof called.name === 'string' ? called.name : ''
}

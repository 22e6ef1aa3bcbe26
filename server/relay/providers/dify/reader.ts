import type { Usage } from '../../../../core/pricing/prices.ts'
import { plainUsage, readUsage } from '../../charging/usage.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { type Json, objectOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { createDetailsSplitter } from './details.ts'
import { difyError } from './errors.ts'

/**
 * Reads the replies of Dify's apps. What runs inside a workflow is told as reasoning, its answer as text.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message
 */
export function difyReader({ isWorkflow }: { isWorkflow: boolean }): ReplyReader {
  const splitter = createDetailsSplitter()
  const thoughts = new Map<string, string>()
  /** The answer as far as it was told, thoughts in it included. */
  let said = ''
  let begun = false
  let agentSpoke = false
  let stop: StopReason = 'stop'
  /** Of the model's nodes in a workflow: it tells no other. */
  let used: Usage | undefined

  /** What runs, told once something has come of it: until then the app may fail, and another channel be asked. */
  let progress = ''
  let underWay = false

  function runs(line: string): ReplyEvent[] {
    progress += `${line}\n`
    return underWay ? tellProgress() : []
  }

  function tellProgress(): ReplyEvent[] {
    underWay = true
    const text = progress
    progress = ''
    return text === '' ? [] : [{ kind: 'reasoning', text }]
  }

  function say(text: string): ReplyEvent[] {
    if (text === '') return []
    said += text
    return [...tellProgress(), ...splitter.push(text)]
  }

  /** An agent that has told its answer in pieces may tell it whole once more at the end. */
  function sayWhole({ answer }: Json): ReplyEvent[] {
    const text = textOf(answer) ?? ''
    return say(agentSpoke && text.startsWith(said) ? text.slice(said.length) : text)
  }

  function start(body: Json): ReplyEvent[] {
    const id = textOf(body.message_id) ?? textOf(body.workflow_run_id) ?? textOf(body.task_id)
    if (begun || !id) return []
    begun = true
    return [{ kind: 'start', id }]
  }

  function finish(usage: Usage | undefined): ReplyEvent[] {
    return [
      ...tellProgress(),
      ...splitter.flush(),
      { kind: 'stop', reason: stop },
      ...(usage ? [{ kind: 'usage' as const, usage }] : []),
      { kind: 'end' },
    ]
  }

  /** A thought is told again with every step of it. What an agent also says is not thought. */
  function readThought({ id, thought }: Json): ReplyEvent[] {
    const key = wordOf(id)
    const text = textOf(thought) ?? ''
    const before = thoughts.get(key) ?? ''
    thoughts.set(key, text)
    if (text.trim() === '' || said.includes(text.trim())) return []
    const news = text.startsWith(before) ? text.slice(before.length) : text
    return news === '' ? [] : [{ kind: 'reasoning', text: news }]
  }

  function readNode(data: Json): ReplyEvent[] {
    const usage = readUsage(objectOf(data.process_data).usage) ?? readUsage(objectOf(data.outputs).usage)
    if (isWorkflow && usage) {
      const { promptTokens = 0, completionTokens = 0 } = used ?? {}
      used = plainUsage(promptTokens + usage.promptTokens, completionTokens + usage.completionTokens)
    }
    return data.status === 'succeeded' && data.node_type !== 'start' ? tellProgress() : []
  }

  function finishWorkflow(data: Json): ReplyEvent[] {
    const failed = textOf(data.error)
    if (failed) return [{ kind: 'error', error: difyError({ code: 'workflow_failed', message: failed }) }]
    // A chat tells its answer and its end by other events.
    if (!isWorkflow) return []
    const answer = said === '' ? outputText(data.outputs) : ''
    return [...say(answer), ...finish(used)]
  }

  function read(name: string, body: Json): ReplyEvent[] {
    const data = objectOf(body.data)
    switch (name) {
      case 'agent_message':
        agentSpoke = true
        return say(textOf(body.answer) ?? '')
      case 'message':
        return sayWhole(body)
      case 'agent_thought':
        return readThought(body)
      case 'message_file':
        return textOf(body.url) && body.type === 'image' && body.belongs_to !== 'user'
          ? say(`![image](${wordOf(body.url)})\n`)
          : []
      case 'message_replace':
        stop = 'filter'
        return said === '' ? say(textOf(body.answer) ?? '') : []
      case 'message_end':
        return finish(readUsage(objectOf(body.metadata).usage))
      case 'workflow_started':
        return runs(`Workflow: ${textOf(data.workflow_id) ?? ''}`)
      case 'node_started':
        return runs(`Node: ${textOf(data.node_id) ?? ''}`)
      case 'node_finished':
        return readNode(data)
      case 'text_chunk':
        return say(textOf(data.text) ?? '')
      case 'workflow_finished':
        return finishWorkflow(data)
      case 'error':
        return [{ kind: 'error', error: difyError(body) }]
      default:
        return []
    }
  }

  return {
    event({ chunk, name }: StreamEvent) {
      if (!chunk) return []
      const event = textOf(chunk.event) ?? name
      return [...start(chunk), ...read(event, chunk)]
    },
    whole(body) {
      if (textOf(body.code) && !('answer' in body) && !('data' in body)) {
        return [{ kind: 'error', error: difyError(body) }]
      }
      if (isWorkflow) {
        const data = objectOf(body.data)
        return [...start(body), ...finishWorkflow(data)]
      }
      const answer = say(textOf(body.answer) ?? '')
      return [...start(body), ...answer, ...finish(readUsage(objectOf(body.metadata).usage))]
    },
    close: () => splitter.flush(),
  }
}

/** The answer among a workflow's outputs: the one text, or the one that is called so; else all of them as JSON. */
function outputText(outputs: unknown): string {
  const named = objectOf(outputs)
  const values = Object.values(named)
  const only = values.length === 1 ? textOf(values[0]) : undefined
  const found = only ?? ['answer', 'text', 'output', 'result'].map((name) => textOf(named[name])).find(Boolean)
  return found ?? (values.length ? JSON.stringify(named) : '')
}

import type { Usage } from '../../../../core/pricing/prices.ts'
import { recordOf } from '../../../../core/records.ts'
import { plainUsage, readUsage } from '../../charging/usage.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { type Json, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents, usageEvents } from '../reply-events.ts'
import { createDetailsSplitter } from './details.ts'
import { difyError } from './errors.ts'

/**
 * Reads the replies of Dify's apps. The steps of a workflow become reasoning, and its output becomes the text.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message
 */
export function difyReader({ isWorkflow }: { isWorkflow: boolean }): ReplyReader {
  const splitter = createDetailsSplitter()
  /** An agent's reasoning so far, by the id of the thought. */
  const thoughts = new Map<string, string>()
  /** The text so far, including reasoning in `<details>`. */
  let sentText = ''
  let hasBegun = false
  let hasAgentText = false
  let stop: StopReason = 'stop'
  /** Sum of the usage of a workflow's nodes. Dify reports no total. */
  let usageSum: Usage | undefined

  /** Unsent lines about a workflow's steps. Before the first step succeeds, they wait, so that a retry is possible. */
  let progress = ''
  let canSendProgress = false

  function addProgress(line: string): ReplyEvent[] {
    progress += `${line}\n`
    return canSendProgress ? flushProgress() : []
  }

  function flushProgress(): ReplyEvent[] {
    canSendProgress = true
    const text = progress
    progress = ''
    return reasoningEvents(text)
  }

  function addText(text: string): ReplyEvent[] {
    if (text === '') return []
    sentText += text
    return [...flushProgress(), ...splitter.push(text)]
  }

  /** Reads a whole answer. An agent may send all text again after it has streamed the text. */
  function readWholeAnswer({ answer }: Json): ReplyEvent[] {
    const text = textOf(answer) ?? ''
    return addText(hasAgentText && text.startsWith(sentText) ? text.slice(sentText.length) : text)
  }

  function start(body: Json): ReplyEvent[] {
    const id = textOf(body.message_id) ?? textOf(body.workflow_run_id) ?? textOf(body.task_id)
    if (hasBegun || !id) return []
    hasBegun = true
    return [{ kind: 'start', id }]
  }

  function finish(usage: Usage | undefined): ReplyEvent[] {
    return [
      ...flushProgress(),
      ...splitter.flush(),
      { kind: 'stop', reason: stop },
      ...usageEvents(usage),
      { kind: 'end' },
    ]
  }

  /** Reads a thought. Each event has its whole text so far. Skips a thought that is part of the agent's answer. */
  function readThought({ id, thought }: Json): ReplyEvent[] {
    const key = wordOf(id)
    const text = textOf(thought) ?? ''
    const before = thoughts.get(key) ?? ''
    thoughts.set(key, text)
    if (text.trim() === '' || sentText.includes(text.trim())) return []
    return reasoningEvents(text.startsWith(before) ? text.slice(before.length) : text)
  }

  function readNode(data: Json): ReplyEvent[] {
    const usage = readUsage(recordOf(data.process_data).usage) ?? readUsage(recordOf(data.outputs).usage)
    if (isWorkflow && usage) {
      const { promptTokens = 0, completionTokens = 0 } = usageSum ?? {}
      usageSum = plainUsage(promptTokens + usage.promptTokens, completionTokens + usage.completionTokens)
    }
    return data.status === 'succeeded' && data.node_type !== 'start' ? flushProgress() : []
  }

  function finishWorkflow(data: Json): ReplyEvent[] {
    const failureMessage = textOf(data.error)
    if (failureMessage)
      return [{ kind: 'error', error: difyError({ code: 'workflow_failed', message: failureMessage }) }]
    // A chat app reports its text and its end in other events.
    if (!isWorkflow) return []
    const answer = sentText === '' ? outputText(data.outputs) : ''
    return [...addText(answer), ...finish(usageSum)]
  }

  function read(name: string, body: Json): ReplyEvent[] {
    const data = recordOf(body.data)
    switch (name) {
      case 'agent_message':
        hasAgentText = true
        return addText(textOf(body.answer) ?? '')
      case 'message':
        return readWholeAnswer(body)
      case 'agent_thought':
        return readThought(body)
      case 'message_file':
        return textOf(body.url) && body.type === 'image' && body.belongs_to !== 'user'
          ? addText(`![image](${wordOf(body.url)})\n`)
          : []
      case 'message_replace':
        stop = 'filter'
        return sentText === '' ? addText(textOf(body.answer) ?? '') : []
      case 'message_end':
        return finish(readUsage(recordOf(body.metadata).usage))
      case 'workflow_started':
        return addProgress(`Workflow: ${textOf(data.workflow_id) ?? ''}`)
      case 'node_started':
        return addProgress(`Node: ${textOf(data.node_id) ?? ''}`)
      case 'node_finished':
        return readNode(data)
      case 'text_chunk':
        return addText(textOf(data.text) ?? '')
      case 'workflow_finished':
        return finishWorkflow(data)
      case 'error':
        return [{ kind: 'error', error: difyError(body) }]
      default:
        return []
    }
  }

  return {
    event({ payload, name }: StreamEvent) {
      if (!payload) return []
      const event = textOf(payload.event) ?? name
      return [...start(payload), ...read(event, payload)]
    },
    whole(body) {
      if (textOf(body.code) && !('answer' in body) && !('data' in body)) {
        return [{ kind: 'error', error: difyError(body) }]
      }
      if (isWorkflow) return [...start(body), ...finishWorkflow(recordOf(body.data))]
      const answer = addText(textOf(body.answer) ?? '')
      return [...start(body), ...answer, ...finish(readUsage(recordOf(body.metadata).usage))]
    },
    close: () => splitter.flush(),
  }
}

/** Returns a workflow's output: the only output if it is a text, else a text with a common name, else all as JSON. */
function outputText(outputs: unknown): string {
  const outputsByName = recordOf(outputs)
  const values = Object.values(outputsByName)
  const onlyText = values.length === 1 ? textOf(values[0]) : undefined
  const text =
    onlyText ?? ['answer', 'text', 'output', 'result'].map((name) => textOf(outputsByName[name])).find(Boolean)
  return text ?? (values.length ? JSON.stringify(outputsByName) : '')
}

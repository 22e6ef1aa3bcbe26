import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { Citation, ReplyEvent } from '../../conversation/conversation.ts'
import { encodeSignatures, newItemId, type Signed } from '../../conversation/envelope.ts'
import { arrayOf, objectsOf } from '../../json.ts'
import type { ClientTool } from './tool-names.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'
/** Type and fields of a stream event, without the sequence number. */
export type WireEvent = readonly [type: string, fields: Record<string, unknown>]

/**
 * An output item under construction. Text may be added before the item is sent. `at` is the item's index in the output.
 */
export interface OutputItem {
  readonly kind: 'reasoning' | 'message' | 'call' | 'image'
  /** The reasoning, text or arguments so far. */
  text: string
  status: ItemStatus
  /** Text to send if the item ends without text: `{}` for JSON arguments, because clients parse the arguments. */
  readonly emptyText: '' | '{}'
  /** Whether the item can be closed as soon as a later item exists. */
  isWhole(): boolean
  /** Returns the events that announce the new, empty item. */
  opening(at: number): WireEvent[]
  /** Returns the events for `text`, which is an addition or all text so far. */
  delta(at: number, text: string): WireEvent[]
  /** Returns the events for the end of the item, with its `status`. */
  closing(at: number): WireEvent[]
  /** Returns the item as a response contains it. */
  toJson(): Record<string, unknown>
}

/** Returns a new id of an item or response: https://platform.openai.com/docs/api-reference/responses/object */
export function newId(prefix: 'resp' | 'rs' | 'msg' | 'fc' | 'ctc' | 'lsh' | 'ig'): string {
  return newItemId(prefix)
}

export interface ReasoningItem extends OutputItem {
  readonly kind: 'reasoning'
  /** The signatures. After they are set, the item accepts no more text. */
  signed: Signed | undefined
}

export function reasoningItem(): ReasoningItem {
  const id = newId('rs')
  let hasBegun = false
  const summaryPart = (at: number) => ({ item_id: id, output_index: at, summary_index: 0 })
  const item: ReasoningItem = {
    kind: 'reasoning',
    text: '',
    status: 'in_progress',
    emptyText: '',
    signed: undefined,
    isWhole: () => true,
    opening: (at) => [itemAdded(at, { id, type: 'reasoning', summary: [] })],
    delta(at, text) {
      const delta: WireEvent = ['response.reasoning_summary_text.delta', { ...summaryPart(at), delta: text }]
      if (hasBegun) return [delta]
      hasBegun = true
      return [['response.reasoning_summary_part.added', { ...summaryPart(at), part: summary('') }], delta]
    },
    closing(at) {
      const done = itemDone(at, item.toJson())
      if (!hasBegun) return [done]
      return [
        ['response.reasoning_summary_text.done', { ...summaryPart(at), text: item.text }],
        ['response.reasoning_summary_part.done', { ...summaryPart(at), part: summary(item.text) }],
        done,
      ]
    },
    toJson: () => ({
      id,
      type: 'reasoning',
      summary: item.text === '' ? [] : [summary(item.text)],
      ...(item.signed && { encrypted_content: encodeSignatures(item.signed) }),
    }),
  }
  return item
}

const summary = (text: string) => ({ type: 'summary_text', text })

export interface MessageOutputItem extends OutputItem {
  readonly kind: 'message'
  readonly partKind: 'text' | 'refusal'
  annotate(at: number, citation: Citation): WireEvent
  addLogprobs(logprobs: unknown): void
}

/** Creates a message that consists of a text or a refusal. */
export function messageItem(partKind: 'text' | 'refusal'): MessageOutputItem {
  const id = newId('msg')
  const annotations: Record<string, unknown>[] = []
  const logprobs: Record<string, unknown>[] = []
  const part = (text: string) =>
    partKind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations, logprobs }
  const emptyPart = () =>
    partKind === 'refusal' ? part('') : { type: 'output_text', text: '', annotations: [], logprobs: [] }
  const partLocation = (at: number) => ({ item_id: id, output_index: at, content_index: 0 })
  const item: MessageOutputItem = {
    kind: 'message',
    partKind,
    text: '',
    status: 'in_progress',
    emptyText: '',
    isWhole: () => true,
    opening: (at) => [
      itemAdded(at, { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }),
      ['response.content_part.added', { ...partLocation(at), part: emptyPart() }],
    ],
    delta: (at, text) =>
      partKind === 'refusal'
        ? [['response.refusal.delta', { ...partLocation(at), delta: text }]]
        : [['response.output_text.delta', { ...partLocation(at), delta: text, logprobs: [] }]],
    closing: (at) => [
      partKind === 'refusal'
        ? ['response.refusal.done', { ...partLocation(at), refusal: item.text }]
        : ['response.output_text.done', { ...partLocation(at), text: item.text, logprobs }],
      ['response.content_part.done', { ...partLocation(at), part: part(item.text) }],
      itemDone(at, item.toJson()),
    ],
    annotate(at, { url, title, start, end }) {
      const annotation = {
        type: 'url_citation',
        url,
        title: title ?? url,
        start_index: start ?? 0,
        end_index: end ?? item.text.length,
      }
      annotations.push(annotation)
      const fields = { ...partLocation(at), annotation_index: annotations.length - 1, annotation }
      return ['response.output_text.annotation.added', fields]
    },
    addLogprobs: (value) => logprobs.push(...objectsOf((value as { content?: unknown } | null)?.content)),
    toJson: () => ({ id, type: 'message', status: item.status, role: 'assistant', content: [part(item.text)] }),
  }
  return item
}

type CallBegin = Pick<Extract<ReplyEvent, { kind: 'call' }>, 'id' | 'name' | 'custom'>

/** Creates a call. `tool` is the client's tool, if the gateway renamed it. */
export function callItem(call: CallBegin, tool: ClientTool | undefined): OutputItem {
  if (tool?.isShell) return shellItem(call)
  const { id: callId, custom } = call
  const name = tool?.name ?? call.name
  const nameFields = tool?.namespace === undefined ? { name } : { name, namespace: tool.namespace }
  const id = newId(custom ? 'ctc' : 'fc')
  const itemLocation = (at: number) => ({ item_id: id, output_index: at })
  const item: OutputItem = {
    kind: 'call',
    text: '',
    status: 'in_progress',
    emptyText: custom ? '' : '{}',
    // Free text may always continue. JSON arguments are complete as soon as they parse as an object.
    isWhole: () => !custom && isWholeObject(item.text),
    opening: (at) => [itemAdded(at, { ...item.toJson(), [custom ? 'input' : 'arguments']: '' })],
    delta: (at, text) => [
      [
        custom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta',
        { ...itemLocation(at), delta: text },
      ],
    ],
    closing: (at) => [
      custom
        ? ['response.custom_tool_call_input.done', { ...itemLocation(at), input: item.text }]
        : ['response.function_call_arguments.done', { ...itemLocation(at), name, arguments: item.text }],
      itemDone(at, item.toJson()),
    ],
    toJson: () =>
      custom
        ? { id, type: 'custom_tool_call', status: item.status, call_id: callId, ...nameFields, input: item.text }
        : { id, type: 'function_call', status: item.status, call_id: callId, ...nameFields, arguments: item.text },
  }
  return item
}

/** Whether a text is a complete JSON object. The cheap check of the last character avoids most failing parses. */
const isWholeObject = (text: string): boolean => text.trimEnd().endsWith('}') && parseObject(text) !== undefined

/** Creates a call of the client's shell. The item has no deltas: the command is sent at the end. */
function shellItem({ id: callId }: CallBegin): OutputItem {
  const id = newId('lsh')
  const item: OutputItem = {
    kind: 'call',
    text: '',
    status: 'in_progress',
    emptyText: '{}',
    isWhole: () => isWholeObject(item.text),
    opening: (at) => [itemAdded(at, item.toJson())],
    delta: () => [],
    closing: (at) => [itemDone(at, item.toJson())],
    toJson: () => ({
      id,
      type: 'local_shell_call',
      status: item.status,
      call_id: callId,
      action: shellAction(item.text),
    }),
  }
  return item
}

/**
 * Converts the arguments of a shell call. A model may write the command as one text for the shell:
 * https://platform.openai.com/docs/guides/tools-local-shell
 */
function shellAction(text: string): Record<string, unknown> {
  const { command, env, timeout_ms, user, working_directory } = parseObject(text) ?? {}
  return {
    type: 'exec',
    command: typeof command === 'string' ? ['sh', '-c', command] : arrayOf(command).map(String),
    env: recordOf(env),
    ...(typeof timeout_ms === 'number' && { timeout_ms }),
    ...(typeof user === 'string' && { user }),
    ...(typeof working_directory === 'string' && { working_directory }),
  }
}

/** Creates an image item, like those of OpenAI's image tool. */
export function imageItem({ data, mime }: { data: string; mime: string }): OutputItem {
  const id = newId('ig')
  const format = mime.replace(/^image\//, '')
  const item: OutputItem = {
    kind: 'image',
    text: '',
    status: 'in_progress',
    emptyText: '',
    isWhole: () => true,
    opening: (at) => [itemAdded(at, { id, type: 'image_generation_call', status: 'in_progress', result: null })],
    delta: () => [],
    closing: (at) => [itemDone(at, item.toJson())],
    toJson: () => ({ id, type: 'image_generation_call', status: item.status, result: data, output_format: format }),
  }
  return item
}

function itemAdded(at: number, item: Record<string, unknown>): WireEvent {
  return ['response.output_item.added', { output_index: at, item }]
}

function itemDone(at: number, item: Record<string, unknown>): WireEvent {
  return ['response.output_item.done', { output_index: at, item }]
}

import type { Citation, ReplyEvent } from '../../conversation/conversation.ts'
import { newItemId, type Signed, sealed } from '../../conversation/envelope.ts'
import { arrayOf, objectOf, objectsOf, parseObject } from '../../json.ts'
import type { ClientTool } from './tool-names.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'
/** An event of the stream: its type, and its fields but for the sequence number. */
export type Step = readonly [type: string, fields: Record<string, unknown>]

/** One item of the output while it is written. Its text may grow before it may be shown. */
export interface OutputItem {
  readonly kind: 'reasoning' | 'message' | 'call' | 'image'
  /** What it has gathered: thoughts, words, arguments. */
  text: string
  status: ItemStatus
  /** What stands for no text at all: clients parse the arguments of a call, and those that are none are an object. */
  readonly emptyText: '' | '{}'
  /** Whether all of it is here, as far as one can see when something else begins. */
  isWhole(): boolean
  /** As it is added, with nothing in it. */
  opening(at: number): Step[]
  /** More text, or the text so far. */
  delta(at: number, text: string): Step[]
  /** As it ends, with `status`. */
  closing(at: number): Step[]
  wire(): Record<string, unknown>
}

/** https://platform.openai.com/docs/api-reference/responses/object: ids have the prefix of their kind. */
export function newId(prefix: 'resp' | 'rs' | 'msg' | 'fc' | 'ctc' | 'lsh' | 'ig'): string {
  return newItemId(prefix)
}

export interface ReasoningItem extends OutputItem {
  readonly kind: 'reasoning'
  /** Once there is any, the item takes no more text. */
  signed: Signed | undefined
}

export function reasoningItem(): ReasoningItem {
  const id = newId('rs')
  let begun = false
  const summaryPart = (at: number) => ({ item_id: id, output_index: at, summary_index: 0 })
  const item: ReasoningItem = {
    kind: 'reasoning',
    text: '',
    status: 'in_progress',
    emptyText: '',
    signed: undefined,
    isWhole: () => true,
    opening: (at) => [added(at, { id, type: 'reasoning', summary: [] })],
    delta(at, text) {
      const delta: Step = ['response.reasoning_summary_text.delta', { ...summaryPart(at), delta: text }]
      if (begun) return [delta]
      begun = true
      return [['response.reasoning_summary_part.added', { ...summaryPart(at), part: summary('') }], delta]
    },
    closing(at) {
      const done = finished(at, item.wire())
      if (!begun) return [done]
      return [
        ['response.reasoning_summary_text.done', { ...summaryPart(at), text: item.text }],
        ['response.reasoning_summary_part.done', { ...summaryPart(at), part: summary(item.text) }],
        done,
      ]
    },
    wire: () => ({
      id,
      type: 'reasoning',
      summary: item.text === '' ? [] : [summary(item.text)],
      ...(item.signed && { encrypted_content: sealed(item.signed) }),
    }),
  }
  return item
}

const summary = (text: string) => ({ type: 'summary_text', text })

export interface MessageItem extends OutputItem {
  readonly kind: 'message'
  readonly said: 'text' | 'refusal'
  /** The step that tells of it. */
  annotate(at: number, citation: Citation): Step
  addLogprobs(logprobs: unknown): void
}

/** A message has one part: what the model says, or why it does not. */
export function messageItem(said: 'text' | 'refusal'): MessageItem {
  const id = newId('msg')
  const annotations: Record<string, unknown>[] = []
  const logprobs: Record<string, unknown>[] = []
  const part = (text: string) =>
    said === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations, logprobs }
  const empty = () => (said === 'refusal' ? part('') : { type: 'output_text', text: '', annotations: [], logprobs: [] })
  const place = (at: number) => ({ item_id: id, output_index: at, content_index: 0 })
  const item: MessageItem = {
    kind: 'message',
    said,
    text: '',
    status: 'in_progress',
    emptyText: '',
    isWhole: () => true,
    opening: (at) => [
      added(at, { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }),
      ['response.content_part.added', { ...place(at), part: empty() }],
    ],
    delta: (at, text) =>
      said === 'refusal'
        ? [['response.refusal.delta', { ...place(at), delta: text }]]
        : [['response.output_text.delta', { ...place(at), delta: text, logprobs: [] }]],
    closing: (at) => [
      said === 'refusal'
        ? ['response.refusal.done', { ...place(at), refusal: item.text }]
        : ['response.output_text.done', { ...place(at), text: item.text, logprobs }],
      ['response.content_part.done', { ...place(at), part: part(item.text) }],
      finished(at, item.wire()),
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
      const fields = { ...place(at), annotation_index: annotations.length - 1, annotation }
      return ['response.output_text.annotation.added', fields]
    },
    addLogprobs: (found) => logprobs.push(...objectsOf((found as { content?: unknown } | null)?.content)),
    wire: () => ({ id, type: 'message', status: item.status, role: 'assistant', content: [part(item.text)] }),
  }
  return item
}

type CallBegin = Pick<Extract<ReplyEvent, { kind: 'call' }>, 'id' | 'name' | 'custom'>

/** A call under the name that the client gave its tool. */
export function callItem(call: CallBegin, tool: ClientTool | undefined): OutputItem {
  if (tool?.isShell) return shellItem(call)
  const { id: callId, custom } = call
  const name = tool?.name ?? call.name
  const named = tool?.namespace === undefined ? { name } : { name, namespace: tool.namespace }
  const id = newId(custom ? 'ctc' : 'fc')
  const place = (at: number) => ({ item_id: id, output_index: at })
  const item: OutputItem = {
    kind: 'call',
    text: '',
    status: 'in_progress',
    emptyText: custom ? '' : '{}',
    // Free text may always go on. Arguments are an object, and nothing follows one.
    isWhole: () => !custom && item.text.trimEnd().endsWith('}') && parseObject(item.text) !== undefined,
    opening: (at) => [added(at, { ...item.wire(), [custom ? 'input' : 'arguments']: '' })],
    delta: (at, text) => [
      [
        custom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta',
        { ...place(at), delta: text },
      ],
    ],
    closing: (at) => [
      custom
        ? ['response.custom_tool_call_input.done', { ...place(at), input: item.text }]
        : ['response.function_call_arguments.done', { ...place(at), name, arguments: item.text }],
      finished(at, item.wire()),
    ],
    wire: () =>
      custom
        ? { id, type: 'custom_tool_call', status: item.status, call_id: callId, ...named, input: item.text }
        : { id, type: 'function_call', status: item.status, call_id: callId, ...named, arguments: item.text },
  }
  return item
}

/** A call of the client's own shell. It has no deltas: the command is there when the item ends. */
function shellItem({ id: callId }: CallBegin): OutputItem {
  const id = newId('lsh')
  const item: OutputItem = {
    kind: 'call',
    text: '',
    status: 'in_progress',
    emptyText: '{}',
    isWhole: () => item.text.trimEnd().endsWith('}') && parseObject(item.text) !== undefined,
    opening: (at) => [added(at, item.wire())],
    delta: () => [],
    closing: (at) => [finished(at, item.wire())],
    wire: () => ({
      id,
      type: 'local_shell_call',
      status: item.status,
      call_id: callId,
      action: shellAction(item.text),
    }),
  }
  return item
}

/** https://platform.openai.com/docs/guides/tools-local-shell: a model may write the command as one text for a shell. */
function shellAction(text: string): Record<string, unknown> {
  const { command, env, timeout_ms, user, working_directory } = parseObject(text) ?? {}
  return {
    type: 'exec',
    command: typeof command === 'string' ? ['sh', '-c', command] : arrayOf(command).map(String),
    env: objectOf(env),
    ...(typeof timeout_ms === 'number' && { timeout_ms }),
    ...(typeof user === 'string' && { user }),
    ...(typeof working_directory === 'string' && { working_directory }),
  }
}

/** A picture, as OpenAI's own tool hands it out. */
export function imageItem({ data, mime }: { data: string; mime: string }): OutputItem {
  const id = newId('ig')
  const format = mime.replace(/^image\//, '')
  const item: OutputItem = {
    kind: 'image',
    text: '',
    status: 'in_progress',
    emptyText: '',
    isWhole: () => true,
    opening: (at) => [added(at, { id, type: 'image_generation_call', status: 'in_progress', result: null })],
    delta: () => [],
    closing: (at) => [finished(at, item.wire())],
    wire: () => ({ id, type: 'image_generation_call', status: item.status, result: data, output_format: format }),
  }
  return item
}

function added(at: number, item: Record<string, unknown>): Step {
  return ['response.output_item.added', { output_index: at, item }]
}

function finished(at: number, item: Record<string, unknown>): Step {
  return ['response.output_item.done', { output_index: at, item }]
}

import type { Citation, ReplyEvent } from '../../conversation/conversation.ts'
import {
  callItem,
  type ItemStatus,
  imageItem,
  type MessageOutputItem,
  messageItem,
  type OutputItem,
  type ReasoningItem,
  reasoningItem,
  type WireEvent,
} from './items.ts'
import type { ToolNames } from './tool-names.ts'

interface ResponsesOutput {
  add(event: ReplyEvent): WireEvent[]
  /** Sets `status` for the open item and all waiting items. Returns the events that close these items. */
  close(status: 'completed' | 'incomplete'): WireEvent[]
  /** Returns all items that were sent. */
  wire(): Record<string, unknown>[]
  /** Marks the open item as incomplete after an interruption, and returns all items that were sent. */
  broken(): Record<string, unknown>[]
}

/**
 * Creates the output of a response: a sequence of items, of which at most one is open. Upstreams may interleave calls
 * and text. So a later item waits until all earlier items are closed.
 */
export function createOutput(names: Pick<ToolNames, 'clientTool'>): ResponsesOutput {
  const items: OutputItem[] = []
  const calls = new Map<number, OutputItem>()
  /** Citations that arrived before their text. */
  let pendingCitations: Citation[] = []
  let openIndex = 0

  const isClosed = (item: OutputItem) => item.status !== 'in_progress'

  function addItem(item: OutputItem): WireEvent[] {
    items.push(item)
    return items.length - 1 === openIndex ? openingEvents(item) : closeCompletedItems()
  }

  function openingEvents(item: OutputItem): WireEvent[] {
    const events = item.opening(openIndex)
    return item.text === '' ? events : [...events, ...item.delta(openIndex, item.text)]
  }

  function closeCompletedItems(): WireEvent[] {
    const events: WireEvent[] = []
    for (let item = items[openIndex]; item && openIndex < items.length - 1 && item.isWhole(); item = items[openIndex]) {
      events.push(...closeItem(item, 'completed'))
      const next = items[++openIndex]
      if (next) events.push(...openingEvents(next))
    }
    return events
  }

  function closeItem(item: OutputItem, status: ItemStatus): WireEvent[] {
    item.status = status
    return item.closing(openIndex)
  }

  function append(item: OutputItem, text: string): WireEvent[] {
    if (isClosed(item)) return []
    item.text += text
    return item === items[openIndex] ? item.delta(openIndex, text) : []
  }

  function openReasoning(): ReasoningItem | undefined {
    const last = items.at(-1)
    return last?.kind === 'reasoning' && !(last as ReasoningItem).signed ? (last as ReasoningItem) : undefined
  }

  function addReasoning(text: string): WireEvent[] {
    const last = openReasoning()
    if (last) return append(last, text)
    const item = reasoningItem()
    const events = addItem(item)
    return [...events, ...append(item, text)]
  }

  function sign(signed: NonNullable<ReasoningItem['signed']>): WireEvent[] {
    const last = openReasoning()
    if (last && signed.redacted === undefined) {
      last.signed = signed
      return []
    }
    const item = reasoningItem()
    item.signed = signed
    return addItem(item)
  }

  function addText(partKind: 'text' | 'refusal', text: string): WireEvent[] {
    const last = items.at(-1)
    if (last?.kind === 'message' && (last as MessageOutputItem).partKind === partKind) return append(last, text)
    const item = messageItem(partKind)
    const events = addItem(item)
    events.push(...append(item, text))
    if (partKind === 'text') {
      for (const citation of pendingCitations) events.push(...cite(citation))
      pendingCitations = []
    }
    return events
  }

  function lastText(): MessageOutputItem | undefined {
    const item = items.findLast(
      (candidate) => candidate.kind === 'message' && (candidate as MessageOutputItem).partKind === 'text',
    )
    return item && !isClosed(item) ? (item as MessageOutputItem) : undefined
  }

  function cite(citation: Citation): WireEvent[] {
    const item = lastText()
    if (!item) pendingCitations.push(citation)
    const citationEvent = item?.annotate(openIndex, citation)
    return citationEvent && item === items[openIndex] ? [citationEvent] : []
  }

  function beginCall(event: Extract<ReplyEvent, { kind: 'call' }>): WireEvent[] {
    const signatureEvents = event.signature === undefined ? [] : sign({ calls: { [event.id]: event.signature } })
    const item = callItem(event, names.clientTool(event.name))
    calls.set(event.call, item)
    return [...signatureEvents, ...addItem(item)]
  }

  function addArguments(call: number, text: string): WireEvent[] {
    const item = calls.get(call)
    return item ? [...append(item, text), ...closeCompletedItems()] : []
  }

  const sentItems = () => items.slice(0, openIndex + 1).map((item) => item.toJson())

  return {
    add(event) {
      switch (event.kind) {
        case 'text':
          return event.text === '' ? [] : addText('text', event.text)
        case 'refusal':
          return event.text === '' ? [] : addText('refusal', event.text)
        case 'reasoning':
          return event.text === '' ? [] : addReasoning(event.text)
        case 'signature':
          return sign({ signature: event.signature })
        case 'redacted':
          return sign({ redacted: event.data })
        case 'call':
          return beginCall(event)
        case 'arguments':
          return addArguments(event.call, event.text)
        case 'image':
          return addItem(imageItem(event))
        case 'citation':
          return cite(event.citation)
        case 'logprobs':
          lastText()?.addLogprobs(event.logprobs)
          return []
        case 'audio':
          // The Responses format has no audio, so only the transcript is sent.
          return typeof event.audio.transcript === 'string' ? addText('text', event.audio.transcript) : []
        default:
          return []
      }
    },
    close(status) {
      const events: WireEvent[] = []
      for (let item = items[openIndex]; item; item = items[openIndex]) {
        if (status === 'completed' && item.text === '') events.push(...append(item, item.emptyText))
        events.push(...closeItem(item, status))
        openIndex += 1
        const next = items[openIndex]
        if (next) events.push(...openingEvents(next))
      }
      return events
    },
    wire: sentItems,
    broken() {
      const item = items[openIndex]
      if (item) item.status = 'incomplete'
      return sentItems()
    },
  }
}

import type { Citation, ReplyEvent } from '../../conversation/conversation.ts'
import {
  callItem,
  type ItemStatus,
  imageItem,
  type MessageItem,
  messageItem,
  type OutputItem,
  type ReasoningItem,
  reasoningItem,
  type Step,
} from './items.ts'
import type { ToolNames } from './tool-names.ts'

export interface Output {
  /** The steps that an event of the reply leads to at once. */
  take(event: ReplyEvent): Step[]
  /** Ends what is open, with this status. */
  close(status: 'completed' | 'incomplete'): Step[]
  /** All items the client has been told of. */
  wire(): Record<string, unknown>[]
  /** The same when the reply broke off: what is open stays so. */
  broken(): Record<string, unknown>[]
}

/**
 * The output of a response: items one after another, of which only one is open. What belongs to a later item is kept until
 * that one's turn: upstreams let calls alternate, and say something beside them.
 */
export function createOutput(names: Pick<ToolNames, 'clientTool'>): Output {
  const items: OutputItem[] = []
  const calls = new Map<number, OutputItem>()
  /** Citations that came before any text they could stand in. */
  let early: Citation[] = []
  let open = 0

  const isClosed = (item: OutputItem) => item.status !== 'in_progress'

  function push(item: OutputItem): Step[] {
    items.push(item)
    return items.length - 1 === open ? shown(item) : advance()
  }

  function shown(item: OutputItem): Step[] {
    const steps = item.opening(open)
    return item.text === '' ? steps : [...steps, ...item.delta(open, item.text)]
  }

  function advance(): Step[] {
    const steps: Step[] = []
    for (let item = items[open]; item && open < items.length - 1 && item.isWhole(); item = items[open]) {
      steps.push(...closed(item, 'completed'))
      const next = items[++open]
      if (next) steps.push(...shown(next))
    }
    return steps
  }

  function closed(item: OutputItem, status: ItemStatus): Step[] {
    item.status = status
    return item.closing(open)
  }

  function append(item: OutputItem, text: string): Step[] {
    if (isClosed(item)) return []
    item.text += text
    return item === items[open] ? item.delta(open, text) : []
  }

  function openReasoning(): ReasoningItem | undefined {
    const last = items.at(-1)
    return last?.kind === 'reasoning' && !(last as ReasoningItem).signed ? (last as ReasoningItem) : undefined
  }

  function addReasoning(text: string): Step[] {
    const last = openReasoning()
    if (last) return append(last, text)
    const item = reasoningItem()
    const steps = push(item)
    return [...steps, ...append(item, text)]
  }

  function sign(signed: NonNullable<ReasoningItem['signed']>): Step[] {
    const last = openReasoning()
    if (last && signed.redacted === undefined) {
      last.signed = signed
      return []
    }
    const item = reasoningItem()
    item.signed = signed
    return push(item)
  }

  function addWords(said: 'text' | 'refusal', text: string): Step[] {
    const last = items.at(-1)
    if (last?.kind === 'message' && (last as MessageItem).said === said) return append(last, text)
    const item = messageItem(said)
    const steps = push(item)
    steps.push(...append(item, text))
    if (said === 'text') {
      for (const citation of early) steps.push(...cite(citation))
      early = []
    }
    return steps
  }

  function lastText(): MessageItem | undefined {
    const item = items.findLast((one) => one.kind === 'message' && (one as MessageItem).said === 'text')
    return item && !isClosed(item) ? (item as MessageItem) : undefined
  }

  function cite(citation: Citation): Step[] {
    const item = lastText()
    if (!item) early.push(citation)
    const step = item?.annotate(open, citation)
    return step && item === items[open] ? [step] : []
  }

  function begin(event: Extract<ReplyEvent, { kind: 'call' }>): Step[] {
    const steps = event.signature === undefined ? [] : sign({ calls: { [event.id]: event.signature } })
    const item = callItem(event, names.clientTool(event.name))
    calls.set(event.call, item)
    return [...steps, ...push(item)]
  }

  function addArguments(call: number, text: string): Step[] {
    const item = calls.get(call)
    return item ? [...append(item, text), ...advance()] : []
  }

  const toldItems = () => items.slice(0, open + 1).map((item) => item.wire())

  return {
    take(event) {
      switch (event.kind) {
        case 'text':
          return event.text === '' ? [] : addWords('text', event.text)
        case 'refusal':
          return event.text === '' ? [] : addWords('refusal', event.text)
        case 'reasoning':
          return event.text === '' ? [] : addReasoning(event.text)
        case 'signature':
          return sign({ signature: event.signature })
        case 'redacted':
          return sign({ redacted: event.data })
        case 'call':
          return begin(event)
        case 'arguments':
          return addArguments(event.call, event.text)
        case 'image':
          return push(imageItem(event))
        case 'citation':
          return cite(event.citation)
        case 'logprobs':
          lastText()?.addLogprobs(event.logprobs)
          return []
        case 'audio':
          // Responses have no speech: its words are left.
          return typeof event.audio.transcript === 'string' ? addWords('text', event.audio.transcript) : []
        default:
          return []
      }
    },
    close(status) {
      const steps: Step[] = []
      for (let item = items[open]; item; item = items[open]) {
        if (status === 'completed' && item.text === '') steps.push(...append(item, item.emptyText))
        steps.push(...closed(item, status))
        open += 1
        const next = items[open]
        if (next) steps.push(...shown(next))
      }
      return steps
    },
    wire: toldItems,
    broken() {
      const item = items[open]
      if (item) item.status = 'incomplete'
      return toldItems()
    },
  }
}

import type { Usage } from '../../../core/pricing/prices.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Pieces } from '../endpoints/endpoint.ts'

/** Maximum number of stored objects per reply. Each object becomes a row. */
const STORED_MAX = 10_000
/**
 * Maximum plausible number of calls of one hosted tool per reply. A report with a larger number is ignored as an error
 * of the upstream.
 */
const HOSTED_CALLS_MAX = 10_000
/** Tokens that a tool call costs besides its texts. Used if the upstream reports no usage. */
const TOKENS_PER_TOOL_CALL = 7
/** Tokens of an image. Used if the upstream reports no usage. */
const TOKENS_PER_IMAGE = 258

/** Number of chunks that are joined into one block. */
const CHUNKS_PER_BLOCK = 256

/** A set of indexes of choices. Most replies have only choice 0, which needs no `Set`. */
class ChoiceSet {
  private hasFirst = false
  private others: Set<number> | undefined

  get size(): number {
    return (this.hasFirst ? 1 : 0) + (this.others?.size ?? 0)
  }

  add(index: number): void {
    if (index === 0) this.hasFirst = true
    else {
      this.others ??= new Set()
      this.others.add(index)
    }
  }
}

/** Meters the output of an upstream: the reported usage, and the text, which is counted if no usage is reported. */
export class Meter {
  usage: Usage | undefined
  /** The service tier that the upstream reports, or undefined if it reports none. */
  tier: string | undefined
  /** The pieces of the reply that have a price, such as images. Undefined if the price does not depend on pieces. */
  pieces: Pieces | undefined
  /** Length of `text` in UTF-16 code units. */
  textLength = 0
  /** Number of calls of each hosted tool, or undefined if there are none. */
  hosted: Map<string, number> | undefined
  /** Objects that the upstream stored, without duplicates, or undefined if there are none. */
  stored: Map<string, StoredObject> | undefined
  cites = false
  /** Whether any output for the client has arrived, for example text, reasoning or a tool call. */
  started = false
  /** Choices with output, and choices with a stop reason. */
  private readonly begun = new ChoiceSet()
  private readonly stopped = new ChoiceSet()
  /** Tokens of output that is not in `text`. */
  otherTokens = 0
  private readonly blocks: string[] = []
  private recent: string[] = []

  /** Number of times that the prompt was sent. Upstreams charge for the prompt each time. */
  get prompts(): number {
    return 1
  }

  /** The whole text of the output. Each access joins the blocks again. */
  get text(): string {
    return this.blocks.join('') + this.recent.join('')
  }

  /** Whether every choice with output has a stop reason. */
  get finished(): boolean {
    return this.stopped.size > 0 && this.stopped.size === this.begun.size
  }

  get choicesStopped(): number {
    return this.stopped.size
  }

  read(events: readonly ReplyEvent[]): void {
    for (const event of events) this.take(event)
  }

  private take(event: ReplyEvent): void {
    switch (event.kind) {
      case 'text':
      case 'refusal':
      case 'reasoning':
      case 'arguments':
        this.add(event.text)
        break
      case 'call':
        this.otherTokens += TOKENS_PER_TOOL_CALL
        this.add(event.name)
        break
      case 'audio':
        if (typeof event.audio.transcript === 'string') this.add(event.audio.transcript)
        if (typeof event.audio.id === 'string') this.store({ kind: 'audio', id: event.audio.id })
        break
      case 'image':
        this.otherTokens += TOKENS_PER_IMAGE
        break
      case 'stop':
        this.stopped.add(event.choice ?? 0)
        break
      case 'usage':
        this.usage = event.usage
        if (event.tier !== undefined) this.tier = event.tier
        return
      case 'hosted':
        if (event.calls > HOSTED_CALLS_MAX) return
        this.hosted ??= new Map()
        this.hosted.set(event.tool, event.calls)
        // The call costs money, so the request must not be retried.
        if (event.calls > 0) this.started = true
        return
      case 'stored':
        this.store(event.object)
        return
      case 'citation':
        this.cites = true
        return
      case 'redacted':
        break
      default:
        return
    }
    this.begun.add(event.choice ?? 0)
    this.started = true
  }

  private store(object: StoredObject): void {
    this.stored ??= new Map()
    if (this.stored.size < STORED_MAX) this.stored.set(`${object.kind} ${object.id}`, object)
  }

  /** Adds text. Joins chunks into blocks: a string that grows by each chunk would take six times the memory. */
  private add(text: string): void {
    this.textLength += text.length
    if (this.recent.push(text) < CHUNKS_PER_BLOCK) return
    this.blocks.push(this.recent.join(''))
    this.recent = []
  }
}

const CONTENT_KINDS = new Set<ReplyEvent['kind']>([
  'text',
  'refusal',
  'reasoning',
  'redacted',
  'call',
  'arguments',
  'image',
  'audio',
])

/** Whether events have content, not only metadata. */
export function saysSomething(events: readonly ReplyEvent[]): boolean {
  return events.some(({ kind }) => CONTENT_KINDS.has(kind))
}

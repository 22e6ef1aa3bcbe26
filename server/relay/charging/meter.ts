import type { Usage } from '../../../core/pricing/prices.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Pieces } from '../endpoints/endpoint.ts'

/** Upper limit per reply: each object is a row. */
const STORED_MAX = 10_000
/** Overhead of each tool call if the upstream reports no usage. */
const TOKENS_PER_TOOL_CALL = 7
/** Tokens of an image if the upstream reports no usage. */
const TOKENS_PER_IMAGE = 258

const BLOCK_PIECES = 256

/** Meters the output of an upstream: its text, to count tokens if no usage is reported, and the reported usage. */
export class Meter {
  usage: Usage | undefined
  /** The service tier that the upstream reports. */
  tier: string | undefined
  /** The reply's pieces, if pieces are priced. */
  pieces: Pieces | undefined
  /** Length of `text` in UTF-16 code units. */
  textLength = 0
  /** Number of calls of each hosted tool; absent if none. */
  hosted: Map<string, number> | undefined
  /** Objects that the upstream stored, without duplicates; absent if none. */
  stored: Map<string, StoredObject> | undefined
  /** Whether the reply cites sources. */
  cites = false
  /** Whether output for the client arrived: text, reasoning, a tool call, a hosted tool, or a stop reason. */
  started = false
  /** Choices with output, and choices with a stop reason. */
  private readonly begun = new Set<number>()
  private readonly stopped = new Set<number>()
  /** Tokens of output without text. */
  otherTokens = 0
  private readonly blocks: string[] = []
  private recent: string[] = []

  /** How often the prompt was sent: upstreams charge it each time. */
  get prompts(): number {
    return 1
  }

  /** The whole output, joined at each call. */
  get text(): string {
    return this.blocks.join('') + this.recent.join('')
  }

  /** Whether every choice that began has a stop reason. */
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
        this.hosted ??= new Map()
        this.hosted.set(event.tool, event.calls)
        // The call costs from here on, and a retry would cost it again.
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

  /** Joins the chunks in blocks: a text that grows chunk by chunk takes six times the memory of a plain one. */
  private add(text: string): void {
    this.textLength += text.length
    if (this.recent.push(text) < BLOCK_PIECES) return
    this.blocks.push(this.recent.join(''))
    this.recent = []
  }
}

const SAYING = new Set<ReplyEvent['kind']>([
  'text',
  'refusal',
  'reasoning',
  'redacted',
  'call',
  'arguments',
  'image',
  'audio',
])

/** Whether the events have content, not only metadata. */
export function saysSomething(steps: readonly ReplyEvent[]): boolean {
  return steps.some(({ kind }) => SAYING.has(kind))
}

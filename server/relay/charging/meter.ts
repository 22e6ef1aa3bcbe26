import type { Usage } from '../../../core/pricing/prices.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'

/** More objects than any reply creates: each is a row. */
const STORED_MAX = 10_000
/** Seven tokens frame each tool call that an upstream without usage reports. */
const TOKENS_PER_TOOL_CALL = 7
/** What a picture costs that nobody reported a usage for. */
const TOKENS_PER_IMAGE = 258

const BLOCK_PIECES = 256

/** A list, since there are few choices and mostly one. */
function note(choices: number[], choice = 0): void {
  if (!choices.includes(choice)) choices.push(choice)
}

/** Watches what an upstream produces: its text, for counting when it reports no usage, and its usage when it does. */
export class Meter {
  usage: Usage | undefined
  /** Pieces that the reply brought, where they are sold. */
  made: number | undefined
  /** Characters of `text`. */
  textLength = 0
  /** How often the upstream ran each of its own tools. Absent: it ran none. */
  hosted: Map<string, number> | undefined
  /** What the upstream has stored, each object once. Absent: nothing. */
  stored: Map<string, StoredObject> | undefined
  /** The reply names sources. */
  cites = false
  /** Something for the client was seen: text, reasoning, a tool call, a hosted tool, or a reason to stop. */
  started = false
  /** Choices that said something, and those of them that said why they stopped. */
  private readonly begun: number[] = []
  private readonly stopped: number[] = []
  /** Output that no text stands for. */
  otherTokens = 0
  private readonly blocks: string[] = []
  private recent: string[] = []

  /** All that was said. It is put together anew at each call. */
  get text(): string {
    return this.blocks.join('') + this.recent.join('')
  }

  /** The model said why it stopped, in every choice that it began. */
  get finished(): boolean {
    return this.stopped.length > 0 && this.stopped.length === this.begun.length
  }

  /** How many choices have come to their end. */
  get choicesStopped(): number {
    return this.stopped.length
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
        note(this.stopped, event.choice)
        break
      case 'usage':
        this.usage = event.usage
        return
      case 'hosted':
        this.hosted ??= new Map()
        this.hosted.set(event.tool, event.calls)
        // It costs from here on: another attempt would cost it again.
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
    note(this.begun, event.choice)
    this.started = true
  }

  private store(object: StoredObject): void {
    this.stored ??= new Map()
    if (this.stored.size < STORED_MAX) this.stored.set(`${object.kind} ${object.id}`, object)
  }

  /** Joined now and then: a long text that grows chunk by chunk takes six times the memory of a plain one. */
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

/** Whether there is content in it, and not merely news of the reply. */
export function saysSomething(steps: readonly ReplyEvent[]): boolean {
  return steps.some(({ kind }) => SAYING.has(kind))
}

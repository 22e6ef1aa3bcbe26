import type { Usage } from '../../../core/pricing/prices.ts'
import { addUsage } from '../charging/usage.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { StreamChunk } from '../transport/chunks.ts'

/**
 * Merges the events of several replies into one reply. Each original reply becomes a choice. Usage and numbers of
 * hosted tool calls are summed.
 */
export class ChoiceTotals {
  private readonly usages: (Usage | undefined)[]
  /** The number of calls of each hosted tool, as a list with one number per original reply. */
  private readonly hosted = new Map<string, number[]>()
  private readonly isOver: boolean[]
  private readonly isStopped: boolean[]
  private isStarted = false

  constructor(private readonly choices: number) {
    this.usages = Array.from({ length: choices }, () => undefined)
    this.isOver = Array.from({ length: choices }, () => false)
    this.isStopped = Array.from({ length: choices }, () => false)
  }

  /**
   * Converts a chunk of one original reply to a chunk of the merged reply. The result has no raw event, because the
   * bytes differ.
   */
  mergeChunk({ events, isPlain }: StreamChunk, choice: number): StreamChunk {
    const merged = events.flatMap((event) => this.convert(event, choice))
    return { event: undefined, events: merged, ...(isPlain && { isPlain }) }
  }

  /**
   * Returns the events for the end of one stream: an error if the stream broke off, or the end of the merged reply if
   * all streams have ended.
   */
  close(choice: number): ReplyEvent[] {
    if (this.isOver[choice] || this.isStopped[choice]) return this.finish(choice)
    return [{ kind: 'error', error: { message: 'The upstream broke off its reply', code: 'upstream_broke' } }]
  }

  /** Marks an original reply as complete. If all original replies are complete, returns the end of the merged reply. */
  finish(choice: number): ReplyEvent[] {
    if (this.isOver[choice]) return []
    this.isOver[choice] = true
    return this.isOver.every(Boolean) ? [{ kind: 'end' }] : []
  }

  private convert(event: ReplyEvent, choice: number): ReplyEvent[] {
    switch (event.kind) {
      case 'start': {
        const isFirst = !this.isStarted
        this.isStarted = true
        return isFirst ? [event] : []
      }
      case 'end':
        return this.finish(choice)
      case 'usage':
        this.usages[choice] = event.usage
        return this.totalUsage()
      case 'hosted':
        return [{ ...event, calls: this.totalCalls(event, choice) }]
      case 'stored':
      case 'error':
        return [event]
      case 'stop':
        this.isStopped[choice] = true
        return [{ ...event, choice }]
      default:
        return [{ ...event, choice }]
    }
  }

  /**
   * Returns the total usage. Returns no event until all replies have reported usage, because a partial sum would look
   * like the total.
   */
  private totalUsage(): ReplyEvent[] {
    const reported = this.usages.filter((usage) => usage !== undefined)
    return reported.length < this.choices ? [] : [{ kind: 'usage', usage: reported.reduce(addUsage) }]
  }

  private totalCalls({ tool, calls }: { tool: string; calls: number }, choice: number): number {
    const callsByChoice = this.hosted.get(tool) ?? Array.from({ length: this.choices }, () => 0)
    callsByChoice[choice] = calls
    this.hosted.set(tool, callsByChoice)
    return callsByChoice.reduce((total, count) => total + count, 0)
  }
}

import type { ReplyEvent } from '../conversation/conversation.ts'

const OPEN = '<think>\n'
const CLOSE = '\n</think>\n'

/**
 * Returns a function that puts reasoning between `<think>` and `</think>`, for clients that read no reasoning:
 * `setting.thinking_to_content`. Create one per attempt. Drops signatures, because the reasoning they sign becomes text.
 */
export function thinkingToContent(): (steps: readonly ReplyEvent[]) => readonly ReplyEvent[] {
  /** The choices with an open `<think>`. */
  const thinking = new Set<number>()

  function closed(choice: number): ReplyEvent[] {
    return thinking.delete(choice) ? [{ kind: 'text', text: CLOSE, choice }] : []
  }

  function rewritten(event: ReplyEvent): ReplyEvent[] {
    switch (event.kind) {
      case 'reasoning': {
        const choice = event.choice ?? 0
        if (event.text === '') return []
        const opening = thinking.has(choice) ? '' : OPEN
        thinking.add(choice)
        return [{ kind: 'text', text: opening + event.text, choice }]
      }
      case 'signature':
        return []
      case 'end':
        return [...[...thinking].flatMap(closed), event]
      case 'start':
      case 'usage':
      case 'error':
      case 'redacted':
      case 'logprobs':
      case 'hosted':
      case 'stored':
        return [event]
      default:
        return [...closed(event.choice ?? 0), event]
    }
  }

  return (steps) => steps.flatMap(rewritten)
}

import type { ReplyEvent } from '../conversation/conversation.ts'

const OPEN = '<think>\n'
const CLOSE = '\n</think>\n'

/**
 * Returns a function that converts reasoning to text between `<think>` and `</think>`, for clients that do not read
 * reasoning (`setting.thinking_to_content`). Drops signatures, because the signed reasoning becomes text. The function
 * has state, so each reply needs a new function.
 */
export function thinkingToContent(): (events: readonly ReplyEvent[]) => readonly ReplyEvent[] {
  /** The choices with an open `<think>`. */
  const thinking = new Set<number>()

  function closeThinking(choice: number): ReplyEvent[] {
    return thinking.delete(choice) ? [{ kind: 'text', text: CLOSE, choice }] : []
  }

  function rewrite(event: ReplyEvent): ReplyEvent[] {
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
        return [...[...thinking].flatMap(closeThinking), event]
      case 'start':
      case 'usage':
      case 'error':
      case 'redacted':
      case 'logprobs':
      case 'hosted':
      case 'stored':
        return [event]
      default:
        return [...closeThinking(event.choice ?? 0), event]
    }
  }

  return (events) => events.flatMap(rewrite)
}

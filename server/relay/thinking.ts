import type { ReplyEvent } from './conversation/conversation.ts'

export function thinkingToContent(): (steps: readonly ReplyEvent[]) => readonly ReplyEvent[] {
  return (steps) => steps
}

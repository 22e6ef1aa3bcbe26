import type { Cli } from '../cli.ts'
import type { ChatAnswer } from './ask.ts'
import type { ChatSession } from './session.ts'

/** Text of a model on a terminal: lines and tabs pass, what would steer the terminal does not. In a pipe everything passes. */
export function shownText(text: string, { terminal }: { terminal: boolean }): string {
  return terminal ? text.replace(/[^\P{Cc}\n\t]/gu, '') : text
}

/** What an answer took, for people. */
export async function noteCost(cli: Cli, session: ChatSession, answer: ChatAnswer): Promise<void> {
  if (!answer.usage) return
  const { prompt_tokens, completion_tokens } = answer.usage
  const quota = await session.cost(answer)
  const { color, quota: shown } = await cli.format()
  const line =
    quota === undefined
      ? cli.say`${prompt_tokens} + ${completion_tokens} tokens`
      : cli.say`${prompt_tokens} + ${completion_tokens} tokens, ${shown(quota)}`
  cli.stderr.write(`${color.dim(line)}\n`)
}
